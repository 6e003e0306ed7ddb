"""`perft`: the golden counts to depth three, every roll after every play from the opening position."""

from __future__ import annotations

import json
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from bgmail.rules import STANDARD, Position, legal_plays
from bgmail.rules.dice import ROLLS
from tests.bench.measurement import Measurement

KNOWN = Path(__file__).parents[1] / "data" / "perft.json"
WORKERS = 2
SLICE = 2000


def measure() -> Measurement:
    """Distinct results a second of two processes; fails if one count differs."""
    start = time.perf_counter()
    reached = _replies(_replies(Counter({Position.start(): 1})))
    by_roll = _count(reached)
    seconds = time.perf_counter() - start
    known = json.loads(KNOWN.read_text())["depth3"]
    if by_roll != known["per_roll_paths"]:
        raise AssertionError(f"depth 3 counts differ: {by_roll}")
    total = sum(by_roll.values())
    what = f"distinct results a second of {WORKERS} processes, depth 3 from the start, {total} results, all as known"
    return Measurement(total / seconds, None, what)


def _replies(positions: Counter[Position]) -> Counter[Position]:
    """The positions after any roll and play, seen by the other side, with how many ways lead there."""
    after: Counter[Position] = Counter()
    for position, ways in positions.items():
        for dice in ROLLS:
            plays = legal_plays(position, dice, STANDARD)
            for result in [play.position for play in plays] or [position]:
                after[result.mirrored()] += ways
    return after


def _count(positions: Counter[Position]) -> dict[str, int]:
    """Distinct results by roll, the positions shared out among processes."""
    items = list(positions.items())
    slices = [items[start : start + SLICE] for start in range(0, len(items), SLICE)]
    total: Counter[str] = Counter()
    with ProcessPoolExecutor(WORKERS) as pool:
        for counted in pool.map(_count_slice, slices):
            total += counted
    return dict(total)


def _count_slice(items: list[tuple[Position, int]]) -> Counter[str]:
    return Counter(
        {
            f"{dice.high}{dice.low}": sum(
                ways * (len(legal_plays(position, dice, STANDARD)) or 1) for position, ways in items
            )
            for dice in ROLLS
        }
    )
