"""A match of two people at a real server, and a client that plays it by HTTP and never gives up."""

from __future__ import annotations

import http.client
import json
import random
import secrets
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bgmail.dice import FairChance
from bgmail.service import accounts, invitations, logins
from bgmail.service.terms import Handle, Terms
from bgmail.store.engine import Store
from bgmail.store.schema import ensure_schema

PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Seats:
    """An accepted match in a server's folder, and the tokens of White and Black."""

    match_id: str
    tokens: dict[str, str]
    database: Path


@pytest.fixture
def seats(tmp_path: Path) -> Seats:
    """Made before any server starts in that folder."""
    folder = tmp_path / "instance"
    folder.mkdir()
    store, now, chance = Store(f"sqlite:///{folder / 'bgmail.db'}"), datetime.now(UTC), FairChance()
    ensure_schema(store)
    alice, bob = (
        accounts.create(store, name, f"{name}@play.example", None, now) for name in ("alice", "bob")
    )
    view = invitations.invite(store, alice.id, Terms(25), Handle("bob"), "", now, chance)
    invitations.accept(store, view.id, bob.id, now, chance)
    tokens = {
        side: logins.create_token(store, person.id, "test", now)
        for side, person in (("white", alice), ("black", bob))
    }
    store.close()
    return Seats(view.id, tokens, folder / "bgmail.db")


@dataclass(slots=True)
class Client:
    """Plays for both sides. What was sent is remembered by key, with the version that the server told."""

    port: int
    seats: Seats
    told: dict[str, int] = field(default_factory=dict)
    retried: int = 0
    connection: http.client.HTTPConnection | None = None

    def ask(self, method: str, side: str, path: str = "", body: Any = None) -> tuple[int, dict[str, Any]]:
        """One request on a connection that is kept. Raises OSError or HTTPException when the server is gone."""
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        headers = {"Authorization": f"Bearer {self.seats.tokens[side]}", "Content-Type": "application/json"}
        try:
            address = f"/api/v1/matches/{self.seats.match_id}{path}"
            self.connection.request(method, address, None if body is None else json.dumps(body), headers)
            answer = self.connection.getresponse()
            return answer.status, json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError):
            self.close()
            raise

    def insist(self, method: str, side: str, path: str = "", body: Any = None) -> tuple[int, dict[str, Any]]:
        """Asks until there is an answer."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return self.ask(method, side, path, body)
            except (OSError, http.client.HTTPException, ValueError):
                assert time.monotonic() < until, "the server did not come back"
                self.retried += 1
                time.sleep(0.02)

    def state(self) -> dict[str, Any]:
        return self.insist("GET", "white")[1]

    def play(self, state: dict[str, Any]) -> dict[str, Any]:
        """One action of whoever is on turn, sent with a key until it is answered."""
        key = secrets.token_hex(8)
        body = {"version": state["version"], "key": key, "nonce": secrets.token_hex(16), **choice(state)}
        status, answer = self.insist("POST", state["on_turn"], "/actions", body)
        assert status == 200, answer
        self.told[key] = answer["applied_version"]
        return answer

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def choice(state: dict[str, Any]) -> dict[str, Any]:
    """Any legal play; no doubles."""
    if state["phase"] == "play":
        return {"action": "play", "play": random.choice(state["legal"])["play"]}
    return {"action": "take" if state["phase"] == "take_or_pass" else "roll"}
