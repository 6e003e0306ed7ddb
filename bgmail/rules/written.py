"""The notation of a legal play straight from the positions before and after it: what `spell` writes, much sooner.

A list of all legal plays needs their notation at every roll. `Play.moves` looks for an order in which a play can
be made; here the points that lost and gained checkers tell the same, but for bearing off with a single checker.
"""

from __future__ import annotations

from functools import lru_cache

from bgmail.rules.dice import Dice
from bgmail.rules.position import BAR, EMPTY, EVERY_LANE, LANE_BITS, LANES, OFF, Position

_LANE = (1 << LANE_BITS) - 1
_BELOW = tuple((1 << LANE_BITS * point) - 1 for point in range(LANES))
_NAMES = ("off", *map(str, range(1, BAR)), "bar")

Points = list[int]
"""Points from the highest down, each as often as it counts."""


def write(before: Position, dice: Dice, after: Position) -> str | None:
    """The notation of the legal play that leads from `before` to `after`; None where only its moves tell it."""
    if not (before ^ after) & _LANE:  # nobody was hit: the lowest lane is the opponent's bar
        plain = _plain(after - before, dice.d1, dice.d2)
        if plain is not None:
            return plain
    lost, gained, hits = _change(before, after)
    high, low = dice.high, dice.low
    if high == low:
        return _double(lost, gained, hits, high)
    if len(lost) == 2:
        return _two_checkers(lost, gained, hits, high, low)
    if len(lost) == 1 == len(gained):
        return _one_checker(before, lost[0], gained[0], hits, high, low)
    return None


@lru_cache(maxsize=8192)
def _plain(change: int, one: int, other: int) -> str | None:
    """The notation of a play that hit nobody, by what it adds to a position; None for one checker's.

    Where checkers stood doesn't matter then, so the few plays there are return in one position after another.
    """
    lanes = (EMPTY * EVERY_LANE + change).to_bytes(LANES, "little")
    lost = [point for point in range(BAR, OFF, -1) for _ in range(EMPTY - lanes[point])]
    gained = [point for point in range(BAR, OFF, -1) for _ in range(lanes[point] - EMPTY)]
    if one == other:
        return _double(lost, gained, [], one)
    if len(lost) == 2:
        return _two_checkers(lost, gained, [], max(one, other), min(one, other))
    return None


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


def _two_checkers(lost: Points, gained: Points, hits: Points, high: int, low: int) -> str:
    """Each checker moved by one die; where both came to one blot, who moved first hit it."""
    back, front = lost
    far, near, back_first = back - high, front - low, True
    if _landed(far, near) != gained:
        far, near, back_first = back - low, front - high, back == BAR != front
    if far == near and far in hits:
        hits_far, hits_near = (True, False) if back_first else (False, True)
    else:
        hits_far, hits_near = far in hits, near in hits
    one, other = _way(back, far, hits_far), _way(front, near, hits_near)
    if one == other:
        return one + "(2)"
    return f"{other} {one}" if back == front and near > far else f"{one} {other}"


def _landed(one: int, other: int) -> Points:
    """Those of two places that are on the board, the higher one first."""
    if one < other:
        one, other = other, one
    return [one, other] if other > OFF else [one] if one > OFF else []


def _way(start: int, end: int, hit: bool) -> str:
    return f"{_NAMES[start]}/{_NAMES[max(OFF, end)]}{'*' if hit else ''}"


def _one_checker(before: int, start: int, end: int, hits: Points, high: int, low: int) -> str | None:
    """One checker moved by both dice or by one. A stop is named where it hit, or could have hit the other way."""
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
    stops = [start, -minus_end]
    if hits:
        stops[1:1] = [stop for stop in range(start - die, -minus_end, -die) if stop in hits]
    text = _written(stops, hits)
    if hits:
        hits[:] = [point for point in hits if point not in stops]
    return f"{text}({count})" if count > 1 else text


def _written(stops: Points, hits: Points) -> str:
    if not hits:
        return "/".join([_NAMES[stop] for stop in stops])
    return "/".join([_NAMES[stop] + "*" if stop in hits else _NAMES[stop] for stop in stops])
