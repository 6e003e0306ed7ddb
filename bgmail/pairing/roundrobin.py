"""Round robin: everybody meets everybody, once or more often, in one group or several."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from bgmail.pairing.field import Entry, Field, How, Pairing, Result, Standing
from bgmail.pairing.ranking import Explained, explained, ranked, unlisted
from bgmail.pairing.record import entries_by_id, is_disqualified, record_of, settled
from bgmail.pairing.tiebreaks import LOT, WINS, Table

Pair = tuple[int, int]


def deal(entries: Sequence[Entry], groups: int) -> dict[int, int]:
    """The group (from 1) of each entry, by its id: as it stands in the entry, and dealt there and back by seed for
    those that have none (1 2 3 3 2 1 1 2 3 ...)."""
    dealt = {}
    for place, entry in enumerate(sorted(entries, key=lambda one: one.seed)):
        lap, step = divmod(place, groups)
        dealt[entry.id] = entry.group or (step if lap % 2 == 0 else groups - 1 - step) + 1
    return dealt


def circle(entries: Sequence[int]) -> Iterator[tuple[int, Pair]]:
    """Every two of `entries` once, as (round from 1, (White, Black)), by the circle method.

    One place stands still and the others go round it; who meets nobody in a round has it free. White and Black
    alternate for everybody but once, and nobody has two more of one than of the other.
    """
    places = [*entries, None] if len(entries) % 2 else list(entries)
    still, ring = len(places) - 1, len(places) - 1
    for number in range(ring):
        for step in range(len(places) // 2):
            one, other = places[(number + step) % ring], places[(number - step) % ring if step else still]
            if one is not None and other is not None:
                turned = number % 2 if step == 0 else (step + 1) % 2
                yield number + 1, (other, one) if turned else (one, other)


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """Everybody meets everybody else of the same group `meetings` times, with White and Black in turn.

    All pairings are given at once, in the order of the circle; those of a round have nobody twice. Groups are dealt
    by seed unless the entries name theirs.

    Who withdraws or is excluded with fewer than half of the matches behind it (played, or won because the other
    didn't come; of all those that the entry would have had) is not listed: none of its results counts for anybody.
    With half or more it stays, and what is unplayed is lost without play ("+" for the opponents). Of the
    disqualified nothing counts, however much was played. Rating and record of the players aren't touched by any of
    this.

    In groups, ranks are those within the group, and the standings begin with all that are first of theirs; between
    those of one rank the larger share of wins comes first, then the better seed.
    """

    meetings: int = 1
    group_count: int = 1
    tie_breaks: tuple[str, ...] = ()

    def next(self, field: Field) -> tuple[Pairing, ...]:
        """All pairings that the field has not yet. One of somebody who has left is given with its result, where it
        counts, and not at all where not."""
        entries, counting = entries_by_id(field), set(self._counting(field))
        answer = []
        for pairing in self._missing(field):
            stay = [id_ for id_ in (pairing.first, pairing.second) if id_ is not None and entries[id_].plays]
            if len(stay) == 2:
                answer.append(pairing)
            elif pairing.first in counting and pairing.second in counting:
                result = Result(stay[0] if stay else None, How.FORFEIT)
                answer.append(Pairing(pairing.key, pairing.round, pairing.first, pairing.second, result))
        return tuple(answer)

    def standings(self, field: Field) -> tuple[Standing, ...]:
        """Every entry; those that are not listed at the end."""
        table = self._table(field)
        groups = [
            ranked(table, [id_ for id_ in group if id_ in table.record], self._criteria)
            for group in self.groups(field)
        ]
        seeds = {entry.id: entry.seed for entry in field.entries}
        lines = list(chain.from_iterable(groups))
        if len(groups) > 1:
            share = {line.entry: line.wins / max(1, len(table.record[line.entry])) for line in lines}
            lines.sort(key=lambda line: (line.rank, -share[line.entry], seeds[line.entry]))
        left_out = sorted((id_ for id_ in seeds if id_ not in table.record), key=seeds.__getitem__)
        return (*lines, *unlisted(left_out, max((line.rank for line in lines), default=0)))

    def finished(self, field: Field) -> bool:
        """Whether every pairing that counts is over."""
        entries = entries_by_id(field)
        return all(settled(pairing, entries) for pairing in field.pairings) and not any(
            pairing.result is None for pairing in self.next(field)
        )

    def groups(self, field: Field) -> tuple[tuple[int, ...], ...]:
        """The entries of each group, by seed."""
        dealt = deal(field.entries, self.group_count)
        order = [entry.id for entry in sorted(field.entries, key=lambda one: one.seed)]
        return tuple(
            tuple(id_ for id_ in order if dealt[id_] == group) for group in sorted(set(dealt.values()))
        )

    def explained(
        self, field: Field, lines: Sequence[Standing] | None = None, only: Collection[int] | None = None
    ) -> dict[int, tuple[Explained, ...]]:
        """The criteria of every listed entry (of `only` these) with what each is made of; `lines` are its standings,
        where they are known already."""
        table, known = self._table(field), self.standings(field) if lines is None else lines
        return {
            entry: values
            for group in self.groups(field)
            for entry, values in explained(
                table, [line for line in known if line.entry in group], only
            ).items()
        }

    @property
    def _criteria(self) -> tuple[str, ...]:
        return (WINS, *self.tie_breaks, LOT)

    def _table(self, field: Field) -> Table:
        """The record of those who count, with the walkovers that nobody has written down yet."""
        entries, counting = entries_by_id(field), self._counting(field)
        among = set(counting)
        results = [
            (pairing, result)
            for pairing in (*field.pairings, *self._missing(field))
            if pairing.first in among and pairing.second in among and (result := settled(pairing, entries))
        ]
        rounds = max((pairing.round for pairing in field.pairings), default=0)
        return Table(field, record_of(counting, results), rounds)

    def _missing(self, field: Field) -> Iterator[Pairing]:
        """The meetings that are in no pairing of the field."""
        made: dict[frozenset[int | None], int] = {}
        for pairing in field.pairings:
            pair = frozenset((pairing.first, pairing.second))
            made[pair] = made.get(pair, 0) + 1
        everything = chain.from_iterable(self._schedule(group) for group in self.groups(field))
        for meeting, number, (first, second) in sorted(everything, key=lambda one: one[:2]):
            if made.get(frozenset((first, second)), 0) < meeting:
                low, high = sorted((first, second))
                yield Pairing(f"r{number}.{low}-{high}", number, first, second)

    def _schedule(self, group: Sequence[int]) -> Iterator[tuple[int, int, Pair]]:
        """All meetings of a group as (meeting from 1, round from 1, (White, Black))."""
        rounds = len(group) - 1 + len(group) % 2
        for meeting in range(self.meetings):
            for number, (first, second) in circle(group):
                pair = (second, first) if meeting % 2 else (first, second)
                yield meeting + 1, meeting * rounds + number, pair

    def _counting(self, field: Field) -> list[int]:
        """Those whose results count, by group and seed."""
        entries = entries_by_id(field)
        counting = []
        for group in self.groups(field):
            matches = self.meetings * (len(group) - 1)
            counting += [id_ for id_ in group if _stands(field, entries[id_], matches)]
        return counting


def _stands(field: Field, entry: Entry, matches: int) -> bool:
    """Whether the entry still plays, or left with half of its matches behind it."""
    if entry.plays or is_disqualified(entry):
        return entry.plays
    return 2 * sum(_is_behind(pairing, entry.id) for pairing in field.pairings) >= matches


def _is_behind(pairing: Pairing, entry: int) -> bool:
    """Whether this is a match that the entry has played, or won because the other didn't."""
    result = pairing.result
    if result is None or not pairing.has(entry):
        return False
    return result.how is How.PLAYED or (result.how is How.FORFEIT and result.winner == entry)
