"""`sweep_due`: due matches found and finished a second, log, clock and notices and all, among a million.

The plain way finishes nothing: a SQLModel session and a transaction for each match that flips its row. Both take
turns, so that what else the machine does is shared.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import select
from sqlmodel import Session

from bgmail.dice import FairChance
from bgmail.rules.match import Phase
from bgmail.service.deadlines import MOST, sweep_some
from bgmail.store.engine import Store
from bgmail.store.matches import match
from bgmail.store.tables import MatchRow
from tests.bench.measurement import Measurement
from tests.bench.million import MILLION, NOW, store_with

MATCHES = int(os.environ.get("MATCHES", MILLION))
DUE = 10_000
ROUNDS = 5
PLAINLY = 1_000
"""Rows that the plain way flips in one round: it takes long."""
MOST_MILLISECONDS = 60


class Locks:
    """How long each transaction kept others from writing, in seconds."""

    def __init__(self, turn: Any) -> None:
        self._turn = turn
        self.held: list[float] = []

    def __enter__(self) -> None:
        self._turn.__enter__()
        self._since = time.perf_counter()

    def __exit__(self, *error: object) -> None:
        self.held.append(time.perf_counter() - self._since)
        self._turn.__exit__(*error)


def measure() -> Measurement:
    """Sweeps all that is due and nothing else; the log of each must have its end then."""
    store = store_with(MATCHES, DUE)
    others = not_due(store, ROUNDS * PLAINLY)
    ours, plain, done, locks = 0.0, 0.0, 0, []
    for number in range(ROUNDS):
        with watched(store) as seen:
            start = time.perf_counter()
            done += sweep(store, DUE // ROUNDS if number < ROUNDS - 1 else DUE)
            ours += time.perf_counter() - start
        locks += seen.held
        start = time.perf_counter()
        for match_id in others[number * PLAINLY : (number + 1) * PLAINLY]:
            flip(store, match_id)
        plain += time.perf_counter() - start
    if done != DUE:
        raise RuntimeError(f"{done} matches were finished, not {DUE}")
    slowest = statistics.quantiles(locks, n=100)[98] * 1000
    what = (
        f"due matches found and finished a second, of {DUE} among {MATCHES}, at most {MOST} in one of {len(locks)} "
        f"transactions; 99 of 100 of them kept others from writing for less than {slowest:.1f} ms; plain: "
        f"{ROUNDS * PLAINLY} rows flipped, a SQLModel session and a transaction each"
    )
    return Measurement(done / ours, len(others) / plain, what)


def sweep(store: Store, most: int) -> int:
    """Sweeps until nothing is due, or at least so many were finished; how many."""
    done = 0
    while done < most and (said := sweep_some(store, NOW, FairChance())):
        if not all(one.startswith("timeout") for one in said):
            raise RuntimeError(f"the sweep said {said[0]}")
        done += len(said)
    return done


@contextmanager
def watched(store: Store) -> Iterator[Locks]:
    """Looks at the gate that writers pass."""
    was = store._turn
    store._turn = seen = Locks(was)  # type: ignore[assignment]
    try:
        yield seen
    finally:
        store._turn = was


def not_due(store: Store, count: int) -> list[str]:
    """Running matches whose time isn't over."""
    with store.read() as connection:
        return list(connection.scalars(select(match.c.id).where(match.c.due_at > NOW).limit(count)))


def flip(store: Store, match_id: str) -> None:
    """The plain way."""
    with Session(store.engine) as session:
        row = session.get_one(MatchRow, match_id)
        row.phase, row.on_turn = Phase.OVER.value, None
        row.finished_at, row.deadline_at, row.due_at = NOW, None, None
        session.add(row)
        session.commit()


if __name__ == "__main__":
    print(measure().line("sweep_due"))
