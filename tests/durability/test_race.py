"""Two processes that play the same turn at once: exactly one wins, the other is told how the match stands."""

from __future__ import annotations

import sys
import threading
from typing import Any

import pytest

from bgmail.api.models import State
from tests.durability.conftest import Client, Seats, choice
from tests.durability.test_kill import logged
from tests.fixtures.servers import StartServer

TURNS = 25
GRANIAN = [
    *(sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port", "{port}"),
    *("--workers", "2", "--blocking-threads", "2", "--log-level", "error", "app:app"),
]


@pytest.mark.slow
def test_of_two_plays_sent_at_once_exactly_one_stands(start_server: StartServer, seats: Seats) -> None:
    server = start_server(command=GRANIAN)
    clients = [Client(server.port, seats), Client(server.port, seats)]
    state = clients[0].state()
    for turn in range(TURNS):
        answers = at_once(clients, state, turn)
        assert sorted(status for status, _ in answers) == [200, 409]
        won = next(answer for status, answer in answers if status == 200)
        lost = next(answer for status, answer in answers if status == 409)
        State.model_validate(lost["state"])
        assert lost["state"]["version"] == won["version"]
        state = won
        if not state["on_turn"]:
            break
    for client in clients:
        client.close()
    assert len(logged(seats)) == turn + 1


@pytest.mark.slow
def test_one_request_sent_twice_at_once_with_its_key_stands_once_and_both_are_told_so(
    start_server: StartServer, seats: Seats
) -> None:
    server = start_server(command=GRANIAN)
    clients = [Client(server.port, seats), Client(server.port, seats)]
    state = clients[0].state()
    for turn in range(TURNS):
        answers = at_once(clients, state, turn, same=True)
        assert [status for status, _ in answers] == [200, 200]
        assert answers[0][1]["applied_version"] == answers[1][1]["applied_version"]
        state = max((answer for _, answer in answers), key=lambda answer: int(answer["version"]))
        if not state["on_turn"]:
            break
    for client in clients:
        client.close()
    assert len(logged(seats)) == turn + 1


def at_once(
    clients: list[Client], state: dict[str, Any], turn: int, *, same: bool = False
) -> list[tuple[int, dict[str, Any]]]:
    """Both clients send an action of the side on turn at the same instant; their answers."""
    start = threading.Barrier(len(clients))
    answers: list[tuple[int, dict[str, Any]]] = [(0, {})] * len(clients)
    wish = {"version": state["version"], "nonce": "a" * 32, **choice(state)}

    def send(number: int) -> None:
        body = {**wish, "key": f"{turn}" if same else f"{turn}-{number}"}
        start.wait()
        answers[number] = clients[number].ask("POST", state["on_turn"], "/actions", body)

    threads = [threading.Thread(target=send, args=(number,)) for number in range(len(clients))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers
