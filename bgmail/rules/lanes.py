"""A position's 26 bytes as bits: where moves start and land, and what each adds to the position.

A *mask* has bit 7 of byte p set where point p is meant, and bit 6 too where a blot is hit by the move.
Adding a constant to a position sets bit 7 of every byte whose count is high enough, so that one addition and
one `&` ask all points at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress
from typing import Final, TypeVar

from bgmail.rules.position import BAR, EMPTY, EVERY_LANE, LANE_BITS, LANES, OFF

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

# A full table takes about 0.6 MB, and there are nineteen of them.
_KEPT: Final = 4096
_MOVED, _HITTING = 128, 192

_Step = TypeVar("_Step")


def _move(point: int, pips: int) -> dict[int, int]:
    """What a move adds to a position, by what the mask says of its starting point."""
    if point <= pips:
        return {_MOVED: -ONE[point]}
    landing = ONE[point - pips]
    # A blot counted -1 on its point and is now one more on the opponent's bar.
    return {_MOVED: landing - ONE[point], _HITTING: 2 * landing - ONE[point] - ONE[OFF]}


def _way(point: int, pips: int) -> dict[int, tuple[int, int]]:
    """The same, with the mask of the points from which to go on."""
    return {mark: (move, TOPS & 256 * ONE[point] - 1) for mark, move in _move(point, pips).items()}


class _Table(dict[int, tuple[_Step, ...]]):
    """For a mask of starting points: one value for each of them, back to front.

    Filled as masks come up, and emptied when it is full.
    """

    def __init__(self, steps: Iterable[dict[int, _Step]]) -> None:
        super().__init__()
        self.steps = tuple(steps)
        self.quiet = [step[_MOVED] for step in self.steps]

    def __missing__(self, starts: int) -> tuple[_Step, ...]:
        if len(self) >= _KEPT:
            self.clear()
        marks = starts.to_bytes(LANES, "big")
        if _HITTING in marks:
            steps = zip(self.steps, marks, strict=True)
            made = tuple([step[mark] for step, mark in steps if mark])
        else:
            made = tuple(compress(self.quiet, marks))
        self[starts] = made
        return made


_BACK_TO_FRONT: Final = range(BAR, OFF - 1, -1)
MOVES: Final = tuple(_Table([_move(point, pips) for point in _BACK_TO_FRONT]) for pips in range(12))
"""By pips and mask: what each move adds to a position."""
WAYS: Final = tuple(_Table([_way(point, pips) for point in _BACK_TO_FRONT]) for pips in range(7))
"""By pips and mask: what each move adds, and the mask of the points from which to go on after it."""
