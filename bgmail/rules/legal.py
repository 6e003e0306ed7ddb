"""Which plays a roll allows: every position that may result, once each.

A move is one addition to a position (see `lanes`). Where no checker waits on the bar and bearing off can't
depend on what was moved before, a roll is the sum of two moves; every other roll is played die by die.
"""

from __future__ import annotations

from collections.abc import Collection

from bgmail.rules.dice import Dice
from bgmail.rules.lanes import AWAY, BOARD, FREE, MOVES, ON_BAR, ONE, OPEN, OWN, SHIFT, TOPS, TWO, WAYS
from bgmail.rules.play import Play
from bgmail.rules.position import BAR, EMPTY, OFF, Position
from bgmail.rules.ruleset import RuleSet


def legal_plays(position: Position, dice: Dice, rules: RuleSet) -> tuple[Play, ...]:
    """All legal plays of a roll, one for each distinct resulting position; `()` when nothing can be played.

    Both dice (of a double, as many as possible) must be used; where only one can be, the larger. With
    `rules.least_waste` only the plays that waste the fewest pips remain.
    """
    high, low = dice.d1, dice.d2
    if high == low:
        results = _double(position, high)
    elif high > low:
        results = _two_numbers(position, high, low, rules.least_waste)
    else:
        results = _two_numbers(position, low, high, rules.least_waste)
    turn = (position, dice)
    plays = []
    for result in map(Position, results):
        play = Play()
        play.turn = turn
        play.position = result
        plays.append(play)
    return tuple(plays)


def _two_numbers(position: int, high: int, low: int, least_waste: bool) -> Collection[int]:
    own = (position + OWN) & TOPS
    if own >= ON_BAR:
        return _from_the_bar(position, high, low)
    if own < AWAY:
        beyond = own >> SHIFT[high]
        if beyond & (beyond - 1) or beyond & (position + TWO) >> SHIFT[high]:
            results = _both(position, own, high, low, 128)
        else:
            results = _last_checkers(position, own, high, low)
    else:
        beyond = own >> SHIFT[7]
        if beyond & (beyond - 1) or beyond & (position + TWO) >> SHIFT[7]:
            results = _both(position, own, high, low, 0)
        else:
            results = _in_either_order(position, high, low)
    if results and least_waste:
        return _least_waste(results)
    return results or moves(position, high) or moves(position, low)


def _from_the_bar(position: int, high: int, low: int) -> Collection[int]:
    """Enter first; with one checker on the bar the other die is free."""
    by_high, by_low = _enter(position, high), _enter(position, low)
    if position >= ONE[BAR] * (EMPTY + 2):
        if by_high and by_low:
            return (_enter(by_high, low),)
        return (by_high or by_low,) if by_high or by_low else ()
    if not by_high:
        return (moves(by_low, high) or (by_low,)) if by_low else ()
    if not by_low:
        return moves(by_high, low) or (by_high,)
    results = set(moves(by_high, low))
    results.update(moves(by_low, high))
    return results or (by_high,)


def _enter(position: int, die: int) -> int:
    """The position after a checker has entered, 0 if the point is blocked."""
    point = BAR - die
    there = position >> SHIFT[point] & 255
    if there < EMPTY - 1:
        return 0
    hit = ONE[point] - ONE[OFF] if there == EMPTY - 1 else 0
    return position - ONE[BAR] + ONE[point] + hit


def _both(position: int, own: int, high: int, low: int, off: int) -> Collection[int]:
    shift_high, shift_low = SHIFT[high], SHIFT[low]
    free = (position + FREE) & BOARD
    landing = (position + OPEN) & BOARD
    blots = (landing ^ free) >> 1
    landing |= blots | off
    own |= own >> 1
    by_high = own & landing << shift_high
    by_low = own & landing << shift_low
    table_high, table_low = MOVES[high], MOVES[low]
    high_moves = table_high[by_high]
    low_moves = table_low[by_low]
    results = {after + low_move for after in [position + move for move in high_moves] for low_move in low_moves}
    alone = by_high & by_low & ~(position + TWO) & TOPS
    if alone:
        alone |= alone >> 1
        for a, b in zip(table_high[by_high & alone], table_low[by_low & alone]):
            results.discard(position + a + b)
    on = own & (free << shift_high | free << shift_low)
    if on:
        on = (on | on >> 1) & landing << shift_high + shift_low
        for a in MOVES[high + low][on]:
            results.add(position + a)
    if blots:
        hits_high = by_high & blots << shift_high
        hits_low = by_low & blots << shift_low
        if hits_high:
            _hit_and_run(results, position, high, hits_high, low, landing)
        if hits_low:
            _hit_and_run(results, position, low, hits_low, high, landing)
            twice = hits_high >> shift_high & hits_low >> shift_low
            if twice:
                twice |= twice << 1
                a = table_high[twice << shift_high]
                results.difference_update(_sums(position, a, table_low[twice << shift_low]))
                results.update(_sums(position, a, table_low[(twice & TOPS) << shift_low]))
    if not results:
        return [position + move for move in high_moves or low_moves]
    return results


def _hit_and_run(results, position, first, hits, second, landing):
    stops = (hits | hits << 1) >> SHIFT[first] & (landing << SHIFT[second])
    if stops:
        starts = (stops & TOPS) << SHIFT[first]
        for a, b in zip(MOVES[first][starts | starts >> 1], MOVES[second][stops]):
            results.add(position + a + b)


def _sums(position, firsts, seconds):
    return [position + first + second for first, second in zip(firsts, seconds)]


def _in_either_order(position, high, low):
    results = {after for between in moves(position, high) for after in moves(between, low)}
    results.update([after for between in moves(position, low) for after in moves(between, high)])
    return results


def _last_checkers(position, own, high, low):
    """The larger die can only be played by the highest checker, first or after the smaller die."""
    highest = own.bit_length() - 1 >> 3
    by_high = _moved(position, highest, high)
    by_low = _moved(position, highest, low)
    results = moves(by_high, low) if by_high else []
    return {*results, *moves(by_low, high)} if by_low else results


def _moved(position, point, die):
    """After moving the highest checker, all being home, 0 if blocked."""
    if die >= point:
        return position - ONE[point]
    to = point - die
    there = position >> SHIFT[to] & 255
    if there < EMPTY - 1:
        return 0
    hit = ONE[to] - ONE[OFF] if there == EMPTY - 1 else 0
    return position - ONE[point] + ONE[to] + hit


def _double(position: int, die: int) -> Collection[int]:
    left = 4
    start = position
    while left and position >= ONE[BAR] * (EMPTY + 1):
        entered = _enter(position, die)
        if not entered:
            return () if left == 4 else (position,)
        position = entered
        left -= 1
    if not left:
        return (position,)
    level = [(position, TOPS)]
    shift = SHIFT[die]
    landing = (position + OPEN) & BOARD
    blots = (landing & ~(position + FREE)) >> 1 << shift
    landing <<= shift
    table = WAYS[die]
    for left in range(left - 1, 0, -1):
        further = []
        for before, limit in level:
            own = (before + OWN) & TOPS
            starts = own & landing & limit
            if blots:
                starts |= starts >> 1 & blots & ~(own >> 1 << shift)
            if own < AWAY:
                starts |= _may_leave(own, die) & limit
            if starts:
                for d, l in table[starts]:
                    further.append((before + d, l))
        if not further:
            return [k for k, _ in level] if level[0][0] != start else ()
        level = further
    further = []
    table = MOVES[die]
    for before, limit in level:
        own = (before + OWN) & TOPS
        starts = own & landing & limit
        if own < AWAY:
            starts |= _may_leave(own, die) & limit
        if starts:
            if blots:
                starts |= starts >> 1 & blots & ~(own >> 1 << shift)
            for d in table[starts]:
                further.append(before + d)
    if not further:
        return [k for k, _ in level] if level[0][0] != start else ()
    return further


def moves(position: int, die: int) -> list[int]:
    """The positions one checker can reach with one die: from the bar first; off only with all at home."""
    own = (position + OWN) & TOPS
    if own >= ON_BAR:
        entered = _enter(position, die)
        return [entered] if entered else []
    landing = (position + OPEN) & BOARD
    landing |= (landing & ~(position + FREE)) >> 1
    starts = (own | own >> 1) & landing << SHIFT[die]
    if own < AWAY:
        starts |= _may_leave(own, die)
    return [position + d for d in MOVES[die][starts]]


def _may_leave(home: int, die: int) -> int:
    """From which point a die bears off: its own, or the highest occupied one if that is lower."""
    beyond = home >> SHIFT[die]
    if beyond:
        return (beyond & 128) << SHIFT[die]
    return 1 << home.bit_length() - 1 if home else 0


def _least_waste(results: Collection[int]) -> list[int]:
    """Those of the positions with the smallest pip count: the roll is the same, so they waste least."""
    counts = {result: Position(result).pip_count() for result in results}
    least = min(counts.values())
    return [result for result, pips in counts.items() if pips == least]
