"""How many of the 36 rolls do a thing, counted by playing them all: shots at a blot, bearing off at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from bgmail.rules.dice import ROLLS
from bgmail.rules.legal import legal_plays
from bgmail.rules.position import BAR, CHECKERS, LANES, Position
from bgmail.rules.ruleset import STANDARD

ALL_ROLLS = 36
"""Two dice have so many results: each of two different numbers counts twice, a double once."""


def rolls_that(position: Position, reach: Callable[[Position], bool]) -> int:
    """How many of the 36 rolls have a legal play whose result (seen by the mover) fulfils `reach`."""
    return sum(
        1 if dice.is_double else 2
        for dice in ROLLS
        if any(reach(play.position) for play in legal_plays(position, dice, STANDARD))
    )


@cache
def shots(distance: int) -> int:
    """How many of the 36 rolls hit a blot `distance` pips away (1 to 24) if nothing stands between."""
    board = [0] * LANES
    board[BAR if distance == BAR - 1 else BAR - 1] = 1
    board[(BAR if distance == BAR - 1 else BAR - 1) - distance] = -1
    return rolls_that(Position.from_board(board), lambda after: after.board[0] < 0)


@cache
def off_at_once(*points: int) -> int:
    """How many of the 36 rolls bear off all that is left: one checker on each of `points`."""
    board = [0] * LANES
    for point in points:
        board[point] += 1
    board[BAR - 1] = -1  # somebody else is still in the game
    return rolls_that(Position.from_board(board), lambda after: after.off == CHECKERS)
