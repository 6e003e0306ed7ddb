"""How long a side took for its turns, as the log of a match tells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bgmail.rules.side import Side

PEOPLE = frozenset({"page", "link", "api", "mail"})
"""The ways in which a person acts: what the server did, or a file tells, took nobody's time."""
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
        if step.side is not side:
            if handed is not None and done is not None:
                yield done - handed
            handed, done = step.at, None
        elif step.via in PEOPLE and step.kind in TURNS:
            done = step.at
    if handed is not None and done is not None:
        yield done - handed
