"""Which plays a roll allows: every position that may result, once each.

Positions are whole numbers here and a move adds another, see `lanes`; the rules are told in this file.
"""

from __future__ import annotations

from collections.abc import Collection

from bgmail.rules.dice import Dice
from bgmail.rules.lanes import AWAY, BOARD, FREE, MOVES, ON_BAR, ONE, OPEN, OWN, SHIFT, TOPS, TWO, WAYS
from bgmail.rules.moves import HOME
from bgmail.rules.onedie import after_die, enter, may_leave, move_highest
from bgmail.rules.play import Play
from bgmail.rules.position import BAR, EMPTY, Position
from bgmail.rules.ruleset import RuleSet
from bgmail.rules.twomoves import LEAVING, NOT_LEAVING, two_moves

_ONE_WAITS = (EMPTY + 1) * ONE[BAR]
_TWO_WAIT = (EMPTY + 2) * ONE[BAR]


def legal_plays(position: Position, dice: Dice, rules: RuleSet) -> tuple[Play, ...]:
    """All legal plays of a roll, one for each distinct resulting position; `()` when nothing can be played.

    Both dice (of a double, as many as possible) must be used; where only one can be, the larger. With
    `rules.least_waste` only the plays that waste the fewest pips remain.
    """
    one, other = dice.d1, dice.d2
    if one == other:
        results = _double(position, one)
    else:
        high, low = (one, other) if one > other else (other, one)
        results = _two_numbers(position, high, low, rules)
    turn = (position, dice)
    plays = []
    for result in map(Position, results):
        play = Play()
        play.turn = turn
        play.position = result
        plays.append(play)
    return tuple(plays)


def _two_numbers(position: int, high: int, low: int, rules: RuleSet) -> Collection[int]:
    """Both dice if that is possible, else the larger, else the smaller."""
    own = (position + OWN) & TOPS
    if own >= ON_BAR:
        return _from_the_bar(position, high, low)
    results = _both_dice(position, own, high, low)
    if results and rules.least_waste:
        return _least_waste(results)
    return results or after_die(position, high) or after_die(position, low)


def _both_dice(position: int, own: int, high: int, low: int) -> Collection[int]:
    if own >= AWAY:
        if _two_from(7, position, own):
            return two_moves(position, own, high, low, NOT_LEAVING)
        return _last_straggler(position, own, high, low)
    if _two_from(high, position, own):
        return two_moves(position, own, high, low, LEAVING)
    return _last_checkers(position, own, high, low)


def _two_from(point: int, position: int, own: int) -> int:
    """Not 0 if two checkers or more stand on `point` and beyond."""
    beyond = own >> SHIFT[point]
    return beyond & (beyond - 1) or beyond & (position + TWO) >> SHIFT[point]


def _from_the_bar(position: int, high: int, low: int) -> Collection[int]:
    """Checkers enter first; only when none is left on the bar is the other die free."""
    by_high, by_low = enter(position, high), enter(position, low)
    if not by_high and not by_low:
        return ()
    if position >= _TWO_WAIT:
        return [enter(by_high, low)] if by_high and by_low else [by_high or by_low]
    results = set(after_die(by_high, low)) if by_high else set()
    if by_low:
        results.update(after_die(by_low, high))
    return results or [by_high or by_low]


def _last_straggler(position: int, own: int, high: int, low: int) -> Collection[int]:
    """One checker is not at home: any two moves, or its way home and then one borne off."""
    results = two_moves(position, own, high, low, NOT_LEAVING)
    straggler = own.bit_length() // 8 - 1
    for first, second in ((high, low), (low, high)):
        at_home = move_highest(position, straggler, first) if straggler - first in HOME else 0
        if at_home and (off := may_leave((at_home + OWN) & TOPS, second)):
            after = at_home - (off >> 7)
            if after not in results:
                results.append(after)
    return results


def _last_checkers(position: int, own: int, high: int, low: int) -> Collection[int]:
    """With all at home and no two checkers from the larger die's point up, that die is the highest one's:
    it leads, or moves it after the smaller die has; any other order comes to the same.
    """
    highest = own.bit_length() // 8 - 1
    by_high, by_low = move_highest(position, highest, high), move_highest(position, highest, low)
    results = after_die(by_high, low) if by_high else []
    return {*results, *after_die(by_low, high)} if by_low else results


def _double(position: int, die: int) -> Collection[int]:
    """A double is played four times, or as often as possible, beginning with the checkers on the bar."""
    reached, left = position, 4
    while left and reached >= _ONE_WAITS:
        entered = enter(reached, die)
        if not entered:
            break
        reached, left = entered, left - 1
    results = _from_the_back(reached, die, left) if left and reached < _ONE_WAITS else [reached]
    return [] if results[0] == position else results


def _from_the_back(position: int, die: int, times: int) -> list[int]:
    """After that many moves, or as many as possible. A later move never starts behind an earlier one, which
    reaches every position, and by one way only.
    """
    shift = SHIFT[die]
    landing = (position + OPEN) & BOARD
    blots = (landing & ~(position + FREE)) >> 1 << shift
    landing <<= shift
    level = [(position, TOPS)]
    for _ in range(times - 1):
        further = []
        for before, limit in level:
            own = (before + OWN) & TOPS
            starts = own & landing & limit
            if blots:  # one already hit has an own checker on it
                starts |= starts >> 1 & blots & ~(own >> 1 << shift)
            if own < AWAY:
                starts |= may_leave(own, die) & limit
            for move, points in WAYS[die][starts]:
                further.append((before + move, points))
        if not further:
            return [after for after, _ in level]
        level = further
    results = []
    for before, limit in level:  # the same once more; nothing follows, and most of the time is spent here
        own = (before + OWN) & TOPS
        starts = own & landing & limit
        if blots:
            starts |= starts >> 1 & blots & ~(own >> 1 << shift)
        if own < AWAY:
            starts |= may_leave(own, die) & limit
        for move in MOVES[die][starts]:
            results.append(before + move)  # noqa: PERF401 - until 3.12 a comprehension costs more than it saves
    return results or [after for after, _ in level]


def _least_waste(results: Collection[int]) -> list[int]:
    """Those of the positions with the smallest pip count: the roll is the same, so they waste least."""
    counts = {result: Position(result).pip_count() for result in results}
    least = min(counts.values())
    return [result for result, pips in counts.items() if pips == least]
