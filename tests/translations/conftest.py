"""The club in a language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from flask import Flask
from jinja2 import FileSystemBytecodeCache

from bgmail.factory import create_app
from bgmail.service import passwords
from bgmail.settings import Settings
from tests.translations.club import Clock, Club, fill

BASE_URL = "http://127.0.0.1:5000"


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where compiled templates are kept, so that not every club compiles them anew."""
    return tmp_path_factory.mktemp("templates")


@pytest.fixture
def open_club(
    tmp_path: Path, sqlite_schema_url: str, templates: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], Club]]:
    """Fills the club with people of one language."""
    monkeypatch.setattr(passwords, "_HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    made: list[Flask] = []

    def make(language: str) -> Club:
        clock = Clock()
        settings = Settings(
            instance=tmp_path / "instance",
            database_url=sqlite_schema_url,
            base_url=BASE_URL,
            inbound_domain="answers.club.example",
        )
        app = create_app(settings, clock=clock)
        app.testing = True
        app.jinja_env.bytecode_cache = FileSystemBytecodeCache(str(templates))
        made.append(app)
        club = Club(app, clock, language)
        fill(club)
        return club

    yield make
    for app in made:
        app.extensions["bgmail"].store.close()
