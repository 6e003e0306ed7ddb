"""Logs of played matches, entry by entry, as the server would write them."""

from __future__ import annotations

from typing import Any

from bgmail.ledger.entry import GENESIS, Entry
from bgmail.ledger.replay import game_over_data, match_over_data, played_id
from bgmail.rules.action import Kind
from bgmail.rules.match import Phase
from tests.formats.played import Step

START = 1_780_000_000_000_000
UNTIMED: dict[str, Any] = {
    "per_turn": 0,
    "per_answer": 0,
    "bank": 0,
    "increment": 0,
    "cap": None,
    "untimed": True,
    "name": "untimed",
}


def log_of(steps: list[Step], match_id: str = "m1") -> tuple[Entry, ...]:
    """The entries of a match from its invitation on."""
    first = steps[0].before
    terms = {"rules": first.rules.name, "length": first.length, "games": first.games, "time": UNTIMED}
    log = _Log(match_id)
    log.add("invite", {**terms, "rated": False}, "white")
    log.add("accept", {}, "black")
    for step in steps:
        seat = None if step.action.side is None else step.action.side.word
        log.add(step.action.kind.value, _data(step), seat)
        if step.after.last_game is not step.before.last_game:
            log.add("game_over", game_over_data(step.after), None)
        if step.after.phase is Phase.OVER:
            log.add("match_over", match_over_data(step.after), None)
    return tuple(log.entries)


class _Log:
    def __init__(self, match_id: str) -> None:
        self.match_id = match_id
        self.entries: list[Entry] = []

    def add(self, kind: str, data: dict[str, Any], seat: str | None) -> None:
        seq = len(self.entries) + 1
        prev = self.entries[-1].hash if self.entries else GENESIS
        nonce = f"{seq:032x}" if seat else None
        entry = Entry(self.match_id, seq, seq, START + seq, seat, "page", kind, data, nonce, prev)
        self.entries.append(entry)


def _data(step: Step) -> dict[str, Any]:
    action = step.action
    if action.dice:
        return {"game": step.before.game, "roll": 1, "dice": [action.dice.d1, action.dice.d2]}
    if action.kind is Kind.PLAY:
        play = str(action.play) if action.play else ""
        return {"play": play, "position_id": played_id(step.before, action)}
    if action.kind is Kind.DOUBLE:
        return {"value": step.before.cube.value * 2}
    return {"value": action.value} if action.kind is Kind.RESIGN else {}
