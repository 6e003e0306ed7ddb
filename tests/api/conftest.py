"""Alice, Bob and Charlie with programs of their own, each with a personal token."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from bgmail.api.models import Acted, State
from bgmail.service import accounts, logins
from bgmail.service.accounts import Account
from bgmail.settings import Settings
from bgmail.world import World
from tests.fixtures.apps import OpenApp
from tests.service.matchmaking import ScriptedChance

BEGINNING = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.instant = BEGINNING

    def __call__(self) -> datetime:
        return self.instant

    def move(self, **span: float) -> None:
        self.instant += timedelta(**span)


class Program:
    """Somebody's program: sends JSON with a token, and holds every state that comes back against the contract."""

    def __init__(self, app: Flask, account: Account | None) -> None:
        self.client: FlaskClient = app.test_client()
        self.account = account
        self.headers: dict[str, str] = {}
        if account:
            here: World = app.extensions["bgmail"]
            token = logins.create_token(here.store, account.id, "test", here.now())
            self.headers = {"Authorization": f"Bearer {token}"}

    def get(self, path: str, **headers: str) -> TestResponse:
        return self.client.get(f"/api/v1{path}", headers={**self.headers, **headers}, multithread=True)

    def post(self, path: str, body: Any = None, **fields: Any) -> TestResponse:
        """Sends `fields`, or `body` as it is, as JSON."""
        return self.client.post(f"/api/v1{path}", json=fields if body is None else body, headers=self.headers)

    def send(self, path: str, data: bytes) -> TestResponse:
        """Sends bytes."""
        return self.client.post(f"/api/v1{path}", data=data, headers=self.headers)

    def state(self, match_id: str) -> dict[str, Any]:
        answer = self.get(f"/matches/{match_id}")
        assert answer.status_code == 200, answer.json
        return checked(answer)

    def act(self, match_id: str, action: str, **fields: Any) -> dict[str, Any]:
        """One action at the present version; the state after it."""
        fields.setdefault("version", self.state(match_id)["version"])
        answer = self.post(f"/matches/{match_id}/actions", action=action, **fields)
        assert answer.status_code == 200, answer.json
        return checked(answer, Acted)


def checked(answer: TestResponse, model: type[State] = State) -> dict[str, Any]:
    """The JSON of an answer that is exactly what the contract says."""
    body: dict[str, Any] = answer.get_json()
    model.model_validate(body)
    return body


def check_refused(answer: TestResponse, status: int, reason: str) -> dict[str, Any]:
    """The problem details of an answer that refuses with this status and reason."""
    assert (answer.status_code, answer.get_json().get("reason")) == (status, reason), answer.get_json()
    assert answer.content_type == "application/problem+json"
    problem: dict[str, Any] = answer.get_json()
    assert problem["status"] == status
    assert problem["title"]
    assert problem["detail"].endswith((".", "!"))
    return problem


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def chance() -> ScriptedChance:
    """Tests put dice into its `script`; without any, dice are honest."""
    return ScriptedChance([])


@pytest.fixture
def app(
    sqlite_schema_url: str, tmp_path: Path, clock: Clock, chance: ScriptedChance, open_app: OpenApp
) -> Flask:
    return open_app(Settings(instance=tmp_path, database_url=sqlite_schema_url), clock=clock, chance=chance)


@pytest.fixture
def people(app: Flask) -> dict[str, Account]:
    here: World = app.extensions["bgmail"]
    names = ("alice", "bob", "charlie")
    return {
        name: accounts.create(here.store, name, f"{name}@play.example", None, here.now()) for name in names
    }


@pytest.fixture
def alice(app: Flask, people: dict[str, Account]) -> Program:
    return Program(app, people["alice"])


@pytest.fixture
def bob(app: Flask, people: dict[str, Account]) -> Program:
    return Program(app, people["bob"])


@pytest.fixture
def charlie(app: Flask, people: dict[str, Account]) -> Program:
    return Program(app, people["charlie"])


@pytest.fixture
def stranger(app: Flask) -> Program:
    """A program without a token."""
    return Program(app, None)


class Table:
    """A match of Alice (White) and Bob by their programs."""

    def __init__(self, alice: Program, bob: Program, chance: ScriptedChance) -> None:
        self.alice, self.bob, self.chance = alice, bob, chance
        self.id = ""

    def begin(self, *dice: tuple[int, int], length: int = 7, **terms: Any) -> dict[str, Any]:
        """An accepted match; the first of `dice` is the opening roll (White's die, then Black's)."""
        self.chance.script = list(dice)
        answer = self.alice.post("/matches", opponent="bob", length=length, **terms)
        assert answer.status_code == 201, answer.json
        self.id = answer.get_json()["id"]
        return checked(self.bob.post(f"/matches/{self.id}/accept"))

    def on_turn(self, state: dict[str, Any]) -> Program:
        return {"white": self.alice, "black": self.bob}[state["on_turn"]]

    def post(self, who: Program, **fields: Any) -> TestResponse:
        return who.post(f"/matches/{self.id}/actions", **fields)


@pytest.fixture
def table(alice: Program, bob: Program, chance: ScriptedChance) -> Table:
    return Table(alice, bob, chance)
