"""Plays a tournament of any format to its end, with chance that a seed repeats."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from bgmail.pairing.field import Entry, Field, Format, How, Pairing, Result, Status

LEFT = (Status.WITHDRAWN, Status.EXCLUDED, Status.DISQUALIFIED)


def field_of(size: int, lot: str = "lot") -> Field:
    """Entries 101, 102, ... with seeds 1, 2, ..."""
    return Field(tuple(Entry(100 + seed, seed) for seed in range(1, size + 1)), lot=lot)


@dataclass(frozen=True)
class Mishaps:
    """How often, for one result: somebody leaves; a pairing ends without play; both are absent."""

    leaving: float = 0.0
    forfeit: float = 0.0
    both_absent: float = 0.0


NONE = Mishaps()
ALL = Mishaps(leaving=0.08, forfeit=0.1, both_absent=0.05)


def closed(field: Field, key: str, result: Result) -> Field:
    """The field with that result."""
    return replace(
        field, pairings=tuple(replace(p, result=result) if p.key == key else p for p in field.pairings)
    )


def won(field: Field, key: str, winner: int, how: How = How.PLAYED) -> Field:
    """The field with a winner of that pairing."""
    return closed(field, key, Result(winner, how))


def left(field: Field, id_: int, status: Status = Status.WITHDRAWN) -> Field:
    """The field without somebody; whatever they had open stays as it was."""
    return replace(
        field, entries=tuple(replace(e, status=status) if e.id == id_ else e for e in field.entries)
    )


def paired(field: Field, format_: Format) -> Field:
    """The field with all that is certain now; a walkover may be the last that a next stage has waited for."""
    while new := format_.next(field):
        assert {p.key for p in new}.isdisjoint(p.key for p in field.pairings), "nothing is given twice"
        field = replace(field, pairings=(*field.pairings, *new))
    return field


def still_open(field: Field) -> list[Pairing]:
    """The pairings that can be played: both are still here."""
    plays = {entry.id for entry in field.entries if entry.plays}
    return [p for p in field.pairings if p.result is None and {p.first, p.second} <= plays]


def played_out(
    format_: Format, field: Field, chance: random.Random, mishaps: Mishaps = NONE, best_wins: bool = False
) -> Field:
    """The field when nothing is left to be played. Whatever a format says on the way must hold together."""
    for _ in range(20 * len(field.entries) ** 2 + 20):
        field = paired(field, format_)
        assert len({p.key for p in field.pairings}) == len(field.pairings), "a key stands once"
        open_ = still_open(field)
        if not open_:
            break
        for pairing in chance.sample(open_, min(3, len(open_))):
            if pairing in still_open(field):
                field = _something(field, pairing, chance, mishaps, best_wins)
        if chance.random() < 0.1:
            assert {line.entry for line in format_.standings(field)} == {entry.id for entry in field.entries}
    assert format_.finished(field), "nobody waits for anybody"
    assert not still_open(field)
    return field


def _something(
    field: Field, pairing: Pairing, chance: random.Random, mishaps: Mishaps, best_wins: bool
) -> Field:
    if chance.random() < mishaps.leaving:
        gone = chance.choice([entry.id for entry in field.entries if entry.plays])
        return left(field, gone, chance.choice(LEFT))
    if chance.random() < mishaps.both_absent:
        return closed(field, pairing.key, Result(None, How.FORFEIT))
    assert pairing.second is not None
    sides = sorted((pairing.first, pairing.second), key=lambda id_: field.entry(id_).seed)
    how = How.FORFEIT if chance.random() < mishaps.forfeit else How.PLAYED
    return won(field, pairing.key, sides[0] if best_wins else chance.choice(sides), how)
