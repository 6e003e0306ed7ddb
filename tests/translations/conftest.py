"""The club in a language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bgmail.settings import Settings
from tests.fixtures.apps import OpenApp
from tests.translations.club import Clock, Club
from tests.translations.goings_on import fill

BASE_URL = "http://127.0.0.1:5000"


@pytest.fixture
def open_club(tmp_path: Path, sqlite_schema_url: str, open_app: OpenApp) -> Iterator[Callable[[str], Club]]:
    """Fills the club with people of one language."""

    def make(language: str) -> Club:
        clock = Clock()
        settings = Settings(
            instance=tmp_path / "instance",
            database_url=sqlite_schema_url,
            base_url=BASE_URL,
            inbound_domain="answers.club.example",
        )
        app = open_app(settings, clock=clock)
        app.testing = True
        club = Club(app, clock, language)
        fill(club)
        return club

    return make
