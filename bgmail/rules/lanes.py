"""A position's 26 bytes as bits: where moves start and land, and what each adds to the position.

A *mask* has bit 7 of byte p set where point p is meant, and bit 6 too where a blot is hit by the move.
Adding a constant to a position sets bit 7 of every byte whose count is high enough, so that one addition and
one `&` ask all points at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from bgmail.rules.position import BAR, EMPTY, EVERY_LANE, LANE_BITS, OFF

ONE: Final = tuple(1 << LANE_BITS * point for point in range(BAR + 1))
"""A checker on each point, as it counts in a position."""
SHIFT: Final = tuple(LANE_BITS * pips for pips in range(BAR + 1))
"""By how many bits a mask moves for a number of pips."""


def tops(points: Iterable[int]) -> int:
    """The mask of some points."""
    return sum(128 * ONE[point] for point in points)


TOPS: Final = tops(range(BAR + 1))
BOARD: Final = tops(range(1, BAR))
AWAY: Final = ONE[7]
"""Any mask of own checkers at least this high has one outside the home board."""
ON_BAR: Final = ONE[BAR]
"""Any mask of own checkers at least this high has one on the bar."""

# With these added, bit 7 tells of each point: one own checker or more, two or more, no opponent, not blocked.
OWN: Final = (128 - EMPTY - 1) * EVERY_LANE
TWO: Final = OWN - EVERY_LANE
FREE: Final = OWN + EVERY_LANE
OPEN: Final = FREE + EVERY_LANE

_NEAR: Final = 3 * tops(range(13)) // 2
_FAR: Final = 3 * tops(range(13, BAR + 1)) // 2
_KEPT: Final = 8192


class _Moves(dict[int, tuple[int, ...]]):
    """For a mask of starting points: what each move of that many pips adds to a position, back to front.

    Filled as masks come up, half-boards first since those return most, and emptied when it is full.
    """

    def __init__(self, pips: int) -> None:
        super().__init__()
        self.pips = pips

    def __missing__(self, starts: int) -> tuple[int, ...]:
        if len(self) >= _KEPT:
            self.clear()
        near, far = starts & _NEAR, starts & _FAR
        moves = self[far] + self[near] if near and far else tuple(self._each(starts))
        self[starts] = moves
        return moves

    def _each(self, starts: int) -> Iterator[int]:
        for point in range(BAR, OFF, -1):
            if starts & 128 * ONE[point]:
                yield self._move(point, hit=bool(starts & 64 * ONE[point]))

    def _move(self, point: int, *, hit: bool) -> int:
        if point <= self.pips:
            return -ONE[point]
        landing = ONE[point - self.pips]
        # A blot counted -1 on its point and is now one more on the opponent's bar.
        return 2 * landing - ONE[OFF] - ONE[point] if hit else landing - ONE[point]


MOVES: Final = tuple(_Moves(pips) for pips in range(12))


class _Ways(dict[int, tuple[tuple[int, int], ...]]):
    """For a mask of starting points: each move, and the mask of the points from which to go on after it."""

    def __init__(self, pips: int) -> None:
        super().__init__()
        self.pips = pips

    def __missing__(self, starts: int) -> tuple[tuple[int, int], ...]:
        if len(self) >= _KEPT:
            self.clear()
        points = [point for point in range(BAR, OFF, -1) if starts & 128 * ONE[point]]
        limits = [TOPS & 256 * ONE[point] - 1 for point in points]
        ways = tuple(zip(MOVES[self.pips][starts], limits, strict=True))
        self[starts] = ways
        return ways


WAYS: Final = tuple(_Ways(pips) for pips in range(7))
