"""Moves written in the usual notation: `13/7*/5`, `bar/22`, `6/off(2)`."""

from __future__ import annotations

from typing import NamedTuple

from bgmail.rules.dice import Dice
from bgmail.rules.moves import Move, count
from bgmail.rules.position import BAR, OFF, Position

_NAMES = {BAR: "bar", OFF: "off"}


class _Stop(NamedTuple):
    point: int
    hit: bool


def spell(position: Position, dice: Dice, moves: tuple[Move, ...]) -> str:
    """Write moves made from `position`: highest checker first, hops joined, equal ones counted.

    A stop on the way is named where the checker hit there, or could have hit on the other way; so what is
    written is read again as the same play.
    """
    same: dict[tuple[int, ...], list[list[_Stop]]] = {}
    for route in _routes(moves):
        same.setdefault(tuple(stop.point for stop in route), []).append(route)
    return " ".join(_spell_routes(position, dice, same[points]) for points in sorted(same, reverse=True))


def name(point: int) -> str:
    """A point as it is written: `bar`, `off` or its number."""
    return _NAMES.get(point, str(point))


def _routes(moves: tuple[Move, ...]) -> list[list[_Stop]]:
    """Where each checker that moved stopped; a checker goes on from where one has just stopped."""
    routes: list[list[_Stop]] = []
    for move in moves:
        stop = _Stop(move.to_point, move.hit)
        route = next((route for route in routes if route[-1].point == move.from_point), None)
        if route is None:
            routes.append([_Stop(move.from_point, hit=False), stop])
        else:
            route.append(stop)
    return routes


def _spell_routes(position: Position, dice: Dice, same: list[list[_Stop]]) -> str:
    """Write checkers that took the same way; a hit by the first of them is a hit by the group."""
    start, *on_the_way, end = (stop.point for stop in same[0])
    hits = {stop.point for route in same for stop in route if stop.hit}
    named = [stop for stop in on_the_way if stop in hits or _other_way_hits(position, dice, start, stop)]
    text = "/".join(name(stop) + "*" * (stop in hits) for stop in (start, *named, end))
    return f"{text}({len(same)})" if len(same) > 1 else text


def _other_way_hits(position: Position, dice: Dice, start: int, stop: int) -> bool:
    """Whether the checker could have hit by stopping elsewhere, with the other die first."""
    stops = set() if dice.is_double else {start - dice.high, start - dice.low} - {stop}
    return any(count(position, other) == -1 for other in stops if other > OFF)
