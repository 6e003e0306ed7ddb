"""Standings: entries in order by criteria, one after the other, each kept with its value."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from bgmail.pairing.field import Standing
from bgmail.pairing.tiebreaks import (
    CRITERIA,
    HEAD_TO_HEAD,
    LOT,
    Part,
    Table,
    Tied,
    all_have_met,
    parts,
    total,
)


@dataclass(frozen=True, slots=True)
class Explained:
    """Why an entry has this value of a criterion: the parts that count add up to it, if there are any."""

    criterion: str
    value: float
    parts: tuple[Part, ...]


def ranked(table: Table, entries: Sequence[int], criteria: Sequence[str]) -> tuple[Standing, ...]:
    """Those entries, the best first, ranks from 1; each criterion parts those that all before it left tied.

    Head-to-head is among the values of an entry only where it was asked: among several who have all met.
    """
    standings = [
        Standing(
            rank=place,
            entry=entry,
            wins=table.wins(entry),
            losses=sum(not met.won for met in table.record[entry]),
            played=sum(met.played for met in table.record[entry]),
            values=values,
            out_in=(table.out or {}).get(entry),
        )
        for place, (entry, values) in enumerate(_split(table, tuple(sorted(entries)), tuple(criteria)), 1)
    ]
    return tuple(
        replace(line, decided_by=_decided(above, line)) if above else line
        for above, line in zip([None, *standings], standings, strict=False)
    )


def unlisted(entries: Sequence[int], after: int) -> tuple[Standing, ...]:
    """Lines for entries that are left out of the standings: all share the rank after `after` lines."""
    return tuple(Standing(after + 1, entry, 0, 0, 0, listed=False) for entry in entries)


def explained(
    table: Table, lines: Sequence[Standing], only: Collection[int] | None = None
) -> dict[int, tuple[Explained, ...]]:
    """The values of each listed line (of `only` these entries) with what they are made of, by entry: `lines` are
    standings by this table (those of one group, where there are groups).

    A value that the table doesn't know has no parts. A line whose parts don't add up to its values is left out: the
    table knows more than the standings did.
    """
    tied: dict[_Values, list[int]] = {}
    for line in lines:
        for end, (name, _) in enumerate(line.values):
            if name == HEAD_TO_HEAD:
                tied.setdefault(line.values[:end], []).append(line.entry)
    asked = [line for line in lines if line.listed and (only is None or line.entry in only)]
    found = {
        line.entry: tuple(
            Explained(name, value, _parts(table, name, line.entry, tuple(tied.get(line.values[:end], ()))))
            for end, (name, value) in enumerate(line.values)
        )
        for line in asked
    }
    return {entry: values for entry, values in found.items() if all(_adds_up(one) for one in values)}


def _adds_up(one: Explained) -> bool:
    return one.criterion not in CRITERIA or total(one.parts) == one.value


def _parts(table: Table, criterion: str, entry: int, tied: Tied) -> tuple[Part, ...]:
    return parts(table, criterion, entry, tied) if criterion in CRITERIA else ()


_Values = tuple[tuple[str, float], ...]


def _split(table: Table, tied: Tied, criteria: tuple[str, ...]) -> list[tuple[int, _Values]]:
    if not criteria:
        return [(entry, ()) for entry in tied]
    first, *rest = criteria
    if first == HEAD_TO_HEAD and (len(tied) < 2 or not all_have_met(table, tied)):
        return _split(table, tied, tuple(rest))
    values = {entry: total(parts(table, first, entry, tied)) for entry in tied}
    worth = values if first == LOT else {entry: -value for entry, value in values.items()}
    order = sorted(tied, key=worth.__getitem__)
    return [
        (entry, ((first, values[entry]), *further))
        for _, group in groupby(order, worth.__getitem__)
        for entry, further in _split(table, tuple(group), tuple(rest))
    ]


def _decided(above: Standing, line: Standing) -> str:
    for one, other in zip(above.values, line.values, strict=False):
        if one != other:
            return other[0]
    return ""
