"""Which single moves may come next on the way to a legal play: what a player can click."""

from __future__ import annotations

from typing import NamedTuple

from bgmail.rules.dice import Dice
from bgmail.rules.legal import legal_plays
from bgmail.rules.moves import Move, make_move, own_points, refusal
from bgmail.rules.position import Position
from bgmail.rules.ruleset import RuleSet


class Choice(NamedTuple):
    """A move that may come next, and the die that it uses."""

    move: Move
    die: int


def choices(
    position: Position, dice: Dice, rules: RuleSet, made: tuple[tuple[int, int], ...] = ()
) -> tuple[Choice, ...]:
    """All moves that begin a legal play, or go on with one after the moves `made`, each (from point, die).

    Moves are ordered from the back, larger die first. Raises ValueError if a move of `made` is not possible.
    """
    legal = frozenset(play.position for play in legal_plays(position, dice, rules))
    left = dice.numbers
    for from_point, die in made:
        if die not in left or refusal(position, from_point, die) is not None:
            raise ValueError(f"no move from {from_point} by {die} in {position.id}")
        _, position = make_move(position, from_point, die)
        left = _without(left, die)
    return tuple(
        Choice(move, die)
        for move, die, after in _moves(position, left)
        if _leads_to(legal, after, _without(left, die))
    )


def _moves(position: Position, dice: tuple[int, ...]) -> list[tuple[Move, int, Position]]:
    return [
        (move, die, after)
        for point in own_points(position)
        for die in dict.fromkeys(dice)
        if refusal(position, point, die) is None
        for move, after in [make_move(position, point, die)]
    ]


def _leads_to(legal: frozenset[Position], position: Position, dice: tuple[int, ...]) -> bool:
    if position in legal:
        return True
    return any(_leads_to(legal, after, _without(dice, die)) for _, die, after in _moves(position, dice))


def _without(dice: tuple[int, ...], die: int) -> tuple[int, ...]:
    index = dice.index(die)
    return (*dice[:index], *dice[index + 1 :])
