"""Perfect matchings: everybody with somebody, at the lowest cost."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from itertools import count

import rustworkx

Pair = tuple[int, int]
Costs = Mapping[Pair, int]
"""Pairs that are possible, (lower, higher), and what each costs: whole numbers from 0, below 2**100."""


def cheapest(vertices: Collection[int], costs: Costs) -> tuple[Pair, ...] | None:
    """The perfect matching of the lowest total cost among `costs`, its pairs in order; None if there is none.

    Maximum-weight matching of full cardinality (Edmonds' blossom algorithm), a weight being the highest cost less
    the pair's own. Between matchings of equal cost it chooses by itself, the same for the same `costs` in the same
    order.
    """
    if len(vertices) % 2:
        return None
    numbers = {vertex: number for number, vertex in enumerate(sorted(vertices))}
    highest = max(costs.values(), default=0) + 1
    graph: rustworkx.PyGraph[int | None, int] = rustworkx.PyGraph(multigraph=False)
    names = list(numbers)
    graph.add_nodes_from(names)
    graph.extend_from_weighted_edge_list(
        [(numbers[one], numbers[other], highest - cost) for (one, other), cost in costs.items()]
    )
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(found) < len(names):
        return None
    return tuple(sorted(_pair(names[one], names[other]) for one, other in found))


def by_cost(vertices: Collection[int], costs: Costs) -> Iterator[tuple[int, tuple[Pair, ...]]]:
    """All perfect matchings with their costs, the cheapest first (after Murty: each answer splits what is left into
    the matchings that keep its first pairs and do without the next one)."""
    number = count()
    waiting: list[tuple[int, int, tuple[Pair, ...], int, Costs]] = []

    def look(kept: tuple[Pair, ...], possible: Costs) -> None:
        taken = {vertex for pair in kept for vertex in pair}
        rest = {pair: cost for pair, cost in possible.items() if taken.isdisjoint(pair)}
        found = cheapest([vertex for vertex in vertices if vertex not in taken], rest)
        if found is not None:
            matching = (*kept, *found)
            total = sum(costs[pair] for pair in matching)
            heapq.heappush(waiting, (total, next(number), matching, len(kept), possible))

    look((), costs)
    while waiting:
        total, _, matching, fixed, possible = heapq.heappop(waiting)
        yield total, tuple(sorted(matching))
        for end in range(fixed, len(matching)):
            look(matching[:end], {pair: cost for pair, cost in possible.items() if pair != matching[end]})


def can_be_split(
    pairs: Collection[Pair], vertices: Collection[int], matchings: int, effort: int | None
) -> bool:
    """Whether `pairs` hold that many perfect matchings of `vertices` that share no pair.

    It is looked for, for so many steps (None: until it is certain); what isn't found in these counts as not there.
    """
    degrees = dict.fromkeys(vertices, 0)
    for one, other in pairs:
        degrees[one] += 1
        degrees[other] += 1
    if min(degrees.values(), default=matchings) < matchings:
        return False
    return _Split(tuple(sorted(degrees)), effort).found(frozenset(pairs), matchings)


class _Split:
    """A search for matchings that share no pair; graphs that led nowhere are kept in mind."""

    def __init__(self, vertices: tuple[int, ...], effort: int | None) -> None:
        self._vertices = vertices
        self._steps = count() if effort is None else iter(range(effort))
        self.found = cache(self._found)

    def _found(self, pairs: frozenset[Pair], matchings: int) -> bool:
        """Whether `pairs` hold so many."""
        if not matchings:
            return True
        return any(
            self.found(pairs.difference(matching), matchings - 1)
            for matching in self._all(pairs, self._vertices)
        )

    def _all(self, pairs: frozenset[Pair], vertices: tuple[int, ...]) -> Iterator[tuple[Pair, ...]]:
        """All perfect matchings, as long as there is effort left. The lowest vertex takes each neighbour in turn."""
        if not vertices:
            yield ()
            return
        first, *rest = vertices
        for other in rest:
            if (first, other) in pairs and next(self._steps, None) is not None:
                for matching in self._all(pairs, tuple(one for one in rest if one != other)):
                    yield ((first, other), *matching)


def _pair(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)
