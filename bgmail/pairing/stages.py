"""Several formats one after the other: groups, then a knockout of those who came first in them.

The pairings of the second stage have keys that begin with "2:", and so on; rounds count through all stages.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Protocol, runtime_checkable

from bgmail.pairing.apart import apart
from bgmail.pairing.bracket import Bracket
from bgmail.pairing.field import Field, Format, Pairing, Standing, Status
from bgmail.pairing.ranking import Explained
from bgmail.pairing.tiebreaks import ROUND_OUT


@runtime_checkable
class Grouped(Protocol):
    """A format that may play in groups."""

    def groups(self, field: Field) -> tuple[tuple[int, ...], ...]:
        """The entries of each group."""


@runtime_checkable
class Explaining(Protocol):
    """A format that can say what its standings are made of."""

    def explained(
        self, field: Field, lines: Sequence[Standing] | None = None, only: Collection[int] | None = None
    ) -> dict[int, tuple[Explained, ...]]:
        """The values of every listed entry (of `only` these); `lines` are its standings, where they are known."""


@runtime_checkable
class Drawn(Protocol):
    """A format with a bracket, where the seeds say who meets whom."""

    def bracket(self, size: int) -> Bracket:
        """The bracket of that many entries."""


@dataclass(frozen=True, slots=True)
class Stages:
    """`formats` in order; after each but the last the first `advance` of each group go on (of all, where there are no
    groups). A stage begins when the one before is over.

    Seeds of the next stage: the winners of the groups in the order of the standings, then those who came second, and
    so on. Before a bracket, those of one rank are exchanged so that people from one group are in different halves of
    it, as far as that goes. Who has left does not go on: the next of the group does. Once a stage has begun, who is in
    it stays as it is, whatever is corrected in an earlier one; who leaves then is treated by the rules of the later
    stage alone, and only a disqualification reaches back.

    The standings are those of the last stage that has begun, then those who did not reach it by the stage before,
    with shared ranks where they had the same in different groups. `out_in` is the last round of the stage that was
    somebody's last.
    """

    formats: tuple[Format, ...]
    advance: tuple[int, ...]

    def next(self, field: Field) -> tuple[Pairing, ...]:
        """What the stage that is being played has to give, or the first of the next one."""
        number = self._running(field)
        shift = rounds_before(field, number)
        return tuple(
            replace(pairing, key=f"{prefix(number)}{pairing.key}", round=pairing.round + shift)
            for pairing in self.formats[number].next(self.inside(field, number))
        )

    def finished(self, field: Field) -> bool:
        """Whether the last stage is over."""
        number = self._running(field)
        is_last = number == len(self.formats) - 1
        return is_last and self.formats[number].finished(self.inside(field, number))

    def standings(self, field: Field) -> tuple[Standing, ...]:
        """Everybody, by the last stage that they reached."""
        last = begun(field)
        lines = list(self._lines(field, last))
        for number in reversed(range(last)):
            last_round = rounds_before(field, number + 1)
            lines = _joined(lines, self._lines(field, number), last_round)
        return tuple(lines)

    def explained(
        self, field: Field, lines: Sequence[Standing] | None = None, only: Collection[int] | None = None
    ) -> dict[int, tuple[Explained, ...]]:
        """The values of every listed entry (of `only` these) in the last stage that it reached, with what they are
        made of. The standings of each stage are made anew, whatever `lines` say."""
        del lines
        found: dict[int, tuple[Explained, ...]] = {}
        for number in range(begun(field) + 1):
            inside, format_ = self.inside(field, number), self.formats[number]
            if isinstance(format_, Explaining):
                shift = rounds_before(field, number)
                for entry, values in format_.explained(inside, None, only).items():
                    found[entry] = tuple(_later(value, shift) for value in values)
        return found

    def stage_of(self, field: Field, entry: int) -> int:
        """The last stage, from 0, that an entry has reached; it counts as reached once it has begun."""
        return next(
            n for n in range(begun(field), -1, -1) if entry in {e.id for e in self.inside(field, n).entries}
        )

    def inside(self, field: Field, number: int) -> Field:
        """The field as the format of one stage (from 0) is asked: its own entries with their seeds there, its own
        pairings, keys and rounds as if there were no other stage."""
        shift = rounds_before(field, number)
        own = tuple(
            replace(pairing, key=pairing.key.removeprefix(prefix(number)), round=pairing.round - shift)
            for pairing in field.pairings
            if _stage_of(pairing) == number
        )
        if number == 0:
            entries = field.entries
        else:
            by_id = {entry.id: entry for entry in field.entries}
            order = self._order(field, number, own)
            entries = tuple(replace(by_id[id_], seed=seed, group=0) for seed, id_ in enumerate(order, 1))
        later = {id_ for p in field.pairings if _stage_of(p) > number for id_ in (p.first, p.second)}
        entries = tuple(
            replace(entry, status=Status.IN)
            if entry.id in later and entry.status is not Status.DISQUALIFIED
            else entry
            for entry in entries
        )
        return Field(entries, own, field.lot)

    def _running(self, field: Field) -> int:
        number = begun(field)
        while number < len(self.formats) - 1 and self.formats[number].finished(self.inside(field, number)):
            number += 1
        return number

    def _lines(self, field: Field, number: int) -> Iterator[Standing]:
        """The standings of one stage, in rounds of the whole tournament."""
        shift = rounds_before(field, number)
        for line in self.formats[number].standings(self.inside(field, number)):
            values = tuple((name, v + shift if name == ROUND_OUT else v) for name, v in line.values)
            yield (
                replace(line, out_in=None if line.out_in is None else line.out_in + shift, values=values)
                if shift
                else line
            )

    def _order(self, field: Field, number: int, own: Sequence[Pairing]) -> list[int]:
        """The entries of a later stage by seed. Those who are paired there already are all there are."""
        paired = {id_ for pairing in own for id_ in (pairing.first, pairing.second)}
        before, format_ = self.inside(field, number - 1), self.formats[number - 1]
        plays = {entry.id for entry in before.entries if entry.plays}
        order = [line.entry for line in format_.standings(before) if line.listed and line.entry in plays]
        if paired:
            return [id_ for id_ in order if id_ in paired] + sorted(
                id_ for id_ in paired if id_ is not None and id_ not in order
            )
        place = {id_: index for index, id_ in enumerate(order)}
        groups = [
            sorted((id_ for id_ in group if id_ in place), key=place.__getitem__)[: self.advance[number - 1]]
            for group in (format_.groups(before) if isinstance(format_, Grouped) else (tuple(order),))
        ]
        ranks = {id_: rank for group in groups for rank, id_ in enumerate(group)}
        going = sorted(ranks, key=lambda id_: (ranks[id_], place[id_]))
        if len(groups) > 1 and isinstance(self.formats[number], Drawn):
            return apart(going, ranks, {id_: index for index, group in enumerate(groups) for id_ in group})
        return going


def _later(one: Explained, rounds: int) -> Explained:
    """The round of elimination in rounds of the whole tournament."""
    if one.criterion != ROUND_OUT:
        return one
    moved = tuple(replace(part, points=part.points + rounds) for part in one.parts)
    return replace(one, value=one.value + rounds, parts=moved)


def _joined(reached: list[Standing], lines: Iterator[Standing], last_round: int) -> list[Standing]:
    """The lines of those who reached a stage, then those of the stage before who didn't, then the unlisted."""
    known = {line.entry for line in reached}
    rest = [line for line in lines if line.entry not in known]
    listed = [line for line in reached if line.listed]
    for _, group in groupby((line for line in rest if line.listed), lambda line: line.rank):
        rank = len(listed) + 1
        listed += [replace(line, rank=rank, out_in=last_round, decided_by="") for line in group]
    left_out = [line for line in (*reached, *rest) if not line.listed]
    return [*listed, *(replace(line, rank=len(listed) + 1) for line in left_out)]


def prefix(number: int) -> str:
    """What the keys of a stage (from 0) begin with."""
    return f"{number + 1}:" if number else ""


def _stage_of(pairing: Pairing) -> int:
    stage, colon, _ = pairing.key.partition(":")
    return int(stage) - 1 if colon else 0


def begun(field: Field) -> int:
    """The last stage that has pairings."""
    return max((_stage_of(pairing) for pairing in field.pairings), default=0)


def rounds_before(field: Field, number: int) -> int:
    """How many rounds the stages before `number` have had."""
    return max((p.round for p in field.pairings if _stage_of(p) < number), default=0)
