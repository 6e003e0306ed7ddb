"""Two moves by two different dice where neither waits for the other: their sums, with the few exceptions.

Nobody is on the bar, and bearing off is either out of reach or free from the start.
"""

from __future__ import annotations

from bgmail.rules.lanes import BOARD, FREE, MOVES, OPEN, SHIFT, TOPS, TWO


def two_moves(position: int, own: int, high: int, low: int, off: int) -> set[int]:
    """The positions after a move by each die. `own` is the mask of own checkers; `off` is the mask of point 0
    where a checker may be borne off by its exact number, else 0.
    """
    open_points = (position + OPEN) & BOARD
    free = (position + FREE) & open_points
    blots = (open_points ^ free) >> 1
    landing = open_points | blots | off
    end_high, end_low = landing << SHIFT[high], landing << SHIFT[low]
    own |= own >> 1
    by_high, by_low = own & end_high, own & end_low

    low_moves = MOVES[low][by_low]
    results = {
        after + move for after in [position + move for move in MOVES[high][by_high]] for move in low_moves
    }
    # A checker that stands alone can't be moved by both dice from where it stood ...
    if alone := by_high & by_low & ~(position + TWO) & TOPS:
        alone |= alone >> 1
        for one, other in zip(MOVES[high][by_high & alone], MOVES[low][by_low & alone], strict=True):
            results.discard(position + one + other)
    # ... but goes on with the other die from where it stopped.
    if onward := own & (free << SHIFT[high] | free << SHIFT[low]):
        onward = (onward | onward >> 1) & landing << SHIFT[high + low]
        for run in MOVES[high + low][onward]:
            results.add(position + run)
    if blots:
        hits_high, hits_low = by_high & blots << SHIFT[high], by_low & blots << SHIFT[low]
        if hits_high:
            _hit_and_run(results, position, high, low, hits_high, end_low)
        if hits_low:
            _hit_and_run(results, position, low, high, hits_low, end_high)
            if twice := hits_high >> SHIFT[high] & hits_low >> SHIFT[low]:
                _hit_once(results, position, high, low, twice)
    return results


def _hit_and_run(results: set[int], position: int, first: int, second: int, hits: int, end: int) -> None:
    """Add the plays of a checker that hits with the first die and goes on with the second."""
    if stops := (hits | hits << 1) >> SHIFT[first] & end:
        starts = (stops & TOPS) << SHIFT[first]
        for hit, run in zip(MOVES[first][starts | starts >> 1], MOVES[second][stops], strict=True):
            results.add(position + hit + run)


def _hit_once(results: set[int], position: int, high: int, low: int, twice: int) -> None:
    """A blot that both dice hit is hit by the first checker; the second just joins it."""
    blots = twice << 1
    starts = (twice | blots) << SHIFT[low]
    hits = MOVES[high][(twice | blots) << SHIFT[high]]
    for hit, again, join in zip(hits, MOVES[low][starts], MOVES[low][blots << SHIFT[low]], strict=True):
        results.discard(position + hit + again)
        results.add(position + hit + join)
