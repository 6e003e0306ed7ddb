"""What formats that draw whole rounds have in common: which round is due, what is drawn in it, who stands where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count
from typing import Protocol

from bgmail.pairing.draw import Draw, Side
from bgmail.pairing.field import Field, How, Pairing, Result, Standing
from bgmail.pairing.ranking import Explained, explained, ranked, unlisted
from bgmail.pairing.record import entries_by_id, is_disqualified, judged, record_of, settled
from bgmail.pairing.tiebreaks import Table


class RoundByRound(Protocol):
    """A format that draws whole rounds."""

    def active(self, field: Field) -> tuple[int, ...]:
        """Who is paired, the best first."""


def due(format_: RoundByRound, field: Field, rounds: int | None) -> tuple[int, tuple[int, ...]] | None:
    """The round that is to be drawn now and who is to be paired in it: the rest of the one that runs, or the next.

    None while one runs, after the last of `rounds` (None: there is no last), and when fewer than two are left.
    """
    last = last_round(field)
    if is_open(field, before=last):
        return None
    rest = _unpaired(format_, field, last) if last else ()
    if rest:
        return last, rest
    if is_open(field) or (rounds is not None and last >= rounds):
        return None
    order = order_of(format_, field)
    return (last + 1, order) if len(order) > 1 else None


def next_round(format_: RoundByRound, field: Field, rounds: int | None) -> tuple[Pairing, ...]:
    """The pairings of what is due, the best placed first, the bye last; () if nothing is."""
    found = due(format_, field, rounds)
    if found is None:
        return ()
    round_, order = found
    before = before_round(field, round_)
    is_whole = all(pairing.round < round_ for pairing in field.pairings)
    to_come = rounds - round_ if rounds and is_whole else 0
    pairs = Draw(_sides(before, order), times_met(before), to_come).pairs()
    return tuple(
        _pairing(key, round_, pair) for key, pair in zip(_free_keys(field, round_), pairs, strict=False)
    )


def is_over(format_: RoundByRound, field: Field, rounds: int | None) -> bool:
    """Whether nothing runs and nothing is due."""
    return not is_open(field) and due(format_, field, rounds) is None


def standings_of(field: Field, criteria: Sequence[str], out: Mapping[int, int]) -> tuple[Standing, ...]:
    """Every entry; the disqualified at the end."""
    listed = [entry.id for entry in field.entries if not is_disqualified(entry)]
    left_out = sorted((entry.seed, entry.id) for entry in field.entries if is_disqualified(entry))
    return (
        *ranked(_table(field, out), listed, criteria),
        *unlisted([id_ for _, id_ in left_out], len(listed)),
    )


def explained_of(
    field: Field,
    criteria: Sequence[str],
    out: Mapping[int, int],
    lines: Sequence[Standing] | None,
    only: Collection[int] | None,
) -> dict[int, tuple[Explained, ...]]:
    """The criteria of every listed entry (of `only` these); `lines` None: the standings have to be made first."""
    return explained(_table(field, out), standings_of(field, criteria, out) if lines is None else lines, only)


def is_open(field: Field, before: int | None = None) -> bool:
    """Whether a pairing has no result yet; with `before`, one of an earlier round than that."""
    entries = entries_by_id(field)
    return any(
        settled(pairing, entries) is None
        for pairing in field.pairings
        if before is None or pairing.round < before
    )


def last_round(field: Field) -> int:
    """The highest round of any pairing, 0 if there is none."""
    return max((pairing.round for pairing in field.pairings), default=0)


def results_of(field: Field) -> list[tuple[Pairing, Result]]:
    """All that counts so far, with the results of the disqualified annulled."""
    entries = entries_by_id(field)
    return [(pairing, result) for pairing in field.pairings if (result := judged(pairing, entries))]


def _table(field: Field, out: Mapping[int, int]) -> Table:
    return Table(
        field, record_of(entries_by_id(field), results_of(field)), last_round(field), stand_in=True, out=out
    )


def last_rounds(field: Field) -> dict[int, int]:
    """For those who have left, the last round in which they had a pairing (0 if none)."""
    out = {entry.id: 0 for entry in field.entries if not entry.plays}
    for pairing in field.pairings:
        for id_ in (pairing.first, pairing.second):
            if id_ in out:
                out[id_] = max(out[id_], pairing.round)
    return out


def before_round(field: Field, round_: int) -> Field:
    """The field as it was before a round was drawn, with those who have left since."""
    earlier = tuple(pairing for pairing in field.pairings if pairing.round < round_)
    return Field(field.entries, earlier, field.lot)


def order_of(format_: RoundByRound, before: Field) -> tuple[int, ...]:
    """Who is to be paired, the best first."""
    order = format_.active(before)
    if before.pairings:
        return order
    seeds = {entry.id: entry.seed for entry in before.entries}
    return tuple(sorted(order, key=seeds.__getitem__))


def _unpaired(format_: RoundByRound, field: Field, round_: int) -> tuple[int, ...]:
    """Who should play in the round that runs and has no pairing there; () if all of these had none in the round
    before either: they have come since, and wait for the next."""
    paired = _paired(field, round_)
    if all(entry.id in paired for entry in field.entries if entry.plays):
        return ()
    rest = tuple(id_ for id_ in order_of(format_, before_round(field, round_)) if id_ not in paired)
    return rest if round_ == 1 or not _paired(field, round_ - 1).isdisjoint(rest) else ()


def _paired(field: Field, round_: int) -> set[int | None]:
    return {id_ for one in field.pairings if one.round == round_ for id_ in (one.first, one.second)}


def times_met(before: Field) -> Counter[frozenset[int]]:
    """How often two have met; whether it was played or not makes no difference, unless it was annulled."""
    return Counter(
        frozenset((pairing.first, pairing.second))
        for pairing in before.pairings
        if pairing.second is not None and not _is_annulled(pairing)
    )


def _is_annulled(pairing: Pairing) -> bool:
    return pairing.result is not None and pairing.result.how is How.ANNULLED


def _sides(before: Field, order: Sequence[int]) -> list[Side]:
    wins = {
        id_: sum(met.won for met in mets)
        for id_, mets in record_of(entries_by_id(before), results_of(before)).items()
    }
    byes, colours = byes_of(before), _colours(before)
    return [
        Side(
            id_,
            wins[id_],
            byes[id_],
            balance=sum(colours[id_]),
            last=(colours[id_] or [0])[-1],
            lot=int(before.drawn(id_)[:16], 16),
        )
        for id_ in order
    ]


def byes_of(before: Field) -> Counter[int]:
    """How many byes each entry has had."""
    return Counter(
        pairing.first for pairing in before.pairings if pairing.second is None and not _is_annulled(pairing)
    )


def _colours(before: Field) -> dict[int, list[int]]:
    """1 for each time White and -1 for each time Black, in order of rounds."""
    colours: dict[int, list[int]] = {entry.id: [] for entry in before.entries}
    for pairing in sorted(before.pairings, key=lambda one: one.round):
        if pairing.second is not None:
            colours[pairing.first].append(1)
            colours[pairing.second].append(-1)
    return colours


def _free_keys(field: Field, round_: int) -> Iterator[str]:
    taken = {pairing.key for pairing in field.pairings}
    return (key for board in count(1) if (key := f"r{round_}.{board}") not in taken)


def _pairing(key: str, round_: int, pair: tuple[int, int | None]) -> Pairing:
    first, second = pair
    return Pairing(key, round_, first, second, Result(first, How.BYE) if second is None else None)
