"""The corpus: replies in the shapes that mail clients give them, and what each of them says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from bgmail.devmail import Sink
from bgmail.inbox.reading import Reading
from tests.fixtures.apps import OpenApp
from tests.inbox.replies import Desk
from tests.notify.conftest import Clock, clock, sink

__all__ = ["clock", "sink"]

CORPUS = Path(__file__).parent / "corpus"
EXPECTED: dict[str, dict[str, Any]] = json.loads((CORPUS / "expected.json").read_text(encoding="utf-8"))

settings.register_profile("inbox", deadline=None, max_examples=150)


def mail(name: str) -> bytes:
    return (CORPUS / f"{name}.eml").read_bytes()


def told(reading: Reading) -> dict[str, Any]:
    """A reading in the words of expected.json: what is empty is left out."""
    commands = [
        {key: value for key, value in asdict(one).items() if value is not None and key != "text"}
        for one in reading.commands
    ]
    found = {
        "sort": str(reading.sort),
        "sender": reading.sender,
        "commands": commands,
        "chat": reading.chat,
        "doubt": str(reading.doubt) if reading.doubt else None,
        "bounce": asdict(reading.bounce) if reading.bounce else None,
    }
    plain: dict[str, Any] = json.loads(json.dumps(found))
    return {key: value for key, value in plain.items() if value or key in ("sort", "sender")}


def opened(desk: Desk) -> Iterator[Desk]:
    yield desk
    desk.hang_up()
    desk.store.close()


@pytest.fixture
def desk(
    open_app: OpenApp, tmp_path: Path, sqlite_schema_url: str, clock: Clock, sink: Sink
) -> Iterator[Desk]:
    """On SQLite, with a relay that vouches for senders."""
    yield from opened(Desk(open_app, tmp_path, sqlite_schema_url, clock, sink))


@pytest.fixture
def wary(
    open_app: OpenApp, tmp_path: Path, sqlite_schema_url: str, clock: Clock, sink: Sink
) -> Iterator[Desk]:
    """On SQLite, where nobody has named a relay to believe."""
    yield from opened(Desk(open_app, tmp_path, sqlite_schema_url, clock, sink, None))


@pytest.fixture
def both(open_app: OpenApp, tmp_path: Path, schema_url: str, clock: Clock, sink: Sink) -> Iterator[Desk]:
    """Once on SQLite, once on PostgreSQL."""
    yield from opened(Desk(open_app, tmp_path, schema_url, clock, sink))
