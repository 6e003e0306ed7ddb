"""`legal_plays`: distinct resulting positions a second, against the C++ engine bgsage called from Python.

Both get the same rolls in turn, slice by slice, in one process; a roll counts when its positions are in hand.
"""

from __future__ import annotations

import gzip
import json
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bgmail.rules import STANDARD, Dice, Position, legal_plays
from tests.bench.measurement import Measurement

PROJECT = Path(__file__).parents[2]
WHOLE = PROJECT.parent / "shared" / "data" / "plays_public.jsonl.gz"
SAMPLE = PROJECT / "tests" / "data" / "plays_sample.jsonl.gz"
NATURAL = {"match", "gnubg-play", "random-play"}
ROUNDS = 15
SLICE = 200


def measure() -> Measurement:
    """Positions of played games only; both sides must find the same number of results."""
    rows = [row for row in rows_of_file() if row["src"] in NATURAL]
    ours, theirs, found = compare(rows)
    what = (
        f"distinct positions a second, median of {ROUNDS} rounds over {len(rows)} positions of played games "
        f"and their rolls ({found} results); reference: bgsage 2 (C++) from Python"
    )
    return Measurement(ours, theirs, what)


def compare(rows: Sequence[dict[str, Any]]) -> tuple[float, float, int]:
    """Distinct positions a second of ours and of bgsage, and how many results the rolls have in all."""
    from bgsage import possible_moves

    our_rolls = [(Position.from_board(row["board"]), Dice(*row["dice"])) for row in rows]
    their_rolls = [(row["board"], *row["dice"]) for row in rows]
    found = sum(len(legal_plays(position, dice, STANDARD)) for position, dice in our_rolls)

    def deliver_ours(position: Position, dice: Dice) -> list[Position]:
        return [play.position for play in legal_plays(position, dice, STANDARD)]

    pairs = [_round(deliver_ours, our_rolls, possible_moves, their_rolls) for _ in range(ROUNDS)]
    return (
        found / statistics.median(p[0] for p in pairs),
        found / statistics.median(p[1] for p in pairs),
        found,
    )


def _round(
    ours: Callable[..., object], our_rolls: list[Any], theirs: Callable[..., object], their_rolls: list[Any]
) -> tuple[float, float]:
    """Seconds that each side takes for all rolls, a slice in turn."""
    our_time = their_time = 0.0
    for start in range(0, len(our_rolls), SLICE):
        our_time += _time(ours, our_rolls[start : start + SLICE])
        their_time += _time(theirs, their_rolls[start : start + SLICE])
    return our_time, their_time


def _time(deliver: Callable[..., object], rolls: list[Any]) -> float:
    start = time.perf_counter()
    for roll in rolls:
        deliver(*roll)
    return time.perf_counter() - start


def rows_of_file() -> list[dict[str, Any]]:
    """The known positions: all of them where they lie beside the project, else the sample."""
    with gzip.open(WHOLE if WHOLE.exists() else SAMPLE, "rt") as lines:
        return [json.loads(line) for line in lines]
