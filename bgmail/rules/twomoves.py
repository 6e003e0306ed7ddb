"""Two moves by two different dice where neither waits for the other: their sums, with the few exceptions.

Nobody is on the bar, and bearing off is either out of reach or free from the start.
"""

from __future__ import annotations

from operator import add

from bgmail.rules.lanes import BOARD, FREE, MOVES, OPEN, SHIFT, TOPS, TWO

NOT_LEAVING, LEAVING = 0, 128


def two_moves(position: int, own: int, high: int, low: int, off: int) -> list[int]:
    """The positions after a move by each die, once each.

    `own` is the mask of own checkers; `off` is `LEAVING`, the mask of point 0, where a checker may be borne
    off by its exact number, else `NOT_LEAVING`.
    """
    open_points = (position + OPEN) & BOARD
    blots = (open_points & ~(position + FREE)) >> 1
    landing = open_points | blots | off
    far, near = SHIFT[high], SHIFT[low]
    own |= own >> 1
    by_high, by_low = own & landing << far, own & landing << near
    low_moves = MOVES[low][by_low]
    results = [
        after + move for after in [position + move for move in MOVES[high][by_high]] for move in low_moves
    ]

    if alone := by_high & by_low & ~(position + TWO) & TOPS:
        # A checker that stands alone can't be moved by both dice from where it stood ...
        alone |= alone >> 1
        for both in map(add, MOVES[high][by_high & alone], MOVES[low][by_low & alone]):
            results.remove(position + both)
    # ... but one checker goes on from where it stopped; if others stand there, that is a sum already.
    if runs := own & landing << far + near:
        free = open_points ^ blots << 1
        free |= free >> 1
        joined_far, joined_near = own << far, own << near
        onward = runs & (free << far | free << near) & ~(joined_far | joined_near)
        results += [position + run for run in MOVES[high + low][onward]]
        for run in MOVES[high + low][runs & joined_far & joined_near]:
            results.remove(position + run)
    if blots:
        hits_high, hits_low = by_high & blots << far, by_low & blots << near
        if hits_high:
            results += _hit_and_run(position, high, low, hits_high, landing)
        if hits_low:
            results += _hit_and_run(position, low, high, hits_low, landing)
            if same := hits_high >> far & hits_low >> near:
                _hit_once(results, position, high, low, same)
    return results


def _hit_and_run(position: int, first: int, second: int, hits: int, landing: int) -> list[int]:
    """The positions after a checker has hit with the first die and gone on with the second."""
    if stops := (hits | hits << 1) >> SHIFT[first] & landing << SHIFT[second]:
        starts = (stops & TOPS) << SHIFT[first]
        return [position + run for run in map(add, MOVES[first][starts | starts >> 1], MOVES[second][stops])]
    return []


def _hit_once(results: list[int], position: int, high: int, low: int, same: int) -> None:
    """A blot that both dice hit is hit by the first checker; the second just joins it."""
    blots = same << 1
    hits = MOVES[high][(same | blots) << SHIFT[high]]
    for both in map(add, hits, MOVES[low][(same | blots) << SHIFT[low]]):
        results.remove(position + both)
    results += [position + both for both in map(add, hits, MOVES[low][blots << SHIFT[low]])]
