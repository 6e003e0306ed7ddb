"""Positions written by hand, and walks through positions that random plays lead to."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bgmail.rules.dice import Dice
from bgmail.rules.legal import legal_plays
from bgmail.rules.position import Position
from bgmail.rules.ruleset import STANDARD


def board(own: dict[int, int], opponent: dict[int, int] | None = None) -> Position:
    """Checkers by point in the mover's numbering: own ones (25 = bar), the opponent's (0 = its bar)."""
    points = [0] * 26
    for point, count in own.items():
        points[point] += count
    for point, count in (opponent or {}).items():
        points[point] -= count
    return Position.from_board(points)


def signs(position: Position) -> str:
    """The position as the data files write it: capitals for the mover, from its opponent's bar to its own."""
    return "".join("-" if not n else chr(64 + n) if n > 0 else chr(96 - n) for n in position.board)


def random_roll(chance: Random) -> Dice:
    return Dice(chance.randint(1, 6), chance.randint(1, 6))


def random_game(chance: Random) -> Iterator[tuple[Position, Dice]]:
    """The positions and rolls of a game in which both sides play any legal play, to its last checker."""
    position = Position.start()
    while position.off < 15 and position.opponent_off < 15:
        dice = random_roll(chance)
        yield position, dice
        plays = legal_plays(position, dice, STANDARD)
        after = chance.choice(plays).position if plays else position
        position = after.mirrored()
