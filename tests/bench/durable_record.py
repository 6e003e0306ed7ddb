"""The table that `durable_play` is measured at: people, accepted matches, and the rows that real actions write."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bgmail.dice import FairChance
from bgmail.rules.match import Phase
from bgmail.service import accounts, invitations, logins, turns
from bgmail.service.states import legal_json, state
from bgmail.service.terms import Handle, Terms
from bgmail.store.engine import Store
from bgmail.store.matches import MOVING
from bgmail.store.schema import ensure_schema

CHANCE = FairChance()


@dataclass(frozen=True, slots=True)
class Seats:
    """One match and the tokens of its two people, White's first."""

    match_id: str
    tokens: tuple[str, str]


def open_store(folder: Path) -> Store:
    """An empty database with the schema, as a server in `folder` would open it."""
    folder.mkdir(parents=True)
    store = Store(f"sqlite:///{folder / 'bgmail.db'}")
    ensure_schema(store)
    return store


def seat(store: Store, club: str, pairs: int, matches_each: int) -> list[Seats]:
    """Pairs of people of a club, each pair with so many accepted seven-point matches."""
    now = datetime.now(UTC)
    found: list[Seats] = []
    for pair in range(pairs):
        people = [
            accounts.create(store, f"{club}-{name}-{pair}", None, None, now) for name in ("white", "black")
        ]
        tokens = [logins.create_token(store, person.id, "bench", now) for person in people]
        for _ in range(matches_each):
            view = invitations.invite(
                store, people[0].id, Terms(7), Handle(people[1].handle), "", now, CHANCE, via="api"
            )
            view = invitations.accept(store, view.id, people[1].id, now, CHANCE, via="api")
            found.append(Seats(view.id, (tokens[0], tokens[1])))
    return found


def record(store: Store, seats: list[Seats], steps: int) -> list[dict[str, Any]]:
    """Plays in these matches until so many actions were made; the rows and the answer of each."""
    recorded: list[dict[str, Any]] = []
    chooser = random.Random(7)
    for table in seats:
        while len(recorded) < steps:
            step = _step(store, table.match_id, chooser)
            if step is None:
                break
            recorded.append(step)
    return recorded


def _step(store: Store, match_id: str, chooser: random.Random) -> dict[str, Any] | None:
    before = turns.load(store, match_id)
    side = before.match.on_turn
    if side is None:
        return None
    now, secrets = datetime.now(UTC), _secrets(store, match_id)
    asked = turns.Request(
        version=before.version, nonce=CHANCE.nonce(), key=CHANCE.nonce(), **_choice(before, chooser)
    )
    outcome = turns.act(store, match_id, side, asked, now, CHANCE)
    answer = {**state(outcome.view, side, now), "applied_version": outcome.applied_version}
    return {
        "answer": json.dumps(answer, separators=(",", ":")),
        **_rows(store, match_id, before.head),
        "secrets": _changes(secrets, _secrets(store, match_id)),
    }


def _choice(view: Any, chooser: random.Random) -> dict[str, Any]:
    if view.match.phase is Phase.PLAY:
        return {"action": "play", "play": chooser.choice(legal_json(view.match))["play"]}
    return {"action": "take" if view.match.phase is Phase.TAKE_OR_PASS else "roll"}


def _rows(store: Store, match_id: str, head: int) -> dict[str, Any]:
    """What the last action left: the driver's own values, so that they can be written again as they are."""
    with store.read() as connection:
        raw = connection.connection.driver_connection
        assert raw is not None
        row = raw.execute(f"SELECT {', '.join(MOVING)} FROM match WHERE id = ?", (match_id,)).fetchone()
        return {
            "match": dict(zip(MOVING, row, strict=True)),
            "actions": _table(raw, "action", "match_id = ? AND seq > ?", (match_id, head)),
            "notices": _table(raw, "notice", "match_id = ? AND version > ?", (match_id, head), leave="id"),
        }


def _secrets(store: Store, match_id: str) -> dict[int, str]:
    """The secrets of dice to come, in hex, by game."""
    with store.read() as connection:
        raw: Any = connection.connection.driver_connection
        rows = raw.execute("SELECT game, secret FROM secret WHERE match_id = ?", (match_id,)).fetchall()
    return {game: secret.hex() for game, secret in rows}


def _changes(before: dict[int, str], after: dict[int, str]) -> dict[str, Any]:
    """A game that ends publishes its secret, and the next but one is committed to."""
    kept = [[game, secret] for game, secret in after.items() if game not in before]
    return {"kept": kept, "dropped": [game for game in before if game not in after]}


def _table(raw: Any, name: str, where: str, values: tuple[Any, ...], leave: str = "") -> list[dict[str, Any]]:
    cursor = raw.execute(f"SELECT * FROM {name} WHERE {where}", values)
    names = [column[0] for column in cursor.description]
    return [
        {key: value for key, value in zip(names, row, strict=True) if key != leave}
        for row in cursor.fetchall()
    ]
