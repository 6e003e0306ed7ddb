"""A round of a Swiss system: who meets whom, by criteria one after the other.

Those to be paired stand in an order, the best first. If they are an odd number, one of them has a bye: it counts as
paired with nobody. Of all ways to pair everybody the one is taken that is best by the first criterion, among those the
best by the second, and so on:

1. Two who have met don't meet again. Only where that can't be, as few as possible do, each counted by how often they
   have met already.
2. Where the rounds to come are known, the round leaves a way to pair all of them without anybody meeting twice or
   having two byes, provided that nobody leaves. In a field of more than `SMALL` a way counts that is found within
   `EFFORT` steps, after one of the `TRIES` best rounds; as long as fewer rounds than half of the field are to be
   played there always is one.
3. The bye goes to one of those who have had the fewest,
4. and among these to the last in the order.
5. The squares of the differences in wins add up to as little as possible: opponents have the same score or the
   nearest, and two small differences are better than one that is as large as both.
6. White and Black are as evenly shared as possible: the squares of what each has had more of one than of the other
   add up to the least.
7. Within a score the upper half meets the lower half, the first of the one the first of the other; between two
   scores the last of the higher meets the first of the lower: the squares of the distances (in places) from this add
   up to the least.
8. A lot for each pair: 20 bits from the middle (54 to 73) of the product of both entries' own lots.

All of it is one whole number a pair, the criteria being its digits, so that maximum-weight matching finds the best at
once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice

from bgmail.pairing.matching import Pair, by_cost, can_be_split, cheapest

SMALL = 10
EFFORT = 2_000
TRIES = 64
LOT = 2**20
"""The lots of pairs are below this."""


@dataclass(frozen=True, slots=True)
class Side:
    """One who is to be paired. `balance`: times White less times Black; `last`: 1 if the last was White, -1 if Black,
    0 if none. `lot`: the first 64 bits of the entry's lot."""

    entry: int
    wins: int
    byes: int = 0
    balance: int = 0
    last: int = 0
    lot: int = 0


@dataclass(frozen=True)
class Draw:
    """What a round is drawn from: `sides` in order, the best first; how often two entries have met; how many rounds
    are known to follow. Whoever has a place in the order is called by it here, and nobody by the number of sides."""

    sides: Sequence[Side]
    met: Mapping[frozenset[int], int]
    to_come: int = 0

    def pairs(self) -> tuple[tuple[int, int | None], ...]:
        """The round as (White, Black), the best placed first; the bye as (entry, None) at the end."""
        best = sorted(self._best(), key=lambda pair: (pair[1] == len(self.sides), pair))
        return tuple(self._named(pair) for pair in best)

    def costs(self) -> tuple[dict[Pair, int], dict[Pair, int]]:
        """What each pair costs by all criteria but the second: those who have not met yet, and those who have."""
        weights = self._weights()
        times = self._times_met()
        new = {pair: cost for pair, cost in self._costs(weights) if pair not in times}
        again = {
            pair: cost + times[pair] * weights.again for pair, cost in self._costs(weights) if pair in times
        }
        return new, again

    def _best(self) -> tuple[Pair, ...]:
        vertices = range(len(self.sides) + len(self.sides) % 2)
        new, again = self.costs()
        best = cheapest(vertices, new)
        if best is None:
            return cheapest(vertices, new | again) or ()
        if self._is_safe():
            return best
        small = len(vertices) <= SMALL
        fresh = {pair for pair in new if pair[1] < len(self.sides) or not self.sides[pair[0]].byes}
        further = islice(by_cost(vertices, new), None if small else TRIES)
        for _, matching in further:
            if can_be_split(fresh.difference(matching), vertices, self.to_come, None if small else EFFORT):
                return matching
        return best

    def _is_safe(self) -> bool:
        """Whether there are opponents enough for the rounds to come, however this one is drawn: a graph in which
        everybody has at least half of the others as neighbours has a perfect matching (Dirac)."""
        gone = Counter(place for pair in self._times_met() for place in pair)
        gone.update(place for place, side in enumerate(self.sides) if side.byes)
        gone[len(self.sides)] = sum(side.byes > 0 for side in self.sides)
        count = len(self.sides) + len(self.sides) % 2
        left_in_the_last = count - 1 - max(gone.values()) - self.to_come
        return self.to_come == 0 or 2 * left_in_the_last >= count

    def _times_met(self) -> dict[Pair, int]:
        places = {side.entry: place for place, side in enumerate(self.sides)}
        times = {}
        for pair, often in self.met.items():
            if all(entry in places for entry in pair):
                one, other = sorted(places[entry] for entry in pair)
                times[one, other] = often
        return times

    def _weights(self) -> _Weights:
        """Each criterion weighs more than all behind it can add up to."""
        pairs = (len(self.sides) + 1) // 2
        score = [side.wins for side in self.sides]
        groups = Counter(score)
        off = pairs * LOT
        colour = off * (pairs * 8 * max(groups.values(), default=0) ** 2 + 1)
        most = max((abs(side.balance) for side in self.sides), default=0)
        wins = colour * (pairs * 2 * (most + 1) ** 2 + 1)
        place = wins * (pairs * (max(score, default=0) - min(score, default=0)) ** 2 + 1)
        byes = place * (len(self.sides) + 1)
        again = byes * (max((side.byes for side in self.sides), default=0) + 1)
        return _Weights(again, byes, place, wins, colour, off)

    def _costs(self, weights: _Weights) -> Iterator[tuple[Pair, int]]:
        """Every pair in order, as if nobody had met."""
        sides = list(zip(self.sides, self._groups(), strict=True))
        for one, (side, (place, size)) in enumerate(sides):
            behind = (2 * (size - 1 - place)) ** 2
            more, less = (side.balance + 1) ** 2, (side.balance - 1) ** 2
            for other in range(one + 1, len(sides)):
                rival, (rivals, _) = sides[other]
                apart = side.wins - rival.wins
                off = behind + 4 * rivals * rivals if apart else (2 * (rivals - place) - size) ** 2
                colour = min(more + (rival.balance - 1) ** 2, less + (rival.balance + 1) ** 2)
                cost = apart * apart * weights.wins + colour * weights.colour + off * weights.off
                yield (one, other), cost + (side.lot * rival.lot >> 54) % LOT
            if len(sides) % 2:
                yield (one, len(sides)), side.byes * weights.byes + (len(sides) - 1 - one) * weights.place

    def _groups(self) -> list[tuple[int, int]]:
        """For each side its place among those of the same score, and how many these are."""
        sizes = [len(list(group)) for _, group in groupby(self.sides, key=lambda side: side.wins)]
        return [(place, size) for size in sizes for place in range(size)]

    def _named(self, pair: Pair) -> tuple[int, int | None]:
        one, other = pair
        side = self.sides[one]
        if other == len(self.sides):
            return side.entry, None
        rival = self.sides[other]
        return (side.entry, rival.entry) if _white_first(side, rival) else (rival.entry, side.entry)


@dataclass(frozen=True, slots=True)
class _Weights:
    """What a unit of each criterion weighs; one of the lot weighs 1."""

    again: int
    byes: int
    place: int
    wins: int
    colour: int
    off: int


def _white_first(one: Side, other: Side) -> bool:
    """White goes to the one who has had it less, then to the one who had Black last, then by lot."""
    return (one.balance, one.last, one.lot) < (other.balance, other.last, other.lot)
