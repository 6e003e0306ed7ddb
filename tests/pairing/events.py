"""Plays tournaments with random results, so that properties can be asked of every format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from bgmail.pairing.field import Entry, Field, Format, How, Pairing, Result, Status

MOST_PAIRINGS = 20_000
LEAVING = (Status.WITHDRAWN, Status.EXCLUDED, Status.DISQUALIFIED)


def entries(count: int) -> tuple[Entry, ...]:
    """Ids that are no seeds, so that the one is never taken for the other."""
    return tuple(Entry(100 + 7 * seed, seed, 2000.0 - 10 * seed) for seed in range(1, count + 1))


def field_of(count: int, lot: str = "lot") -> Field:
    return Field(entries(count), (), lot)


def with_status(field: Field, entry: int, status: Status) -> Field:
    changed = tuple(replace(one, status=status) if one.id == entry else one for one in field.entries)
    return replace(field, entries=changed)


def with_result(field: Field, key: str, result: Result | None) -> Field:
    changed = tuple(replace(one, result=result) if one.key == key else one for one in field.pairings)
    return replace(field, pairings=changed)


def with_pairings(field: Field, made: tuple[Pairing, ...]) -> Field:
    keys = {one.key for one in field.pairings}
    assert keys.isdisjoint(one.key for one in made), "a pairing was given twice"
    return replace(field, pairings=field.pairings + made)


def won(*pairs: tuple[int, int], round_: int = 1) -> tuple[Pairing, ...]:
    """Played pairings of one round, each with the winner first."""
    return tuple(
        Pairing(f"r{round_}.{board}", round_, winner, loser, Result(winner))
        for board, (winner, loser) in enumerate(pairs, 1)
    )


@dataclass
class Event:
    """A tournament played by chance: `forfeits` and `leaving` are chances, a result and a pairing. `whole_rounds`:
    all that is open ends before the format is asked again, which is cheaper."""

    format: Format
    field: Field
    random: Random
    forfeits: float = 0.0
    leaving: float = 0.0
    whole_rounds: bool = False

    def play(self, each: Callable[[Event], None] | None = None) -> Field:
        """To the end; `each` is called after every answer of the format."""
        while True:
            made = self.format.next(self.field)
            self.field = with_pairings(self.field, made)
            if each:
                each(self)
            if made and all(one.result for one in made):
                continue
            assert len(self.field.pairings) < MOST_PAIRINGS, "it doesn't end"
            open_ = [one for one in self.field.pairings if one.result is None]
            if not open_:
                assert self.format.next(self.field) == ()
                assert self.format.finished(self.field)
                return self.field
            assert not self.format.finished(self.field)
            for one in open_ if self.whole_rounds else [self.random.choice(open_)]:
                self._one(one)

    def _one(self, pairing: Pairing) -> None:
        if self.random.random() < self.leaving:
            self.leave(self.random.choice(self.field.entries).id)
        if next(one.result for one in self.field.pairings if one.key == pairing.key) is None:
            self.field = with_result(self.field, pairing.key, self.result(pairing))

    def result(self, pairing: Pairing) -> Result:
        assert pairing.second is not None
        sides = [pairing.first, pairing.second]
        winner = self.random.choice(sides)
        if self.random.random() < self.forfeits:
            return Result(winner if self.random.random() < 0.7 else None, How.FORFEIT)
        return Result(winner)

    def leave(self, entry: int) -> None:
        """Somebody leaves: what runs is a forfeit, as the service does it."""
        self.field = with_status(self.field, entry, self.random.choice(LEAVING))
        for one in self.field.pairings:
            if one.result is None and one.has(entry):
                other = one.other(entry)
                stays = other is not None and self.field.entry(other).plays
                self.field = with_result(self.field, one.key, Result(other if stays else None, How.FORFEIT))


def shuffled(field: Field, random: Random) -> Field:
    """The same field in another order."""
    return replace(
        field,
        entries=tuple(random.sample(field.entries, len(field.entries))),
        pairings=tuple(random.sample(field.pairings, len(field.pairings))),
    )
