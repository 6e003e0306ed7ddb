"""Three tournaments at once, played to their ends by programs while the server is killed again and again."""

from __future__ import annotations

import os
import random
import sys
import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bgmail.service import accounts, logins
from bgmail.service.audits import Tally, audit
from bgmail.store.engine import Store
from bgmail.store.schema import ensure_schema
from tests.endtoend.programs import Programs
from tests.endtoend.slow import check
from tests.fixtures.patience import nap, until
from tests.fixtures.servers import Server, StartServer

pytestmark = [pytest.mark.slow, pytest.mark.long]

FULL = os.environ.get("WHOLE_TOURNAMENTS") == "1"
"""Whether they are as large as people play them: 64, 12 and 40."""
KILLS = 20 if FULL else 4
SECONDS = 1500.0 if FULL else 240.0


@dataclass(frozen=True, slots=True)
class Event:
    """One tournament: how many play, and by which plan."""

    name: str
    players: int
    plan: dict[str, Any]


EVENTS = (
    Event("double", 64 if FULL else 7, {"stages": [{"format": "double_elimination", "extra_match": True}]}),
    Event(
        "groups",
        12 if FULL else 6,
        {
            "stages": [
                {"format": "round_robin", "groups": 4 if FULL else 2, "advance": 2 if FULL else 1},
                {"format": "knockout", "third_place": FULL},
            ],
            "tie_breaks": ["head_to_head"],
        },
    ),
    Event("swiss", 40 if FULL else 9, {"stages": [{"format": "swiss_elimination", "losses": 2}]}),
)
MOST = max(event.players for event in EVENTS)


@pytest.fixture
def tokens(tmp_path: Path) -> dict[str, str]:
    """Everybody, made before any server starts in that folder."""
    folder = tmp_path / "instance"
    folder.mkdir()
    store, now = Store(f"sqlite:///{folder / 'bgmail.db'}"), datetime.now(UTC)
    ensure_schema(store)
    names = ["dana", *(f"p{number:02}" for number in range(MOST))]
    made = {name: accounts.create(store, name, f"{name}@play.example", None, now).id for name in names}
    found = {name: logins.create_token(store, made[name], "test", now) for name in names}
    store.close()
    return found


def organised(programs: Programs, event: Event) -> str:
    """Made, opened, entered by all, and started; its id."""
    conditions = {"length": 1, "rated": True, "text": "Programs play."}
    body = {"name": event.name, "plan": event.plan, "conditions": conditions, "key": event.name}
    made = programs.post("dana", "/tournaments", **body)
    address = f"/tournaments/{made['id']}"
    programs.post("dana", f"{address}/commands", command="open", key="open")
    for number in range(event.players):
        programs.post(f"p{number:02}", f"{address}/enter", conditions=made["digest"], fair_play=True)
    programs.post("dana", f"{address}/commands", command="start", key="start")
    return str(made["id"])


class Killer:
    """Kills the server at a random moment whenever a few more matches have ended, and starts it again."""

    def __init__(self, server: Server, programs: Programs) -> None:
        self.server, self.programs, self.over = server, programs, threading.Event()
        self.failed: list[BaseException] = []
        self.killed = 0
        self.thread = threading.Thread(target=self._work)
        self.thread.start()

    def _work(self) -> None:
        try:
            while self.killed < KILLS and not self.over.is_set():
                before = len(self.programs.done)
                until(
                    lambda before=before: len(self.programs.done) > before + 1 or self.over.is_set(),
                    lambda: self.server.log,
                    seconds=SECONDS,
                )
                self.over.wait(random.uniform(0.0, 0.3))  # a random point of whatever it does now
                self.server.kill()
                self.killed += 1
                self.server.again()
        except BaseException as error:  # noqa: BLE001 - told by the test
            self.failed.append(error)

    def end(self) -> None:
        self.over.set()
        self.thread.join()


def test_programs_play_three_tournaments_while_the_server_is_killed(
    start_server: StartServer, tokens: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "instance"
    server = start_server(
        command=[sys.executable, "-m", "tests.endtoend.tournament_server", str(folder), "{port}"]
    )
    programs = Programs(server.port, tokens)
    killer = Killer(server, programs)
    try:
        ids = [organised(programs, event) for event in EVENTS]

        def played() -> bool:
            for id_ in ids:
                for match_id in programs.open_ones(id_):
                    programs.play(match_id)
            return all(programs.get("dana", f"/tournaments/{id_}")["state"] == "over" for id_ in ids)

        until(played, lambda: server.log[-5000:], pause=nap, seconds=SECONDS)
    finally:
        killer.end()
    assert killer.failed == []
    assert killer.killed > 0
    for id_, event in zip(ids, EVENTS, strict=True):
        pairings = programs.get("dana", f"/tournaments/{id_}/pairings")["pairings"]
        standings = programs.get("dana", f"/tournaments/{id_}/standings")["standings"]
        check(event.plan, event.players, pairings, standings)
    programs.close()
    server.end()
    store = Store(f"sqlite:///{folder / 'bgmail.db'}")
    assert [finding.text for finding in audit(store, Tally())] == []
    store.close()
