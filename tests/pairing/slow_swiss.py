"""The slow check of a Swiss round: every way to pair everybody, judged by the criteria as `draw.py` tells them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from bgmail.pairing.field import Field, How, Pairing, Status

Pair = tuple[int, int | None]
Round = tuple[Pair, ...]


def rounds_of(players: tuple[int, ...], may_rest: bool) -> Iterator[Round]:
    """All ways; with an odd number one player rests."""
    if not players:
        yield ()
        return
    first, *rest = players
    if may_rest:
        for further in rounds_of(tuple(rest), False):
            yield ((first, None), *further)
    for other in rest:
        for further in rounds_of(tuple(one for one in rest if one != other), may_rest):
            yield ((first, other), *further)


class Slow:
    """What the rounds before say about the players in `order`, the best first."""

    def __init__(self, before: Field, order: tuple[int, ...], to_come: int) -> None:
        self.order, self.to_come = order, to_come
        results = [one for one in before.pairings if one.result and one.result.how is not How.ANNULLED]
        out = {entry.id for entry in before.entries if entry.status is Status.DISQUALIFIED}
        self.wins = {id_: sum(self._won(one, id_, out) for one in before.pairings) for id_ in order}
        self.byes = {id_: sum(one.second is None and one.first == id_ for one in results) for id_ in order}
        self.times: dict[frozenset[int | None], int] = {}
        self.balance = dict.fromkeys(order, 0)
        for one in before.pairings:
            self._met(one)

    def _won(self, one: Pairing, entry: int, out: set[int]) -> bool:
        return one.has(entry) and (
            one.other(entry) in out or (one.result is not None and one.result.winner == entry)
        )

    def _met(self, one: Pairing) -> None:
        if one.second is None or (one.result and one.result.how is How.ANNULLED):
            return
        pair = frozenset((one.first, one.second))
        self.times[pair] = self.times.get(pair, 0) + 1
        for id_, step in ((one.first, 1), (one.second, -1)):
            if id_ in self.balance:
                self.balance[id_] += step

    def judged(self, way: Round) -> tuple[float, ...]:
        """Criteria 1 and 3 to 7; the smaller, the better."""
        again = sum(self.times.get(frozenset(pair), 0) for pair in way)
        rests = [one for one, other in way if other is None]
        games = [(one, other) for one, other in way if other is not None]
        byes = sum(self.byes[one] for one in rests)
        place = sum(len(self.order) - 1 - self.order.index(one) for one in rests)
        floats = sum((self.wins[one] - self.wins[other]) ** 2 for one, other in games)
        colours = sum(self._uneven(one, other) for one, other in games)
        return again, byes, place, floats, colours, sum(self._off(one, other) ** 2 for one, other in games)

    def _uneven(self, one: int, other: int) -> int:
        a, b = self.balance[one], self.balance[other]
        return min((a + 1) ** 2 + (b - 1) ** 2, (a - 1) ** 2 + (b + 1) ** 2)

    def _off(self, one: int, other: int) -> float:
        high, low = sorted((one, other), key=self.order.index)
        upper = [id_ for id_ in self.order if self.wins[id_] == self.wins[high]]
        lower = [id_ for id_ in self.order if self.wins[id_] == self.wins[low]]
        if upper == lower:
            return upper.index(low) - upper.index(high) - len(upper) / 2
        return float(((len(upper) - 1 - upper.index(high)) ** 2 + lower.index(low) ** 2) ** 0.5)

    def goes_on(self, way: Round) -> bool:
        """Criterion 2, by trying everything."""
        return _can(self._open(way), self.order, self.to_come)

    def _open(self, way: Round) -> frozenset[frozenset[int | None]]:
        done = {frozenset(pair) for pair in way}
        every = {frozenset((one, other)) for one in self.order for other in self.order if one != other}
        if len(self.order) % 2:
            every |= {frozenset((one, None)) for one in self.order if not self.byes[one]}
        return frozenset(pair for pair in every if not self.times.get(pair) and pair not in done)

    def best(self) -> tuple[float, ...]:
        """How good the best way is."""
        ways = [(self.judged(way), way) for way in rounds_of(self.order, bool(len(self.order) % 2))]
        ways.sort(key=lambda one: one[0])
        if ways[0][0][0] == 0:
            for judged, way in ways:
                if judged[0] == 0 and self.goes_on(way):
                    return judged
        return ways[0][0]


@lru_cache(maxsize=100_000)
def _can(pairs: frozenset[frozenset[int | None]], players: tuple[int, ...], rounds: int) -> bool:
    if rounds == 0:
        return True
    return any(
        done <= pairs and _can(pairs - done, players, rounds - 1)
        for way in rounds_of(players, bool(len(players) % 2))
        if (done := frozenset(frozenset(pair) for pair in way))
    )
