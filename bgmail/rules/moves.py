"""One move, a checker by a die: whether it is allowed just now, why not, and what it does.

This is the rule in words. `legal.py` knows the same in bulk, for all checkers at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from bgmail.rules.position import BAR, EMPTY, LANE_BITS, OFF, Position

HOME = range(1, 7)


class Move(NamedTuple):
    """One checker moved by one die; `hit` tells whether it sent an opponent's blot to the bar."""

    from_point: int
    to_point: int
    hit: bool


class Reason(Enum):
    """Why a checker can't be moved by a die."""

    NO_CHECKER = "no_checker"
    BAR_FIRST = "bar_first"
    BLOCKED = "blocked"
    STRAGGLER = "straggler"
    HIGHER_CHECKER = "higher_checker"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A move that isn't allowed. `point` is what stands in its way: the blocked point, the highest checker
    outside the home board or above the one to bear off, the bar, or the empty starting point.
    """

    reason: Reason
    from_point: int
    die: int
    point: int


def count(position: Position, point: int) -> int:
    """Checkers on a point: own above zero, the opponent's below; [25] the own bar, [0] the opponent's."""
    return (position >> LANE_BITS * point & 255) - EMPTY


def own_points(position: Position) -> Iterator[int]:
    """The points with checkers of the side on roll, the bar (25) first, then from the highest down."""
    return (point for point in range(BAR, 0, -1) if count(position, point) > 0)


def refusal(position: Position, from_point: int, die: int) -> Refusal | None:
    """Why the checker on `from_point` can't be moved by `die` as the next move, or None if it can."""
    highest = next(own_points(position), OFF)
    if count(position, from_point) <= 0:
        return Refusal(Reason.NO_CHECKER, from_point, die, from_point)
    if highest == BAR and from_point != BAR:
        return Refusal(Reason.BAR_FIRST, from_point, die, BAR)
    to_point = from_point - die
    if to_point > OFF:
        blocked = count(position, to_point) < -1
        return Refusal(Reason.BLOCKED, from_point, die, to_point) if blocked else None
    if highest not in HOME:
        return Refusal(Reason.STRAGGLER, from_point, die, highest)
    if to_point < OFF and highest > from_point:
        return Refusal(Reason.HIGHER_CHECKER, from_point, die, highest)
    return None


def make_move(position: Position, from_point: int, die: int) -> tuple[Move, Position]:
    """Move a checker that may be moved (see `refusal`); returns the move and the position after it."""
    to_point = max(OFF, from_point - die)
    after = position - _checker(from_point)
    if to_point == OFF:
        return Move(from_point, OFF, hit=False), Position(after)
    hit = count(position, to_point) == -1
    if hit:
        after += _checker(to_point) - _checker(OFF)
    return Move(from_point, to_point, hit), Position(after + _checker(to_point))


def _checker(point: int) -> int:
    return 1 << LANE_BITS * point
