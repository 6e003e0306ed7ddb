"""What parts entries with the same number of wins: each criterion is a sum of parts, so that a page can show them.

Buchholz, its median and Sonneborn-Berger look at the opponents' wins. In a Swiss system (`Table.stand_in`) a result
without play (a bye, or a forfeit by either) counts as one against a stand-in with as many wins as the entry itself,
but at most half of the rounds so far: nobody gains or loses much by it. In a round robin everybody has the same
opponents, so forfeits count there as if they had been played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bgmail.pairing.field import Field
from bgmail.pairing.record import Met, Record, entries_by_id

WINS = "wins"
LOT = "lot"
ROUND_OUT = "round_out"
HEAD_TO_HEAD = "head_to_head"


@dataclass(frozen=True, slots=True)
class Part:
    """A share of a criterion: the points that `opponent` gives (None: nobody in particular). `counts` False: shown,
    and left out of the sum (the best and the worst opponent of the median)."""

    opponent: int | None
    points: float
    counts: bool = True


@dataclass(frozen=True)
class Table:
    """What criteria are computed from: the record of everybody who is listed. `rounds`: those begun so far.

    `out` is the round in which an entry was eliminated; whoever is missing there is not out.
    """

    field: Field
    record: Record
    rounds: int
    stand_in: bool = False
    out: Mapping[int, int] | None = None

    def __post_init__(self) -> None:
        wins = {id_: sum(met.won for met in mets) for id_, mets in self.record.items()}
        object.__setattr__(self, "_wins", wins)
        object.__setattr__(
            self, "_ratings", {id_: one.rating for id_, one in entries_by_id(self.field).items()}
        )

    def wins(self, entry: int) -> int:
        """How many matches an entry has won, with those without play."""
        wins: dict[int, int] = self.__dict__["_wins"]
        return wins[entry]

    def rating(self, entry: int) -> float:
        """The rating at entry."""
        ratings: dict[int, float] = self.__dict__["_ratings"]
        return ratings[entry]

    def behind(self, entry: int, met: Met) -> Part:
        """The wins of the opponent of one result, or of the stand-in."""
        if met.opponent is None or (self.stand_in and not met.played):
            return Part(met.opponent, min(self.wins(entry), self.rounds / 2))
        return Part(met.opponent, self.wins(met.opponent))


Tied = tuple[int, ...]
Parts = tuple[Part, ...]


def _wins(table: Table, entry: int, _tied: Tied) -> Parts:
    return tuple(Part(met.opponent, 1) for met in table.record[entry] if met.won)


def _head_to_head(table: Table, entry: int, tied: Tied) -> Parts:
    """Wins against the others that are tied; nothing unless each of them has met each other, equally often."""
    if not all_have_met(table, tied):
        return ()
    return tuple(Part(met.opponent, 1) for met in table.record[entry] if met.won and met.opponent in tied)


def all_have_met(table: Table, tied: Tied) -> bool:
    """Whether each of the tied has a result against each other, and all equally many."""
    counts: set[int] = set()
    for entry in tied:
        times = dict.fromkeys((other for other in tied if other != entry), 0)
        for met in table.record[entry]:
            if met.opponent in times:
                times[met.opponent] += 1
        counts.update(times.values())
    return len(counts) == 1 and counts != {0}


def _buchholz(table: Table, entry: int, _tied: Tied) -> Parts:
    return tuple(table.behind(entry, met) for met in table.record[entry])


def _median_buchholz(table: Table, entry: int, tied: Tied) -> Parts:
    """As Buchholz, without the best and the worst: nothing for fewer than three."""
    parts = _buchholz(table, entry, tied)
    order = sorted(range(len(parts)), key=lambda index: parts[index].points)
    left_out = {*order[:1], *order[-1:]}
    return tuple(Part(part.opponent, part.points, index not in left_out) for index, part in enumerate(parts))


def _sonneborn_berger(table: Table, entry: int, _tied: Tied) -> Parts:
    return tuple(table.behind(entry, met) for met in table.record[entry] if met.won)


def _higher_placed(table: Table, entry: int, _tied: Tied) -> Parts:
    """Wins against those who have more wins than the entry itself; in a Swiss system, those that were played."""
    return tuple(
        Part(met.opponent, 1)
        for met in table.record[entry]
        if met.won
        and met.opponent is not None
        and (met.played or not table.stand_in)
        and table.wins(met.opponent) > table.wins(entry)
    )


def _round_out(table: Table, entry: int, _tied: Tied) -> Parts:
    """The round of elimination; who is not out, has the one after the last."""
    return (Part(None, (table.out or {}).get(entry, table.rounds + 1)),)


def _rating(table: Table, entry: int, _tied: Tied) -> Parts:
    return (Part(None, table.rating(entry)),)


def _lot(table: Table, entry: int, _tied: Tied) -> Parts:
    """The first 52 bits of the lot as a fraction: the smaller, the better."""
    return (Part(None, int(table.field.drawn(entry)[:13], 16) / 16**13),)


CRITERIA: dict[str, Callable[[Table, int, Tied], Parts]] = {
    WINS: _wins,
    HEAD_TO_HEAD: _head_to_head,
    "buchholz": _buchholz,
    "median_buchholz": _median_buchholz,
    "sonneborn_berger": _sonneborn_berger,
    "higher_placed": _higher_placed,
    ROUND_OUT: _round_out,
    "rating": _rating,
    LOT: _lot,
}
TIE_BREAKS = tuple(name for name in CRITERIA if name not in {WINS, LOT})
"""Those that an organiser puts in order: wins always come first, and the lot last."""


def parts(table: Table, criterion: str, entry: int, tied: Tied) -> Parts:
    """What a criterion is made of, for one entry among those that everything before it has left tied."""
    return CRITERIA[criterion](table, entry, tied)


def total(shares: Parts) -> float:
    """The value of a criterion."""
    return float(sum(part.points for part in shares if part.counts))
