"""A server that is killed again and again under submitted plays: each play stands exactly once."""

from __future__ import annotations

import random
import threading
import time

import pytest

from bgmail.service.audits import Tally, audit
from bgmail.store.engine import Store
from tests.durability.conftest import Client, Seats
from tests.fixtures.forks import FLASK
from tests.fixtures.patience import until
from tests.fixtures.servers import StartServer

KILLS = 20


@pytest.mark.slow
@pytest.mark.long
def test_twenty_times_killed_and_every_play_stands_exactly_once(
    start_server: StartServer, seats: Seats
) -> None:
    server = start_server(command=[*FLASK, "run", "--port", "{port}", "--no-reload"])
    client, over = Client(server.port, seats), threading.Event()
    failed: list[BaseException] = []

    def play_on() -> None:
        try:
            state = client.state()
            while not over.is_set() and state["on_turn"]:
                state = client.play(state)
        except BaseException as error:  # noqa: BLE001 - told by the test
            failed.append(error)

    player = threading.Thread(target=play_on)
    player.start()
    for _ in range(KILLS):
        played = len(client.told)
        until(lambda played=played: len(client.told) > played or failed, lambda: server.log)
        time.sleep(random.uniform(0.0, 0.15))  # a random point of whatever it does now
        server.kill()
        server.again()
    over.set()
    player.join()
    client.close()
    server.end()
    assert failed == []
    assert client.retried >= KILLS
    assert logged(seats) == client.told


def logged(seats: Seats) -> dict[str, int]:
    """The version of each entry that came with a key, from a log that an audit finds nothing wrong with."""
    store = Store(f"sqlite:///{seats.database}")
    assert list(audit(store, Tally())) == []
    with store.read() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        rows = [
            tuple(row)
            for row in connection.exec_driver_sql("SELECT key, seq FROM action WHERE key IS NOT NULL")
        ]
    store.close()
    assert len({key for key, _ in rows}) == len(rows)
    return dict(rows)
