"""Which plays a roll allows: every position that may result, once each.

A position is a number of 26 bytes (see `Position`), so a move is one addition and the points from which a die
can be played are a few bits: a *mask* has the top bit of byte p set where point p is meant. A play that can't
involve the bar or bearing off is a sum of two moves; every other roll is played move by move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from bgmail.rules.dice import Dice
from bgmail.rules.play import Play, Turn
from bgmail.rules.position import BAR, EMPTY, EVERY_LANE, LANE_BITS, OFF, Position
from bgmail.rules.ruleset import RuleSet

# Added to a position, these set the top bit of each byte whose count is at least 1, 2, 0 or -1.
_TOPS: Final = 128 * EVERY_LANE
_OWN: Final = (128 - EMPTY - 1) * EVERY_LANE
_MANY: Final = _OWN - EVERY_LANE
_FREE: Final = _OWN + EVERY_LANE
_OPEN: Final = _FREE + EVERY_LANE


def _mask(points: Iterable[int]) -> int:
    return sum(128 << LANE_BITS * point for point in points)


_BOARD: Final = _mask(range(1, BAR))
_HOME: Final = _mask(range(1, 7))
_OUTSIDE: Final = _mask(range(7, BAR + 1))
_BAR: Final = _mask([BAR])
_SHIFT: Final = tuple(LANE_BITS * pips for pips in range(13))
_LOW_HALF: Final = _mask(range(13))
_HIGH_HALF: Final = _mask(range(13, BAR + 1))


class _Moves(dict[int, tuple[int, ...]]):
    """For each half-board mask of starting points: what each move adds to the position, back to front.

    Filled as masks come up; at most 2 * 8192 of them exist.
    """

    def __init__(self, delta: Callable[[int], int]) -> None:
        super().__init__()
        self.delta = delta

    def __missing__(self, mask: int) -> tuple[int, ...]:
        points = [point for point in range(BAR, 0, -1) if mask >> LANE_BITS * point & 128]
        self[mask] = deltas = tuple(self.delta(point) for point in points)
        return deltas


def _quiet_move(pips: int) -> Callable[[int], int]:
    return lambda point: (1 << LANE_BITS * (point - pips)) - (1 << LANE_BITS * point)


def _hit(pips: int) -> Callable[[int], int]:
    # The opponent's checker leaves the point, where it counted -1, for the opponent's bar.
    return lambda point: (2 << LANE_BITS * (point - pips)) - (1 << LANE_BITS * point) - (1 << LANE_BITS * OFF)


_QUIET: Final = tuple(_Moves(_quiet_move(pips)) for pips in range(12))
_HIT: Final = tuple(_Moves(_hit(pips)) for pips in range(12))
_BEAR_OFF: Final = _Moves(lambda point: -(1 << LANE_BITS * point))


def legal_plays(position: Position, dice: Dice, rules: RuleSet) -> tuple[Play, ...]:
    """All legal plays of a roll, one for each distinct resulting position; `()` when nothing can be played.

    Both dice (of a double, as many as possible) must be used; where only one can be, the larger. With
    `rules.least_waste` only the plays that waste the fewest pips remain.
    """
    if dice.is_double:
        results = _double(position, dice.high)
    else:
        results = _two_numbers(position, dice.high, dice.low, rules)
    turn = Turn(position, dice)
    return tuple([Play(turn, result) for result in map(Position, results)])


def _two_numbers(position: int, high: int, low: int, rules: RuleSet) -> Iterable[int]:
    after_high = moves(position, high)
    after_low = moves(position, low)
    results = {result for between in after_high for result in moves(between, low)}
    results.update([result for between in after_low for result in moves(between, high)])
    if results and rules.least_waste:
        return _least_waste(results)
    return results or after_high or after_low


def _double(position: int, die: int) -> Iterable[int]:
    results: Iterable[int] = ()
    level = {position}
    for _ in range(4):
        level = {after for before in level for after in moves(before, die)}
        if not level:
            break
        results = level
    return results


def moves(position: int, die: int) -> list[int]:
    """The positions one checker can reach with one die: from the bar first; off only with all at home."""
    own = (position + _OWN) & _TOPS
    if own & _BAR:
        own = _BAR
    board = (position + _OPEN) & _BOARD
    blots = board & ~(position + _FREE)
    shift = _SHIFT[die]
    starts = own & (board << shift)
    hits = starts & (blots << shift)
    deltas = _deltas(_QUIET[die], starts ^ hits)
    if hits:
        deltas += _deltas(_HIT[die], hits)
    if not own & _OUTSIDE:
        deltas += _BEAR_OFF[_may_leave(own, die)]
    return [position + delta for delta in deltas]


def _deltas(table: _Moves, starts: int) -> tuple[int, ...]:
    return table[starts & _HIGH_HALF] + table[starts & _LOW_HALF]


def _may_leave(home: int, die: int) -> int:
    """From which point a die bears off: its own, or the highest occupied one if that is lower."""
    if home >> LANE_BITS * die:
        return home & (128 << LANE_BITS * die)
    return 1 << home.bit_length() - 1 if home else 0


def _least_waste(results: Iterable[int]) -> list[int]:
    """Those of the positions with the smallest pip count: the roll is the same, so they waste least."""
    counts = {result: Position(result).pip_count() for result in results}
    least = min(counts.values())
    return [result for result, pips in counts.items() if pips == least]
