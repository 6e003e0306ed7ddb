"""Who stands where in a bracket: by the round of elimination, and within it by what the conditions ask for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import groupby

from bgmail.pairing.bracket import Part
from bgmail.pairing.field import Field, Standing
from bgmail.pairing.progress import Filled, Progress
from bgmail.pairing.ranking import Explained, explained, ranked, unlisted
from bgmail.pairing.record import entries_by_id, is_disqualified, judged, record_of
from bgmail.pairing.tiebreaks import LOT, ROUND_OUT, Table

THIRD_PLACE = "third_place"
"""The value of a standing that parts the two who met for the third place."""


def places(field: Field) -> tuple[int, ...]:
    """The entries by seed, the best first."""
    return tuple(entry.id for entry in sorted(field.entries, key=lambda entry: (entry.seed, entry.id)))


def placed(progress: Progress, field: Field, tie_breaks: Sequence[str]) -> tuple[Standing, ...]:
    """The standings of a bracket, best first. Who isn't out comes first; ranks are shared where neither the round of
    elimination, nor the match for third place, nor a tie-break parts people."""
    entries = entries_by_id(field)
    listed = [entry for entry in progress.places if not is_disqualified(entries[entry])]
    table, third = _table(progress, field), _third(progress)

    def place(entry: int) -> tuple[int, int]:
        return -(table.out or {}).get(entry, table.rounds + 1), -third.get(entry, 0)

    lines: list[Standing] = []
    for _, group in groupby(sorted(listed, key=place), place):
        level = tuple(group)
        is_out = level[0] in (table.out or {})
        shown = _level(table, level, tie_breaks if is_out else (), third)
        lines += _below(lines, shown)
    return (*lines, *unlisted([id_ for id_ in progress.places if id_ not in listed], len(lines)))


def reasons(
    progress: Progress, field: Field, lines: Sequence[Standing], only: Collection[int] | None
) -> dict[int, tuple[Explained, ...]]:
    """The values of every listed entry (of `only` these), with what they are made of."""
    return explained(_table(progress, field), lines, only)


def _level(
    table: Table, level: tuple[int, ...], tie_breaks: Sequence[str], third: dict[int, int]
) -> list[Standing]:
    """The lines of those who came equally far, with ranks from 1."""
    if tie_breaks:
        asked = [name for name in tie_breaks if name != ROUND_OUT]
        lines = list(ranked(table, level, (ROUND_OUT, *asked, LOT)))
    else:
        lines = sorted(ranked(table, level, (ROUND_OUT,)), key=lambda line: level.index(line.entry))
        lines = [replace(line, rank=1) for line in lines]
    return [
        replace(line, values=(line.values[0], (THIRD_PLACE, float(third[line.entry])), *line.values[1:]))
        if line.entry in third
        else line
        for line in lines
    ]


def _below(above: list[Standing], lines: list[Standing]) -> list[Standing]:
    """Those lines under the ones above."""
    moved = [replace(line, rank=line.rank + len(above)) for line in lines]
    if above:
        last, first = dict(above[-1].values), dict(moved[0].values)
        by = ROUND_OUT if last[ROUND_OUT] != first[ROUND_OUT] else THIRD_PLACE
        moved[0] = replace(moved[0], decided_by=by)
    return moved


def _table(progress: Progress, field: Field) -> Table:
    """What the criteria are computed from. Meetings with somebody disqualified count as wins without play."""
    entries = entries_by_id(field)
    results = [(pairing, judged(pairing, entries)) for pairing in field.pairings]
    record = record_of(entries, [(pairing, result) for pairing, result in results if result is not None])
    last = max((fixture.round for fixture in progress.bracket.fixtures), default=0)
    return Table(field, record, last, stand_in=True, out=_out(progress))


def _out(progress: Progress) -> dict[int, int]:
    """The round in which each was eliminated: its last meeting, or the one that it would have come to."""
    return {
        entry: max(filled.fixture.round for filled in seats)
        for entry, seats in progress.seats().items()
        if entry != progress.champion and not _still_in(progress, entry, seats)
    }


def _still_in(progress: Progress, entry: int, seats: Sequence[Filled]) -> bool:
    return progress.entries[entry].plays and any(not filled.over for filled in seats)


def _third(progress: Progress) -> dict[int, int]:
    """1 for who has won the match for third place, 0 for who has lost it; nobody while it is open."""
    over = [one for one in progress.filled.values() if one.fixture.part is Part.THIRD and one.result]
    return {
        side.entry: int(one.result is not None and one.result.winner == side.entry)
        for one in over
        for side in one.sides
        if side.entry is not None
    }
