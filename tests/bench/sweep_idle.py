"""`sweep_idle`: milliseconds of a sweep that finds nothing due among a million matches, against a thousand."""

from __future__ import annotations

import statistics
import time

from bgmail.dice import FairChance
from bgmail.service.deadlines import sweep_some
from bgmail.store.engine import Store
from tests.bench.measurement import Measurement
from tests.bench.million import LATE, MILLION, NOW, store_with
from tests.bench.sweep_due import DUE

FEW = 1_000
SWEEPS = 500
WARM_UP = 20
EARLY = NOW - 2 * LATE
"""The longest overdue ones are not so yet."""


def measure() -> Measurement:
    """The two databases take turns."""
    many, few = store_with(MILLION, DUE), store_with(FEW, FEW // 100)
    times = [(idle(many), idle(few)) for _ in range(WARM_UP + SWEEPS)][WARM_UP:]
    ours, reference = (statistics.median(column) * 1000 for column in zip(*times, strict=True))
    what = (
        f"ms for a sweep with nothing due among {MILLION} matches, against {FEW}; median of {SWEEPS} each, "
        "2 ms are allowed"
    )
    return Measurement(ours, reference, what, lower_is_better=True)


def idle(store: Store) -> float:
    """Seconds for one sweep."""
    start = time.perf_counter()
    said = sweep_some(store, EARLY, FairChance())
    taken = time.perf_counter() - start
    if said:
        raise RuntimeError(f"something was due: {said[0]}")
    return taken


if __name__ == "__main__":
    print(measure().line("sweep_idle"))
