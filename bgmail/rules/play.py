"""A legal play: the position it leads to, and its moves and notation when somebody asks for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bgmail.rules.dice import Dice
from bgmail.rules.moves import Move, count, make_move, own_points, refusal
from bgmail.rules.position import BAR, OFF, Position
from bgmail.rules.spelling import spell
from bgmail.rules.written import write


class Play:
    """One legal way to play a roll. `position` is what it leads to, still seen by the side that moved.

    Two plays of the same turn are equal when they lead to the same position.
    """

    __slots__ = ("_text", "position", "turn")

    turn: tuple[Position, Dice]
    position: Position
    _text: str

    @property
    def moves(self) -> tuple[Move, ...]:
        """The single moves in an order in which they can be made, by one checker rather than by two."""
        way = _double_way(self) if self.turn[1].is_double else next(_two_dice_ways(self), None)
        if way is None:
            raise ValueError(f"no way from {self.turn} to {self.position}")
        return way

    def __str__(self) -> str:
        text: str | None = getattr(self, "_text", None)
        if text is None:
            text = self._text = write(*self.turn, self.position) or spell(*self.turn, self.moves)
        return text

    def __repr__(self) -> str:
        position, dice = self.turn
        return f"<Play {self} with {dice} in {position.id}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Play):
            return NotImplemented
        return self.position == other.position and self.turn == other.turn

    def __hash__(self) -> int:
        return hash((self.turn, self.position))


def _two_dice_ways(play: Play) -> Iterator[tuple[Move, ...]]:
    """Ways to reach the play's position: one checker with both dice before two checkers, larger die first."""
    position, dice = play.turn
    lost = [point for point in own_points(position) if count(position, point) > count(play.position, point)]
    orders = [(dice.high, dice.low), (dice.low, dice.high)]
    for same_checker in (True, False):
        for first, second in orders:
            for start in lost:
                yield from _one_then_other(play, start, first, second, lost if not same_checker else None)
    for die in (dice.high, dice.low):
        for start in lost:
            if refusal(position, start, die) is None:
                move, after = make_move(position, start, die)
                if after == play.position:
                    yield (move,)


def _one_then_other(
    play: Play, start: int, first: int, second: int, starts: list[int] | None
) -> Iterator[tuple[Move, ...]]:
    """The ways with `first` from `start`, then `second` from where that ended, or from one of `starts`."""
    if refusal(play.turn[0], start, first) is not None:
        return
    move, between = make_move(play.turn[0], start, first)
    for point in [move.to_point] if starts is None else starts:
        if point != OFF and refusal(between, point, second) is None:
            move_2, after = make_move(between, point, second)
            if after == play.position:
                yield (move, move_2)


def _double_way(play: Play) -> tuple[Move, ...]:
    """The moves of a double, from the back: what left a point is what it lost and what came by."""
    before, dice = play.turn
    position, die = before, dice.high
    left = Counter[int]()
    way: list[Move] = []
    for point in range(BAR, OFF, -1):
        lost = max(count(before, point), 0) - max(count(play.position, point), 0)
        left[point] = lost + left[point + die]
        for _ in range(left[point]):
            move, position = make_move(position, point, die)
            way.append(move)
    return tuple(way)
