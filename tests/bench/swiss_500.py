"""`swiss_500`: seconds of CPU time to draw a round of a Swiss of 500, the slowest of nine.

The reference draws the last round of half as many with networkx's matching on the same costs, and must come to the
same pairs: with all 500 it takes minutes.
"""

from __future__ import annotations

import os
import time
from dataclasses import replace
from random import Random
from unittest import mock

import networkx

from bgmail.pairing import draw
from bgmail.pairing.field import Entry, Field, Pairing, Result
from bgmail.pairing.matching import Costs, Pair
from bgmail.pairing.swiss import Swiss
from tests.bench.measurement import Measurement

ENTRIES = int(os.environ.get("ENTRIES", "500"))
ROUNDS = 9
FORMAT = Swiss(ROUNDS, ("buchholz", "sonneborn_berger"))


def measure() -> Measurement:
    """Plays all rounds of both sizes; then the last of the smaller once more by networkx."""
    _, _, slowest = _rounds(ENTRIES)
    before, made, _ = _rounds(ENTRIES // 2)
    start = time.process_time()
    with mock.patch.object(draw, "cheapest", _by_networkx):
        theirs = FORMAT.next(before)
    reference = time.process_time() - start
    if theirs != made:
        raise RuntimeError("networkx came to other pairs")
    what = (
        f"s of CPU time to draw a round of a Swiss of {ENTRIES}, the slowest of {ROUNDS}, 5 s are allowed, and nobody "
        f"met twice; reference: a round of {ENTRIES // 2} with networkx's matching, which comes to the same pairs"
    )
    return Measurement(slowest, reference, what, lower_is_better=True)


def _rounds(entries: int) -> tuple[Field, tuple[Pairing, ...], float]:
    """A Swiss as it was before the last round was drawn, that round, and the seconds that the slowest took."""
    random = Random(500)
    field = Field(tuple(Entry(number, number) for number in range(1, entries + 1)), (), "swiss_500")
    slowest = 0.0
    for _ in range(ROUNDS):
        before = field
        start = time.process_time()
        made = FORMAT.next(field)
        slowest = max(slowest, time.process_time() - start)
        field = replace(field, pairings=field.pairings + tuple(_played(one, random) for one in made))
    pairs = {frozenset((one.first, one.second)) for one in field.pairings}
    if len(pairs) != len(field.pairings) or len(pairs) != ROUNDS * ((entries + 1) // 2):
        raise RuntimeError("somebody met twice, or wasn't paired")
    return before, made, slowest


def _played(pairing: Pairing, random: Random) -> Pairing:
    """With a result by chance, unless it is a bye."""
    if pairing.second is None:
        return pairing
    return replace(pairing, result=Result(random.choice((pairing.first, pairing.second))))


def _by_networkx(_vertices: object, costs: Costs) -> tuple[Pair, ...]:
    highest = max(costs.values()) + 1
    graph = networkx.Graph()
    graph.add_weighted_edges_from((one, other, highest - cost) for (one, other), cost in costs.items())
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    return tuple(sorted((min(pair), max(pair)) for pair in found))


if __name__ == "__main__":
    print(measure().line("swiss_500"))
