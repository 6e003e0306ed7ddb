"""Makes `bgmail/rules/bearoff.bin`, the table of bear-offs. By hand, if ever: it takes a minute.

    python -m tests.rules.make_bearoff

All chances are whole numbers of 36^-32, those for 0 to 32 rolls side by side in one long number: so they are
compared, added and chosen from at once, and without any rounding.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from bgmail.rules import bearoff
from bgmail.rules.bearoff import HOME_POINTS, WAYS, way_of
from bgmail.rules.dice import ROLLS
from bgmail.rules.position import CHECKERS

MOST_ROLLS = 32
ONE = 36**MOST_ROLLS
WIDTH = 176
"""Bits of a field: a chance times 36, all of them added up, and a bit to spare."""
GUARDS = sum(1 << WIDTH * (nth + 1) - 1 for nth in range(MOST_ROLLS + 1))
ALL_FIELDS = (1 << WIDTH * (MOST_ROLLS + 1)) - 1
CERTAIN = sum(ONE << WIDTH * nth for nth in range(MOST_ROLLS + 1))
Counts = tuple[int, ...]


def higher(one: int, other: int) -> int:
    """The higher of the two, field by field."""
    kept = ((one | GUARDS) - other) & GUARDS
    mask = kept - (kept >> WIDTH - 1)
    return other ^ ((one ^ other) & mask)


def ways_of(checkers: int) -> Iterator[Counts]:
    """All ways to have up to so many checkers on six points."""
    return (way for way in product(range(checkers + 1), repeat=HOME_POINTS) if sum(way) <= checkers)


def one_move(way: Counts, die: int) -> set[Counts]:
    """What one die can make of a way; nothing where nobody is left."""
    last = max((nth for nth in range(HOME_POINTS) if way[nth]), default=-1)
    found = set()
    for nth in range(HOME_POINTS):
        if way[nth] and (nth + 1 >= die or nth == last):
            after = list(way)
            after[nth] -= 1
            if nth + 1 > die:
                after[nth - die] += 1
            found.add(tuple(after))
    return found


class Maker:
    """What is known of the ways that were looked at so far, by their number in the order of their pips.

    `best` has the chances to be off within 0, 1, 2 ... rolls, each at its best; `firsts` has for each roll the result
    that is off soonest on the average, `waits` from which n on none of the other results is likelier to be off within n
    rolls than that one.
    """

    def __init__(self, checkers: int) -> None:
        pips = sorted(ways_of(checkers), key=lambda way: (sum((n + 1) * c for n, c in enumerate(way)), way))
        self.ways = pips
        self._numbers = {way: number for number, way in enumerate(pips)}
        self._moves = [
            [[self._numbers[after] for after in one_move(way, die)] or [0] for die in range(7)]
            for way in pips
        ]
        self.best = [CERTAIN]
        self.speed = [_sum(CERTAIN)]
        self.firsts: list[list[int]] = [[0] * len(ROLLS)]
        self.waits: list[list[int]] = [[0] * len(ROLLS)]

    def run(self) -> None:
        """Looks at all ways, those with the fewest pips first."""
        for number in range(1, len(self.ways)):
            self._look(number)

    def results(self, number: int, first: int, second: int) -> set[int]:
        """What a roll can make of a way."""
        moves = self._moves
        if first == second:
            reached = {number}
            for _ in range(4):
                reached = {after for before in reached for after in moves[before][first]}
            return reached
        return {
            after
            for one, other in ((first, second), (second, first))
            for before in moves[number][one]
            for after in moves[before][other]
        }

    def _look(self, number: int) -> None:
        best = 0
        firsts, waits = [], []
        for roll in ROLLS:
            results = sorted(self.results(number, roll.high, roll.low), key=self.place)
            reached = self.best[results[0]]
            for other in results[1:]:
                reached = higher(reached, self.best[other])
            firsts.append(results[0])
            waits.append(_wait(self.best[results[0]], reached))
            best += reached if roll.is_double else 2 * reached
        self.firsts.append(firsts)
        self.waits.append(waits)
        self.best.append(_one_roll_later(best))
        self.speed.append(_sum(self.best[number]))

    def place(self, number: int) -> tuple[int, int]:
        """Sorts ways by how soon they are off on the average."""
        return -self.speed[number], number


def _wait(first: int, reached: int) -> int:
    """From which n on the first is as good as the best of all, as far as half a byte tells."""
    less = ~((first | GUARDS) - reached) & GUARDS
    return min(-(-less.bit_length() // WIDTH), bearoff.NEVER)


def _sum(chances: int) -> int:
    """The sum of all fields."""
    return chances % ((1 << WIDTH) - 1)


def _one_roll_later(chances: int) -> int:
    """36 rolls added up become the chances of the way before them."""
    later = (chances // 36 << WIDTH) & ALL_FIELDS
    if later >> WIDTH * MOST_ROLLS != ONE:
        raise ValueError(f"{MOST_ROLLS} rolls are not enough")
    return later


def table(maker: Maker) -> bearoff.Table:
    """The table of a maker that has looked at everything; ways with more checkers than it knows stay empty."""
    order, waits = bytearray(2 * WAYS), bytearray((WAYS * len(ROLLS) + 1) // 2)
    for place, number in enumerate(sorted(range(len(maker.ways)), key=maker.place)):
        way = way_of(maker.ways[number])
        order[2 * way : 2 * way + 2] = place.to_bytes(2, "little")
        for nth, wait in enumerate(maker.waits[number]):
            entry = way * len(ROLLS) + nth
            waits[entry >> 1] |= wait << 4 * (entry & 1)
    return bearoff.Table(bytes(order), bytes(waits))


def main() -> None:
    """Make the table anew."""
    maker = Maker(CHECKERS)
    maker.run()
    path = Path(bearoff.__file__).with_name(bearoff.FILE)
    path.write_bytes(zlib.compress(b"".join(table(maker)), 9))
    sys.stdout.write(f"{path.name} {path.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
