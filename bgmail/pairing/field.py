"""What every format is asked with: the entries of a tournament, and the pairings made so far with their results.

A format is a value with three questions (`Format`); the same field always gives the same answers, since chance comes
in as the field's `lot` alone.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Status(StrEnum):
    """Whether an entry still plays."""

    IN = "in"
    WITHDRAWN = "withdrawn"
    EXCLUDED = "excluded"
    DISQUALIFIED = "disqualified"


class How(StrEnum):
    """How a pairing ended. All but PLAYED are results without play."""

    PLAYED = "played"
    FORFEIT = "forfeit"  # "+" for the winner, "-" for the other; without a winner "-" for both
    BYE = "bye"  # a win without play, and without an opponent
    ANNULLED = "annulled"  # as if the two had never met


@dataclass(frozen=True, slots=True)
class Entry:
    """One place in a tournament. `seed` 1 is the best; seeds are unique. `group` is 0 where there are no groups.

    `rating` is the one at entry.
    """

    id: int
    seed: int
    rating: float = 1500.0
    status: Status = Status.IN
    group: int = 0

    @property
    def plays(self) -> bool:
        """Whether the entry may be paired."""
        return self.status is Status.IN


@dataclass(frozen=True, slots=True)
class Result:
    """`winner` is an entry's id; None where nobody won (both absent, or annulled)."""

    winner: int | None
    how: How = How.PLAYED


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entries that meet, or one that has a bye (`second` None, with the result at once).

    `key` names the place in the format ("r3.2", "w2.1"): a pairing with the same key is the same pairing. `round`
    counts from 1. `first` plays White. `fixed` is one that an organiser made by hand: it is never made anew.
    `result` None = not over.
    """

    key: str
    round: int
    first: int
    second: int | None
    result: Result | None = None
    fixed: bool = False

    def has(self, entry: int) -> bool:
        """Whether that entry is one of the two."""
        return entry in (self.first, self.second)

    def other(self, entry: int) -> int | None:
        """The opponent of one of the two; None for a bye."""
        return self.second if entry == self.first else self.first


@dataclass(frozen=True, slots=True)
class Field:
    """Everything that a format may know. `lot` (text) decides whatever nothing else decides, and can be verified."""

    entries: tuple[Entry, ...]
    pairings: tuple[Pairing, ...] = ()
    lot: str = ""

    def entry(self, id_: int) -> Entry:
        """One entry. Raises KeyError for an unknown id."""
        for entry in self.entries:
            if entry.id == id_:
                return entry
        raise KeyError(id_)

    def drawn(self, id_: int) -> str:
        """The lot of an entry: the smaller, the better. SHA-256 of `lot` and the id, in hex."""
        return hashlib.sha256(f"{self.lot}|{id_}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings, best first.

    `rank` counts from 1; equal ranks are shared. `values` are the criteria by name in the order in which they were
    compared; `decided_by` is the one that parted this line from the line above ("" in the first, or when shared).
    `out_in` is the round in which the entry was eliminated, None while it isn't. `listed` is False for entries that
    are left out of the standings (withdrawn early, disqualified): they come last.
    """

    rank: int
    entry: int
    wins: int
    losses: int
    played: int
    values: tuple[tuple[str, float], ...] = ()
    decided_by: str = ""
    out_in: int | None = None
    listed: bool = True


class Format(Protocol):
    """A strategy. All three may be asked at any time, with any field that the format itself has led to, and with
    entries that have left since."""

    def next(self, field: Field) -> tuple[Pairing, ...]:
        """The pairings that are certain now and not in the field yet, in the order in which they should begin;
        byes and walkovers carry their result. The caller begins each as soon as both are free."""

    def standings(self, field: Field) -> tuple[Standing, ...]:
        """Every entry, the best first."""

    def finished(self, field: Field) -> bool:
        """Whether nothing is left to be played."""
