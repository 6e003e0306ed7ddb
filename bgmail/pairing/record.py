"""What each entry has behind it: its results, one by one, as its own side saw them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bgmail.pairing.field import Entry, Field, How, Pairing, Result, Status


@dataclass(frozen=True, slots=True)
class Met:
    """One result of one entry. `opponent` None: a bye. `played` False: won or lost without play."""

    key: str
    round: int
    opponent: int | None
    won: bool
    played: bool


Record = Mapping[int, tuple[Met, ...]]
"""The results of each entry, by its id, in the order of rounds."""


def entries_by_id(field: Field) -> dict[int, Entry]:
    """The entries of a field."""
    return {entry.id: entry for entry in field.entries}


def settled(pairing: Pairing, entries: Mapping[int, Entry]) -> Result | None:
    """The result of a pairing as it stands; None while it is open.

    A pairing of somebody who has left in the meantime is over, whether or not the caller has closed it yet: the one
    who stays wins without play, and nobody does if both have left.
    """
    if pairing.result is not None or pairing.second is None:
        return pairing.result
    stay = [id_ for id_ in (pairing.first, pairing.second) if entries[id_].plays]
    if len(stay) == 2:
        return None
    return Result(stay[0] if stay else None, How.FORFEIT)


def judged(pairing: Pairing, entries: Mapping[int, Entry]) -> Result | None:
    """As `settled`, with the results of the disqualified annulled as far as possible: whoever was paired with one has
    a win without play, as by a bye, since that round gave no other opponent."""
    out = [
        id_ for id_ in (pairing.first, pairing.second) if id_ is not None and is_disqualified(entries[id_])
    ]
    if not out:
        return settled(pairing, entries)
    other = pairing.other(out[0])
    if other is None or len(out) == 2:
        return Result(None, How.ANNULLED)
    return Result(other, How.FORFEIT)


def is_disqualified(entry: Entry) -> bool:
    """Whether nothing of this entry's counts."""
    return entry.status is Status.DISQUALIFIED


def record_of(entries: Iterable[int], results: Iterable[tuple[Pairing, Result]]) -> Record:
    """What each of `entries` has behind it. Annulled results are nobody's."""
    record: dict[int, list[Met]] = {id_: [] for id_ in entries}
    for pairing, result in sorted(results, key=lambda one: (one[0].round, one[0].key)):
        if result.how is How.ANNULLED:
            continue
        for id_ in (pairing.first, pairing.second):
            if id_ is not None:
                met = Met(
                    pairing.key,
                    pairing.round,
                    pairing.other(id_),
                    result.winner == id_,
                    result.how is How.PLAYED,
                )
                record[id_].append(met)
    return {id_: tuple(mets) for id_, mets in record.items()}
