"""`durable_play`: actions a second through the JSON API, everything included, against bare SQL behind the same server.

Ours does rules, log, dice, clock and notices, and checks a token; the floor writes the same rows and knows nothing.
Both run behind granian with two workers, and the same client plays at both in turn.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import secrets
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.bench.durable_record import Seats, open_store, record, seat
from tests.bench.measurement import Measurement

PROJECT = Path(__file__).parents[2]
ROUNDS = 5
SECONDS = 3.0
PLAYERS = 8
MATCHES_EACH = 12
STEPS = 800
WORKERS = 2
READY_WITHIN = 30.0


def measure() -> Measurement:
    """Plays in turn at both servers."""
    with tempfile.TemporaryDirectory(prefix="bgmail-bench-") as folder:
        ours, floor = _play(Path(folder))
    what = (
        f"HTTP actions a second, median of {ROUNDS} rounds; reference: the same rows by bare SQL, same server"
    )
    return Measurement(ours, floor, what)


def _play(folder: Path) -> tuple[float, float]:
    store = open_store(folder / "ours")
    tables = seat(store, "play", PLAYERS, MATCHES_EACH)
    steps = record(store, seat(store, "rec", 1, 10), STEPS)
    store.close()
    (folder / "steps.json").write_text(json.dumps(steps))
    shutil.copytree(folder / "ours", folder / "floor")
    floor_settings = {
        "FLOOR_DATABASE": str(folder / "floor" / "bgmail.db"),
        "FLOOR_STEPS": str(folder / "steps.json"),
    }
    with (
        serving("app:app", {"BGMAIL_INSTANCE": str(folder / "ours")}) as ours,
        serving("tests.bench.durable_floor:app", floor_settings) as floor,
    ):
        rates = [(one_round(ours, tables), one_round(floor, tables)) for _ in range(ROUNDS)]
    return statistics.median(rate for rate, _ in rates), statistics.median(rate for _, rate in rates)


@contextmanager
def serving(target: str, settings: dict[str, str]) -> Iterator[int]:
    """A granian with two workers on a free port of the loopback; ended by its process id."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = [*_granian(), "--port", str(port), target]
    process = subprocess.Popen(words, cwd=PROJECT, env={**os.environ, **settings}, start_new_session=True)
    try:
        _wait(port)
        yield port
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def _granian() -> list[str]:
    return [
        *(sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1"),
        *("--workers", str(WORKERS), "--blocking-threads", "1", "--no-access-log", "--log-level", "error"),
    ]


def _wait(port: int) -> None:
    until = time.monotonic() + READY_WITHIN
    while time.monotonic() < until:
        try:
            with socket.create_connection(("127.0.0.1", port), 1):
                return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("the server did not start")


@dataclass(slots=True)
class Player:
    """One client: a connection kept alive, and the matches it plays on both sides."""

    port: int
    tables: list[Seats]
    actions: int = 0
    faults: list[str] = field(default_factory=list)

    def run(self, until: float) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        for table in self.tables:
            state = self._look(connection, table)
            while state and time.monotonic() < until:
                state = self._act(connection, table, state)
            if time.monotonic() >= until or self.faults:
                break
        connection.close()

    def _look(self, connection: http.client.HTTPConnection, table: Seats) -> dict[str, Any] | None:
        """The match as it stands, None when it is over."""
        path = f"/api/v1/matches/{table.match_id}"
        connection.request("GET", path, headers={"Authorization": f"Bearer {table.tokens[0]}"})
        response = connection.getresponse()
        state: dict[str, Any] = json.loads(response.read())
        if response.status != 200:
            self.faults.append(f"{response.status} {state}")
            return None
        return state if state["on_turn"] else None

    def _act(
        self, connection: http.client.HTTPConnection, table: Seats, state: dict[str, Any]
    ) -> dict[str, Any] | None:
        seat_number = ("white", "black").index(state["on_turn"])
        body = {"version": state["version"], **_choice(state)}
        body |= {"nonce": secrets.token_hex(16), "key": secrets.token_hex(8)}
        status, answer = self._send(connection, table, seat_number, body)
        if status != 200:
            self.faults.append(f"{status} {answer}")
            return None
        self.actions += 1
        return answer if answer["on_turn"] else None

    def _send(
        self, connection: http.client.HTTPConnection, table: Seats, side: int, body: dict[str, Any]
    ) -> tuple[int, dict[str, Any]]:
        headers = {"Authorization": f"Bearer {table.tokens[side]}", "Content-Type": "application/json"}
        connection.request("POST", f"/api/v1/matches/{table.match_id}/actions", json.dumps(body), headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read())


def _choice(state: dict[str, Any]) -> dict[str, Any]:
    if state["phase"] == "play":
        return {"action": "play", "play": random.choice(state["legal"])["play"]}
    return {"action": "take" if state["phase"] == "take_or_pass" else "roll"}


def one_round(port: int, tables: list[Seats]) -> float:
    """Actions a second of all players together."""
    players = [Player(port, tables[number::PLAYERS]) for number in range(PLAYERS)]
    start = time.monotonic()
    threads = [threading.Thread(target=player.run, args=(start + SECONDS,)) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.monotonic() - start
    faults = [fault for player in players for fault in player.faults]
    if faults:
        raise RuntimeError(f"{len(faults)} requests failed, the first with {faults[0]}")
    return sum(player.actions for player in players) / took


if __name__ == "__main__":
    print(measure().line("durable_play"))
