"""All that one die can do at once: the positions after each move that it allows."""

from __future__ import annotations

from bgmail.rules.lanes import AWAY, BOARD, FREE, MOVES, ON_BAR, ONE, OPEN, OWN, SHIFT, TOPS
from bgmail.rules.position import BAR, EMPTY, OFF

BLOT = EMPTY - 1


def after_die(position: int, die: int) -> list[int]:
    """The positions after one move by `die`: from the bar if need be, off only with all at home."""
    own = (position + OWN) & TOPS
    if own >= ON_BAR:
        entered = enter(position, die)
        return [entered] if entered else []
    landing = (position + OPEN) & BOARD
    landing |= (landing & ~(position + FREE)) >> 1
    starts = (own | own >> 1) & landing << SHIFT[die]
    if own < AWAY:
        starts |= may_leave(own, die)
    return [position + move for move in MOVES[die][starts]]


def may_leave(home: int, die: int) -> int:
    """From which points a die bears off, all checkers being at home: from its own point, or from the highest
    with a checker if that is lower.
    """
    beyond = home >> SHIFT[die]
    if beyond:
        return (beyond & 128) << SHIFT[die]
    return 1 << home.bit_length() - 1 if home else 0


def enter(position: int, die: int) -> int:
    """The position after a checker has entered from the bar, 0 if the point is blocked."""
    return _land(position - ONE[BAR], BAR - die)


def move_highest(position: int, highest: int, die: int) -> int:
    """The position after the highest checker has moved by `die`, off if need be; 0 if that is blocked."""
    left = position - ONE[highest]
    return left if die >= highest else _land(left, highest - die)


def _land(position: int, point: int) -> int:
    """Put a checker on a point, hitting a blot there; 0 if the point is blocked."""
    there = position >> SHIFT[point] & 255
    if there > BLOT:
        return position + ONE[point]
    return position + 2 * ONE[point] - ONE[OFF] if there == BLOT else 0
