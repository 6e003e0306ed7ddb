"""Where those who lose in the winners' bracket drop into the losers' bracket, so that nobody soon meets again whom
they have just met."""

from __future__ import annotations


def drops(last: int) -> tuple[int, ...]:
    """For the winners' rounds 2..`last` (a bracket of 2**last): the shift of that round's losers.

    The loser of match i (from 0) of the round drops to place `i ^ shift`. Each shift is the one under which those
    who drop meet people that they or their conquerors' victims lost to as late as possible: a place's distance to a
    round is the exclusive or of their shifts, and two meet at the height of its highest bit.
    """
    shifts: list[int] = []
    below = [
        0
    ]  # where the losers of the rounds before lie, seen from a place of this round: round 1 straight below
    for level in range(2, last + 1):
        shift = min(range(2 ** (last - level)), key=lambda s: _closeness(s, below, last - level))
        shifts.append(shift)
        below = [place >> 1 for place in [*below, shift]]
    return tuple(shifts)


def _closeness(shift: int, below: list[int], height: int) -> tuple[tuple[int, ...], int]:
    """How soon people may meet again under that shift: for each height from the ground, which earlier rounds' losers
    (later rounds weigh more, since they are fresher in the memory). Then the far ends first."""
    soon = tuple(
        sum(2**age for age, place in enumerate(below) if place >> up == shift >> up)
        for up in range(height + 1)
    )
    return soon, -shift
