"""A bracket filled with people: who sits where, what stands, and which meetings are certain now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

from bgmail.pairing.bracket import Bracket, Fixture, Kind, Part, Source, loser, winner
from bgmail.pairing.field import Field, How, Pairing, Result
from bgmail.pairing.record import entries_by_id, settled


@dataclass(frozen=True, slots=True)
class Side:
    """Who sits on one side of a fixture: `known` False = not decided yet; `entry` None = nobody, for certain."""

    known: bool
    entry: int | None = None


PENDING = Side(known=False)
NOBODY = Side(known=True)


@dataclass(frozen=True, slots=True)
class Filled:
    """A fixture with its people. `pairing` is the one that stands or is due now; `due` = it isn't in the field yet."""

    fixture: Fixture
    sides: tuple[Side, Side]
    pairing: Pairing | None = None
    due: bool = False
    over: bool = False

    @property
    def result(self) -> Result | None:
        """How it ended; None while it hasn't, or where nobody met."""
        return self.pairing.result if self.pairing else None


class Progress:
    """The state of one bracket.

    `places` are the entries by seed, the best first; `vacant` says who re-enters at which fixture. Recorded pairings
    bind: who is in one sits at its fixture, whatever has been corrected before it. An annulled pairing counts as
    never made. A departed entry loses each meeting that has no result; who meets nobody passes.
    """

    def __init__(
        self,
        field: Field,
        bracket: Bracket,
        places: tuple[int, ...],
        vacant: Mapping[str, Side] | None = None,
    ) -> None:
        self.bracket = bracket
        self.places = places
        self.vacant = vacant or {}
        self.entries = entries_by_id(field)
        self._made = made(field)
        self._before: dict[str, list[Pairing]] = defaultdict(list)
        for pairing in field.pairings:
            self._before[fixture_of(pairing.key)].append(pairing)
        self._of: dict[Source, Side] = {}
        self.filled: dict[str, Filled] = {}
        for fixture in bracket.fixtures:
            self.filled[fixture.key] = self._meet(fixture)

    @property
    def due(self) -> tuple[Pairing, ...]:
        """The pairings that are certain now and not in the field yet, the earlier rounds first."""
        new = [(m.fixture.round, m.pairing) for m in self.filled.values() if m.due and m.pairing]
        return tuple(pairing for _, pairing in sorted(new, key=lambda pair: pair[0]))

    @property
    def over(self) -> bool:
        """Whether nothing is left to be played or recorded."""
        return all(met.over and not met.due for met in self.filled.values())

    @property
    def champion(self) -> int | None:
        """Who has won the bracket; None while that is open, or when nobody did."""
        if not self.bracket.finals:
            return self.places[0] if self.places else None
        last = [self.filled[f.key] for f in self.bracket.finals]
        if not all(met.over for met in last):
            return None
        decisive = last[-1] if last[-1].pairing else last[0]
        return decisive.result.winner if decisive.result else None

    def seats(self) -> dict[int, tuple[Filled, ...]]:
        """Where each entry sits or has sat, in the order of the bracket, apart from the match for third place."""
        found: dict[int, list[Filled]] = defaultdict(list)
        for met in self.filled.values():
            if met.fixture.part is not Part.THIRD:
                for side in met.sides:
                    if side.entry is not None:
                        found[side.entry].append(met)
        return {entry: tuple(mets) for entry, mets in found.items()}

    def _meet(self, fixture: Fixture) -> Filled:
        pairing = self._made.get(fixture.key)
        if pairing is not None:
            sides = (Side(known=True, entry=pairing.first), Side(known=True, entry=pairing.second))
            return self._end(Filled(fixture, sides, pairing, over=pairing.result is not None))
        if fixture.if_needed and not self._needed(fixture):
            return self._end(Filled(fixture, (NOBODY, NOBODY), over=self._known(fixture)))
        sides = (self._side(fixture, 0), self._side(fixture, 1))
        if not (sides[0].known and sides[1].known):
            return self._end(Filled(fixture, sides))
        pairing = self._pair(fixture, sides)
        over = pairing is None or pairing.result is not None
        return self._end(Filled(fixture, sides, pairing, due=pairing is not None, over=over))

    def _end(self, met: Filled) -> Filled:
        """Writes down who comes out of a fixture."""
        up, down = winner(met.fixture.key), loser(met.fixture.key)
        if not met.over:
            self._of[up] = self._of[down] = PENDING
        elif met.result is None or met.result.winner is None or met.pairing is None:
            self._of[up] = self._of[down] = NOBODY  # both absent: neither goes on, in either bracket
        else:
            self._of[up] = Side(known=True, entry=met.result.winner)
            self._of[down] = Side(known=True, entry=met.pairing.other(met.result.winner))
        return met

    def _side(self, fixture: Fixture, side: int) -> Side:
        source = fixture.sources[side]
        if source.kind is Kind.SEED:
            return Side(known=True, entry=self._seeded(fixture, side, source.seed))
        if source.kind is Kind.BYE:
            return NOBODY
        if source.kind is Kind.VACANT:
            return self.vacant.get(fixture.key, PENDING)
        return self._of[source]

    def _seeded(self, fixture: Fixture, side: int, seed: int) -> int | None:
        """Who was drawn there, even if the pairing has been annulled since."""
        drawn = self._before.get(fixture.key)
        if not drawn:
            return self.places[seed - 1]
        first = min(drawn, key=lambda pairing: len(pairing.key))
        return first.second if side else first.first

    def _pair(self, fixture: Fixture, sides: tuple[Side, Side]) -> Pairing | None:
        here = [self.entries[side.entry] for side in sides if side.entry is not None]
        key = again(fixture.key, len(self._before.get(fixture.key, ())))
        if len(here) == 2:
            pairing = Pairing(key, fixture.round, here[0].id, here[1].id)
            return replace(pairing, result=settled(pairing, self.entries))
        if here and here[0].plays:
            return Pairing(key, fixture.round, here[0].id, None, Result(here[0].id, How.BYE))
        return None

    def _known(self, fixture: Fixture) -> bool:
        return all(self._of[source].known for source in fixture.sources)

    def _needed(self, fixture: Fixture) -> bool:
        """A second final: the unbeaten side has lost the first, and still plays."""
        before = self.filled[fixture.sources[0].key]
        beaten = self._of[fixture.sources[1]].entry
        return beaten is not None and beaten == before.sides[0].entry and self.entries[beaten].plays


def made(field: Field) -> dict[str, Pairing]:
    """The pairings that stand, by the fixture they belong to; those that a departure has ended have their result."""
    entries = entries_by_id(field)
    standing = {}
    for pairing in field.pairings:
        if pairing.result is not None and pairing.result.how is How.ANNULLED:
            continue
        standing[fixture_of(pairing.key)] = replace(pairing, result=settled(pairing, entries))
    return standing


def again(key: str, before: int) -> str:
    """The key of a fixture's next pairing: the plain one, or with a number after `before` annulled ones."""
    return f"{key}-{before + 1}" if before else key


def fixture_of(key: str) -> str:
    """The fixture that a pairing's key names."""
    return key.partition("-")[0]
