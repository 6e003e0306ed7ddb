"""What a position is worth to the side that has just moved, in pips: a sum over the points, and the next roll.

A few numbers set by hand: the race, points made, blots, stacks and the bar. It looks one roll ahead.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from operator import getitem

from bgmail.rules.dice import Dice
from bgmail.rules.legal import legal_plays
from bgmail.rules.position import BAR, CHECKERS, Position
from bgmail.rules.ruleset import RuleSet

_AT_HOME = {1: 1.0, 2: 3.0, 3: 5.0, 4: 8.0, 5: 9.0, 6: 8.0, 7: 6.0, 8: 3.0, 9: 2.0, 10: 2.0}
_BEHIND = {15: 1.0, 16: 2.0, 17: 2.0, 18: 6.0, 19: 3.0, 20: 9.0, 21: 9.0, 22: 5.0, 23: 3.0, 24: 2.0}
MADE = _AT_HOME | _BEHIND
"""Pips that a point with two checkers is worth: own home and its approaches, and anchors in the other's."""
BLOT_AT_HOME, BLOT_OUTSIDE, BLOT_BEHIND = 3.0, 1.5, 1.0
ON_BAR = 5.0
LEFT, LEFT_IN_RACE = 1.0, 3.0
"""What a checker costs as long as it isn't off: small numbers bear off whole checkers too."""
OUTSIDE_IN_RACE = 1.0
"""What a checker costs in a race that keeps its side from bearing off."""
STACK = 1.2
"""What each checker from the fourth on costs that stands on one point."""

ROLLS = [
    (Dice(*pair), 1 if pair[0] == pair[1] else 2) for pair in combinations_with_replacement(range(1, 7), 2)
]
"""The 21 rolls, and how many of the 36 ways each comes in."""


def _of_own(point: int, count: int) -> float:
    worth = -(point + LEFT) * count
    if point == BAR:
        return worth - ON_BAR * count
    if count == 1:
        return worth - (BLOT_AT_HOME if point <= 6 else BLOT_OUTSIDE if point <= 18 else BLOT_BEHIND)
    return worth + MADE.get(point, 1.0) - STACK * max(0, count - 3)


def _table(point: int) -> list[float]:
    """By the count on a point, own or (below zero, from the end) the opponent's."""
    own = [0.0] + [_of_own(point, count) for count in range(1, CHECKERS + 1)]
    return own + [-_of_own(BAR - point, -count) for count in range(-CHECKERS, 0)]


_TABLES = [_table(point) for point in range(BAR + 1)]


def _of_racer(point: int, count: int) -> float:
    cost = point + LEFT_IN_RACE + (OUTSIDE_IN_RACE if point > 6 else 0)
    return -cost * count - STACK / 4 * max(0, count - 3)


_RACERS = [
    [_of_racer(point, max(0, count)) for count in (*range(16), *range(-15, 0))] for point in range(BAR + 1)
]


def standing(position: Position) -> float:
    """How far the side in whose numbering the position is stands ahead, in pips, whoever rolls next."""
    return sum(map(getitem, _TABLES, position.board))


def racing(position: Position) -> float:
    """How well the side in whose numbering the position is stands in a race: pips it needs, and some it will waste."""
    return sum(map(getitem, _RACERS, position.board))


def foreseen(position: Position, rules: RuleSet) -> float:
    """`standing` after the opponent's best answer to each of its rolls, on average, seen by who has just moved."""
    theirs = position.mirrored()
    total = 0.0
    for dice, ways in ROLLS:
        answers = legal_plays(theirs, dice, rules)
        total -= ways * (max(standing(play.position) for play in answers) if answers else standing(theirs))
    return total / 36


def in_contact(position: Position) -> bool:
    """Whether the two sides can still meet."""
    board = position.board
    last_own = max((point for point in range(1, BAR + 1) if board[point] > 0), default=0)
    first_other = min((point for point in range(BAR) if board[point] < 0), default=BAR)
    return last_own > first_other
