"""How long a side took for its turns, as the log of a match tells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from statistics import median

from bgmail.ledger.entry import Entry
from bgmail.rules.side import Side

PEOPLE = frozenset({"page", "link", "api", "mail"})
"""The ways in which a person acts: what the server did, or a file tells, took nobody's time."""
LEAST_TURNS = 5
"""Of fewer turns no habit is told."""
TURNS = frozenset({"roll", "double", "play", "take", "pass", "accept_resignation", "decline_resignation"})


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of a log: when (microseconds), whose (None = nobody's), by which way, and what."""

    at: int
    side: Side | None
    via: str
    kind: str


def reply_times(steps: Iterable[Step], side: Side) -> Iterator[int]:
    """Microseconds from each hand-over to the last thing that `side` itself did in that turn, in order.

    A turn whose beginning isn't among the steps is left out, and so is one in which everything was automatic.
    """
    handed: int | None = None
    done: int | None = None
    for step in steps:
        if step.kind == "pause":  # moves clocks, and hands nothing over
            continue
        if step.side is not side:
            if handed is not None and done is not None:
                yield done - handed
            handed, done = step.at, None
        elif step.via in PEOPLE and step.kind in TURNS:
            done = step.at
    if handed is not None and done is not None:
        yield done - handed


def habit(log: Iterable[Entry], side: Side) -> timedelta | None:
    """The median time that a side took for a turn in this part of a log; None where there are too few."""
    steps = (Step(one.at, Side.named(one.seat) if one.seat else None, one.via, one.kind) for one in log)
    return usual(list(reply_times(steps, side)))


def usual(taken: Sequence[int]) -> timedelta | None:
    """The median of times in microseconds; None of fewer than `LEAST_TURNS`."""
    return timedelta(microseconds=median(taken)) if len(taken) >= LEAST_TURNS else None
