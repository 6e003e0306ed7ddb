"""Commands of an app on a fresh database, with a clock that tests set."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import Result
from flask import Flask

from bgmail.settings import Settings
from bgmail.world import World
from tests.fixtures.apps import OpenApp

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


@pytest.fixture
def settings(sqlite_schema_url: str, tmp_path: Path) -> Settings:
    return Settings(instance=tmp_path, database_url=sqlite_schema_url)


@pytest.fixture
def app(settings: Settings, open_app: OpenApp) -> Flask:
    return open_app(settings, clock=lambda: NOW)


class Terminal:
    """Types commands, and tells what they said and how they ended."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.runner = app.test_cli_runner()

    @property
    def world(self) -> World:
        found: World = self.app.extensions["bgmail"]
        return found

    def type(self, *words: str) -> Result:
        return self.runner.invoke(args=list(words))

    def says(self, *words: str) -> str:
        """What a command prints that goes well."""
        result = self.type(*words)
        assert (result.exit_code, result.stderr) == (0, ""), result.output
        return result.stdout.rstrip("\n")

    def complains(self, *words: str) -> str:
        """What a command prints on stderr that doesn't."""
        result = self.type(*words)
        assert result.exit_code != 0
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result.stderr

    def set(self, **values: object) -> None:
        """Changes the settings of the running app."""
        here = self.world
        self.app.extensions["bgmail"] = replace(here, settings=replace(here.settings, **values))  # type: ignore[arg-type]


@pytest.fixture
def terminal(app: Flask) -> Terminal:
    return Terminal(app)
