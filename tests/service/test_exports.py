"""A match as a file, and back: nothing is lost, nothing is shown too early."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest

from bgmail.dice import FairChance
from bgmail.formats.matreader import read_mat
from bgmail.formats.recorded import EventKind
from bgmail.rules.match import legal
from bgmail.rules.side import Side
from bgmail.service import exports, turns
from bgmail.service.errors import NotFound
from bgmail.store.engine import Store
from tests.service.matchmaking import act, begin


def play_out(store: Store, match_id: str, now: datetime, *, double: bool = False) -> None:
    """Both play the last legal play; White doubles once if asked to, and Black passes."""
    chance = FairChance()
    while (view := turns.load(store, match_id)).match.on_turn is not None:
        side, phase = view.match.on_turn, view.match.phase.value
        if phase == "take_or_pass":
            wish: dict[str, Any] = {"action": "pass"}
        elif phase == "roll_or_double":
            may = double and side is Side.WHITE and view.match.game == 1
            wish = {"action": "double" if may else "roll"}
        else:
            wish = {"action": "play", "play": str(legal(view.match)[-1])}
        assert side is not None
        act(store, view, side, wish.pop("action"), now, chance, **wish)


def test_the_export_is_the_log_and_names_the_people(store: Store, now: datetime) -> None:
    view, _ = begin(store, now, (3, 1))
    export = exports.export_json(store, view.id)
    assert set(export) == {
        "format", "id", "white", "black", "length", "rules", "time", "result", "entries"
    }  # fmt: skip
    assert (export["white"], export["black"], export["length"], export["rules"]) == (
        "alice",
        "bob",
        7,
        "club",
    )
    assert export["time"]["name"] == "move-a-day"
    assert export["result"] is None
    assert [json.loads(entry["text"])["kind"] for entry in export["entries"]] == [
        "invite", "commit", "accept", "commit", "opening_roll"
    ]  # fmt: skip


def test_a_match_in_a_mat_file_has_its_games_cube_and_results(store: Store, now: datetime) -> None:
    view, _ = begin(store, now, (1, 3), length=3)
    play_out(store, view.id, now, double=True)
    recorded = read_mat(exports.export_mat(store, view.id))
    final = turns.load(store, view.id).match
    assert (recorded.length, recorded.white, recorded.black) == (3, "alice", "bob")
    assert recorded.complete
    assert recorded.final_score == final.score
    first = recorded.games[0]
    assert [event.kind for event in first.events[-2:]] == [EventKind.DOUBLE, EventKind.PASS]
    assert (first.end.winner, first.end.points) == (Side.WHITE, 1) if first.end else False


def test_a_match_that_is_not_there_is_not_found(store: Store) -> None:
    for export in (exports.export_json, exports.export_mat):
        with pytest.raises(NotFound):
            export(store, "nowhere")
