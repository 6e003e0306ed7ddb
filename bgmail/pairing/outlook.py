"""How long a tournament has still to go, if everybody keeps their usual pace: its longest chain of matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil, log2

from bgmail.pairing.bracket import Bracket, Kind
from bgmail.pairing.elimination import Elimination
from bgmail.pairing.field import Field, Format, Pairing
from bgmail.pairing.progress import PENDING, Filled, Progress
from bgmail.pairing.roundrobin import RoundRobin
from bgmail.pairing.stages import Stages, begun
from bgmail.pairing.swiss import Swiss, SwissElimination

Takes = Callable[[int | None, int | None], float]
"""How long a whole match of two entries takes; None = whoever it will be."""
LEAST = 0.15
"""A match that has gone on longer than expected is taken to need this part of it still."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast it goes: what matches take, how much of it the running ones have had (by key), and how many of them a
    person plays at once (0 = all)."""

    takes: Takes
    had: Mapping[str, float]
    at_once: int = 0

    def rest(self, pairing: Pairing) -> float:
        """What a pairing still needs."""
        if pairing.result is not None or pairing.second is None:
            return 0.0
        whole = self.takes(pairing.first, pairing.second)
        return max(whole - self.had.get(pairing.key, 0.0), LEAST * whole)


def remaining(format_: Format, field: Field, pace: Pace) -> float:
    """How long until the end, in the unit of `pace`: 0 where nothing is left."""
    if isinstance(format_, Stages):
        number = begun(field)
        inside = format_.inside(field, number)
        rest = _of_stage(format_.formats[number], inside, pace)
        size = len(inside.entries)
        for before, later in enumerate(format_.formats[number + 1 :], number):
            groups = getattr(format_.formats[before], "group_count", 1)
            size = min(size, groups * format_.advance[before])
            rest += _unbegun(later, size, pace)
        return rest
    return _of_stage(format_, field, pace)


def _of_stage(format_: Format, field: Field, pace: Pace) -> float:
    if not field.pairings:
        return _unbegun(format_, len(field.entries), pace)
    if isinstance(format_, Elimination):
        return _bracket(format_.progress(field), pace)
    open_ = [pairing for pairing in field.pairings if pairing.result is None]
    if isinstance(format_, RoundRobin):
        return _side_by_side(open_, pace)
    rounds = _rounds_left(format_, field)
    return max(map(pace.rest, open_), default=0.0) + rounds * pace.takes(None, None)


def _bracket(progress: Progress, pace: Pace) -> float:
    """The longest way through the meetings that are left."""
    first = [filled.pairing for filled in progress.filled.values() if filled.fixture.round == 1]
    somebody_lost = max((pace.rest(pairing) for pairing in first if pairing), default=0.0)
    ends: dict[str, float] = {}
    for key, filled in progress.filled.items():
        before = [ends[source.key] for source in filled.fixture.sources if source.key]
        before += [somebody_lost] * (PENDING in filled.sides and not before)
        ends[key] = 0.0 if filled.over else max(before, default=0.0) + _meeting(filled, pace)
    return max(ends.values(), default=0.0)


def _meeting(filled: Filled, pace: Pace) -> float:
    if filled.pairing is not None:
        return pace.rest(filled.pairing)
    if filled.fixture.if_needed:
        return 0.0
    return pace.takes(filled.sides[0].entry, filled.sides[1].entry)


def _side_by_side(open_: list[Pairing], pace: Pace) -> float:
    """Everybody's matches, as many at once as they may play: the one who needs longest."""
    each: dict[int, list[float]] = defaultdict(list)
    for pairing in open_:
        for entry in (pairing.first, pairing.second):
            if entry is not None:
                each[entry].append(pace.rest(pairing))
    return max((_in_turn(rests, pace.at_once) for rests in each.values()), default=0.0)


def _in_turn(rests: list[float], at_once: int) -> float:
    return max(*rests, sum(rests) / at_once) if at_once else max(rests)


def _rounds_left(format_: Format, field: Field) -> int:
    drawn = max((pairing.round for pairing in field.pairings), default=0)
    if isinstance(format_, Swiss):
        return max(0, format_.rounds - drawn)
    if isinstance(format_, SwissElimination):
        left = sum(line.out_in is None for line in format_.standings(field))
        is_open = any(pairing.result is None for pairing in field.pairings)
        return _halvings(left, format_.losses) - is_open if left > 1 else 0
    return 0


def _halvings(entries: int, losses: int) -> int:
    """About how many rounds a Swiss with elimination needs: each loss more takes one or two."""
    return ceil(log2(max(entries, 1))) + 2 * (losses - 1)


def _unbegun(format_: Format, size: int, pace: Pace) -> float:
    """A stage of `size` entries that nobody knows yet."""
    one = pace.takes(None, None)
    if isinstance(format_, Elimination):
        return one * _longest(format_.bracket(size))
    if isinstance(format_, RoundRobin):
        matches = format_.meetings * max(0, ceil(size / format_.group_count) - 1)
        return _in_turn([one] * matches, pace.at_once) if matches else 0.0
    if isinstance(format_, Swiss):
        return one * format_.rounds
    return one * _halvings(size, format_.losses) if isinstance(format_, SwissElimination) else 0.0


def _longest(bracket: Bracket) -> int:
    """The number of meetings on the longest way to the end, without a second final."""
    depth: dict[str, int] = {}
    for fixture in bracket.fixtures:
        waits = any(source.kind is Kind.VACANT for source in fixture.sources)
        before = max((depth[source.key] for source in fixture.sources if source.key), default=0)
        depth[fixture.key] = before + (0 if fixture.is_bye or fixture.if_needed else 1 + waits)
    return max(depth.values(), default=0)
