"""Seeds that keep people from one group apart in a bracket."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from bgmail.pairing.bracket import rounds, seats


def apart(order: Sequence[int], ranks: Mapping[int, int], groups: Mapping[int, int]) -> list[int]:
    """`order` (entries by seed, the best first) with those of one rank exchanged, so that two of one group meet as
    late as possible: in the final, if that can be, and rather in the semi-final than before.

    Those of rank 0, the groups' winners, stay where they are. `ranks` and `groups` are by entry. Exchanges are made
    as long as one helps, those between neighbours first.
    """
    chosen = list(order)
    height = rounds(len(chosen))
    seat = {seed: place for place, seed in enumerate(seats(2**height), 1)}
    fellows = {
        one: [other for other in order if groups[other] == groups[one] and other != one] for one in order
    }

    def soon(entry: int, seeds: Mapping[int, int]) -> int:
        """How much too early the entry may meet those of its group."""
        met = [((seat[seeds[entry]] - 1) ^ (seat[seeds[other]] - 1)).bit_length() for other in fellows[entry]]
        return sum(8 ** (height - one) for one in met if one < height)

    exchanges = sorted(
        (
            (one, other)
            for one, other in combinations(range(len(chosen)), 2)
            if ranks[chosen[one]] == ranks[chosen[other]] > 0
        ),
        key=lambda pair: (pair[1] - pair[0], pair),
    )
    seeds = {entry: seed for seed, entry in enumerate(chosen, 1)}
    helped = True
    while helped:
        helped = False
        for one, other in exchanges:
            left, right = chosen[one], chosen[other]
            before = soon(left, seeds) + soon(right, seeds)
            if not before:
                continue
            seeds[left], seeds[right] = seeds[right], seeds[left]
            if soon(left, seeds) + soon(right, seeds) < before:
                chosen[one], chosen[other] = right, left
                helped = True
            else:
                seeds[left], seeds[right] = seeds[right], seeds[left]
    return chosen
