"""Server-sent events: what moved, soon, and without holding anybody up."""

from __future__ import annotations

import gc
import json
import threading
from collections.abc import Iterator

import pytest
from flask import Flask

from bgmail import streams
from bgmail.streams import Streams
from tests.api.conftest import Clock, Program, Table
from tests.fixtures.patience import PATIENCE


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "POLL", 0.0)


def told(chunks: Iterator[str]) -> list[dict[str, object]]:
    """The events of the next chunks that hold any."""
    for chunk in chunks:
        if "data:" in chunk:
            return [json.loads(line[5:]) for line in chunk.splitlines() if line.startswith("data:")]
    return []


def test_a_stream_tells_of_a_move_made_while_it_is_open(table: Table, clock: Clock) -> None:
    table.begin((3, 1), (6, 4))
    clock.move(minutes=1)
    answer = table.bob.get("/events")
    assert answer.content_type.startswith("text/event-stream")
    chunks = (chunk.decode() for chunk in answer.response if isinstance(chunk, bytes))
    assert next(chunks).startswith("retry: ")
    after = table.alice.act(table.id, "play", play="8/5 6/5")
    [event] = told(chunks)
    assert event == {
        "id": table.id,
        "version": after["version"],
        "head": after["version"],
        "phase": "roll_or_double",
        "on_turn": "black",
    }
    answer.close()


def test_a_client_that_comes_back_is_told_what_it_missed(table: Table, clock: Clock) -> None:
    table.begin((3, 1))
    seen = int(clock.instant.timestamp() * 1_000_000)
    clock.move(hours=5)
    table.alice.act(table.id, "play", play="8/5 6/5")
    clock.move(hours=5)
    answer = table.bob.get("/events", **{"Last-Event-ID": str(seen)})
    [event] = told(chunk.decode() for chunk in answer.response if isinstance(chunk, bytes))
    assert event["id"] == table.id
    answer.close()


def test_nobody_hears_of_the_matches_of_others(
    table: Table, charlie: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "LIFETIME", 0.0)
    table.begin((3, 1))
    table.alice.act(table.id, "play", play="8/5 6/5")
    assert table.id not in charlie.get("/events").get_data(as_text=True)


def test_a_third_stream_of_one_person_tells_what_is_new_and_ends(table: Table, app: Flask) -> None:
    table.begin((3, 1))
    open_streams = [table.bob.get("/events"), table.bob.get("/events")]
    third = table.bob.get("/events").get_data(as_text=True)
    assert "event: match" in third
    for answer in open_streams:
        answer.close()
    places: Streams = app.extensions["bgmail.streams"]
    assert table.bob.account
    assert places.enter(table.bob.account.id)


def test_a_stream_that_no_server_closed_gives_its_place_back(table: Table, app: Flask) -> None:
    # Werkzeug's server closes no answer whose connection was reset: after eight of them no page was told any more.
    for _ in range(streams.MOST_OF_ALL):
        answer = table.bob.get("/events")
        assert next(answer.iter_encoded())
        del answer
        gc.collect()
    places: Streams = app.extensions["bgmail.streams"]
    assert places.end(0.0), "a place is taken"


def test_streams_are_few_in_one_process() -> None:
    places = Streams()
    taken = [places.enter(person) for person in range(streams.MOST_OF_ALL + 1)]
    assert taken == [True] * streams.MOST_OF_ALL + [False]
    places.leave(0)
    assert places.enter(99)


def test_streams_end_before_their_server_does(
    table: Table, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "POLL", 60.0)
    places: Streams = app.extensions["bgmail.streams"]
    answer = table.bob.get("/events")
    reading = threading.Thread(target=lambda: (answer.get_data(), answer.close()))
    reading.start()
    assert places.end(PATIENCE)
    reading.join()
    assert not places.enter(0)
