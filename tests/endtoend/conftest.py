"""An installation with a real mail server for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bgmail.devmail import Sink
from tests.endtoend.installation import Installation


@pytest.fixture
def sink(tmp_path: Path) -> Iterator[Sink]:
    started = Sink.start(tmp_path / "mailbox")
    yield started
    started.stop()


@pytest.fixture
def installation(tmp_path: Path, sink: Sink) -> Installation:
    return Installation(tmp_path / "instance", sink)
