"""The app on a fresh SQLite database, a clock that tests move, visitors, people, and what is owed by mail."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.test import TestResponse

from bgmail.notify.links import Links, links_of
from bgmail.service import accounts
from bgmail.service.accounts import Account
from bgmail.settings import Settings
from bgmail.store.matches import table
from bgmail.store.tables import NoticeRow
from bgmail.tokens import Purpose
from bgmail.world import World
from tests.fixtures.apps import OpenApp
from tests.service.tournaments.club import Club

PASSWORD = "correct horse"
BASE_URL = "http://127.0.0.1:5000"


@dataclass
class Clock:
    """A clock that stands still until it is moved."""

    instant: datetime

    def __call__(self) -> datetime:
        return self.instant

    def move(self, **span: float) -> None:
        """Moves on by `timedelta(**span)`."""
        self.instant += timedelta(**span)


@dataclass(frozen=True)
class Letter:
    """What somebody is owed by mail. `url` is the link that the letter will carry, without the host."""

    kind: str
    address: str
    account_id: int | None
    match_id: str
    data: dict[str, Any]
    url: str | None


class Outbox:
    """Reads the notices of an app."""

    def __init__(self, app: Flask) -> None:
        self._app = app

    def letters(self) -> list[Letter]:
        """All that is owed, in order."""
        here: World = self._app.extensions["bgmail"]
        notice = table(NoticeRow)
        with self._app.app_context(), here.store.read() as connection:
            rows = connection.execute(select(notice).order_by(notice.c.id)).all()
            return [self._letter(row, links_of(here)) for row in rows]

    def last(self) -> Letter:
        return self.letters()[-1]

    def of(self, kind: str) -> list[Letter]:
        return [letter for letter in self.letters() if letter.kind == kind]

    def _letter(self, row: Any, links: Links) -> Letter:
        data = json.loads(row.data)
        makers: dict[str, Callable[[], str]] = {
            "verify": lambda: links.verify(data["claim"]),
            "sign_in": lambda: links.sign_in(data["claim"]),
            "reset": lambda: links.reset(data["claim"]),
        }
        if row.kind == "invitation" and row.account_id is None:
            makers["invitation"] = lambda: links.invitation(row.match_id, row.address)
        url = makers[row.kind]() if row.kind in makers else None
        path = url.removeprefix(BASE_URL) if url else None
        return Letter(row.kind, row.address, row.account_id, row.match_id, data, path)


class Visitor:
    """Somebody with a browser and cookies of its own, who sends the forms of the pages that they see."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.client: FlaskClient = app.test_client()
        self.page = ""

    def open(self, path: str, **arguments: Any) -> TestResponse:
        """Opens a page and follows redirects."""
        return self._seen(self.client.get(path, follow_redirects=True, **arguments))

    def get(self, path: str, **arguments: Any) -> TestResponse:
        """Opens a page and follows nothing."""
        return self._seen(self.client.get(path, **arguments))

    def post(self, path: str, fields: dict[str, Any] | None = None, **arguments: Any) -> TestResponse:
        """Sends a form with the token of the page seen last."""
        return self._seen(
            self.client.post(path, data={"csrf_token": self.token, **(fields or {})}, **arguments)
        )

    @property
    def token(self) -> str:
        """The form token of the page seen last."""
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.page)
        return found.group(1) if found else ""

    @property
    def text(self) -> str:
        """The words of the page seen last."""
        bare = re.sub(r"<(script|style|title)\b.*?</\1>", " ", self.page, flags=re.DOTALL)
        bare = re.sub(r'<span class="whole">(.*?)</span>', r"\1", bare)  # parts of a word, or of a sentence
        return " ".join(unescape(re.sub(r"<[^>]+>", " ", bare)).split())

    def _seen(self, response: TestResponse) -> TestResponse:
        if response.mimetype == "text/html" and response.status_code not in (302, 303):
            self.page = response.get_data(as_text=True)
        return response


class Auth:
    """People, and their acts of signing up and in."""

    def __init__(self, app: Flask, visitor: Visitor) -> None:
        self._app, self._browser = app, visitor

    def person(self, handle: str, password: str | None = PASSWORD) -> Account:
        """Somebody with a proven address at example.org."""
        here: World = self._app.extensions["bgmail"]
        return accounts.create(here.store, handle, f"{handle.lower()}@example.org", password, here.now())

    def sign_up(
        self,
        handle: str = "Alice",
        email: str | None = None,
        password: str = PASSWORD,
        visitor: Visitor | None = None,
        **fields: str,
    ) -> TestResponse:
        """Signs up by the page."""
        used = visitor or self._browser
        used.get("/sign-up")
        email = f"{handle.lower()}@example.org" if email is None else email
        return used.post("/sign-up", {"handle": handle, "email": email, "password": password, **fields})

    def sign_in(
        self, name: str = "Alice", password: str = PASSWORD, visitor: Visitor | None = None, **fields: str
    ) -> TestResponse:
        """Signs in by the page."""
        used = visitor or self._browser
        used.get("/sign-in")
        return used.post("/sign-in", {"name": name, "password": password, **fields})

    def sign_out(self, visitor: Visitor | None = None) -> TestResponse:
        """Signs out by the button in the head of the page."""
        used = visitor or self._browser
        used.open("/")
        return used.post("/sign-out")


@pytest.fixture
def clock() -> Clock:
    return Clock(datetime(2026, 3, 2, 12, 0, tzinfo=UTC))


@pytest.fixture
def settings(tmp_path: Path, sqlite_schema_url: str) -> Settings:
    return Settings(instance=tmp_path / "instance", database_url=sqlite_schema_url, base_url=BASE_URL)


@pytest.fixture
def make_app(settings: Settings, clock: Clock, open_app: OpenApp) -> Callable[..., Flask]:
    """Makes apps on the same database, with other settings if wanted: a restart, or another server."""

    def make(**changes: Any) -> Flask:
        app = open_app(replace(settings, **changes), clock=clock)
        app.testing = True
        app.config["PROPAGATE_EXCEPTIONS"] = False
        return app

    return make


@pytest.fixture
def app(make_app: Callable[..., Flask]) -> Flask:
    return make_app()


@pytest.fixture
def world(app: Flask) -> World:
    here: World = app.extensions["bgmail"]
    return here


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def visitor(app: Flask) -> Visitor:
    return Visitor(app)


@pytest.fixture
def other(app: Flask) -> Visitor:
    """The visitor of somebody else."""
    return Visitor(app)


@pytest.fixture
def auth(app: Flask, visitor: Visitor) -> Auth:
    return Auth(app, visitor)


@pytest.fixture
def outbox(app: Flask) -> Outbox:
    return Outbox(app)


@pytest.fixture
def sign(world: World) -> Callable[[Purpose, Any], str]:
    """Signs what a link says, as a letter would."""
    return world.signer.sign


@pytest.fixture
def club(world: World) -> Club:
    """Dana organises; people are made as they are named."""
    here = Club(world.store, world.now())
    here.people["dana"] = here.dana
    return here
