"""The notation of a legal play straight from the positions before and after it: what `spell` writes, much sooner.

A list of all legal plays needs their notation at every roll. `Play.moves` looks for an order in which a play can
be made; here the points that lost and gained checkers tell the same, but for bearing off with a single checker.
"""

from __future__ import annotations

from bgmail.rules.dice import Dice
from bgmail.rules.position import BAR, EMPTY, EVERY_LANE, LANE_BITS, LANES, OFF, Position

_LANE = (1 << LANE_BITS) - 1
_BELOW = tuple((1 << LANE_BITS * point) - 1 for point in range(LANES))
_NAMES = ("off", *map(str, range(1, BAR)), "bar")
_WAYS = [[f"{start}/{end}" for end in _NAMES] for start in _NAMES]
_UNCHANGED = EMPTY * EVERY_LANE
_BLOT, _ONE_LEFT, _TWO_LEFT = EMPTY - 1, EMPTY - 1, EMPTY - 2
"""A lane where the opponent has one checker; what is added to a lane that one own checker or two have left."""

Points = list[int]
"""Points from the highest down, each as often as it counts."""


def write(before: Position, dice: Dice, after: Position) -> str | None:
    """The notation of the legal play that leads from `before` to `after`; None where only its moves tell it."""
    high, low = dice.d1, dice.d2
    if high == low:
        return _double(*_change(before, after), high)
    if high < low:
        high, low = low, high
    added = (_UNCHANGED + after - before).to_bytes(LANES, "little")
    back, front = added.rfind(_ONE_LEFT, 1), added.find(_ONE_LEFT, 1)  # lane 0 is the opponent's bar
    if back < 0:
        back = front = added.find(_TWO_LEFT, 1)
    elif back == front:
        return _one_checker(before, *_change(before, after), high, low)
    return _two_checkers(before, added, back, front, high, low)


def _change(before: int, after: int) -> tuple[Points, Points, Points]:
    """The points that lost own checkers, those that gained some, and those of hit blots."""
    lost: Points = []
    gained: Points = []
    hits: Points = []
    counts_before, counts_after = before.to_bytes(LANES, "little"), after.to_bytes(LANES, "little")
    differ = before ^ after
    while differ > _LANE:  # the lowest lane is the opponent's bar
        point = (differ.bit_length() - 1) // LANE_BITS
        differ &= _BELOW[point]
        had, has = counts_before[point] - EMPTY, counts_after[point] - EMPTY
        if had > has:
            lost += [point] * (had - has)
        elif had < 0:
            hits.append(point)
            gained += [point] * has
        else:
            gained += [point] * (has - had)
    return lost, gained, hits


def _two_checkers(before: int, added: bytes, back: int, front: int, high: int, low: int) -> str:
    """Each checker moved by one die; where both came to one blot, who moved first hit it.

    Only the back one by the smaller die comes as high as that leads, so what was added there tells who moved by which.
    """
    far, near, back_first = back - high, front - low, True
    if front < back and back - low > OFF and added[back - low] > EMPTY:
        far, near, back_first = back - low, front - high, back == BAR != front
    one, other = _WAYS[back][max(OFF, far)], _WAYS[front][max(OFF, near)]
    if added[OFF] != EMPTY:
        stood = before.to_bytes(LANES, "little")
        if far > OFF and stood[far] == _BLOT and (back_first or far != near):
            one += "*"
        if near > OFF and stood[near] == _BLOT and not (back_first and far == near):
            other += "*"
    if one == other:
        return one + "(2)"
    return f"{other} {one}" if back == front and near > far else f"{one} {other}"


def _one_checker(before: int, lost: Points, gained: Points, hits: Points, high: int, low: int) -> str | None:
    """One checker moved by both dice or by one. A stop is named where it hit, or could have hit the other way."""
    if not gained:
        return None
    start, end = lost[0], gained[0]
    if start - end != high + low:
        return _written([start, end], hits)
    passed = [point for point in hits if point != end]
    for stop, other in ((start - high, start - low), (start - low, start - high)):
        stood = (before >> LANE_BITS * stop & _LANE) - EMPTY
        if stood >= -1 and passed == ([stop] if stood == -1 else []):
            named = stood == -1 or (before >> LANE_BITS * other & _LANE) - EMPTY == -1
            return _written([start, stop, end] if named else [start, end], hits)
    return None


def _double(lost: Points, gained: Points, hits: Points, die: int) -> str:
    """Each place is taken by the nearest checker that left a point behind it; who is left over bore off.

    Of checkers on one way, a hit by the first is a hit by all of them, and by nobody after.
    """
    waiting = lost[::-1]
    ways: dict[tuple[int, int], int] = {}
    for end in gained:
        start = _nearest(waiting, end, die)
        waiting.remove(start)
        ways[start, -end] = ways.get((start, -end), 0) + 1
    for start in waiting:
        ways[start, OFF] = ways.get((start, OFF), 0) + 1
    return " ".join([_group(*way, ways[way], hits, die) for way in sorted(ways, reverse=True)])


def _nearest(waiting: Points, end: int, die: int) -> int:
    """The nearest of the starting points, lowest first, from which `end` is reached."""
    for start in waiting:
        if start > end and not (start - end) % die:
            return start
    raise ValueError(f"nobody comes to {end} by {die}s from {waiting}")


def _group(start: int, minus_end: int, count: int, hits: Points, die: int) -> str:
    """Checkers on one way: a hit by the first of them is a hit by the group, and by nobody after."""
    text = _WAYS[start][-minus_end]
    if hits:
        stops = [start, *[stop for stop in range(start - die, -minus_end, -die) if stop in hits], -minus_end]
        text = _written(stops, hits)
        hits[:] = [point for point in hits if point not in stops]
    return f"{text}({count})" if count > 1 else text


def _written(stops: Points, hits: Points) -> str:
    return "/".join([_NAMES[stop] + "*" if stop in hits else _NAMES[stop] for stop in stops])
