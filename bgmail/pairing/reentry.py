"""Who comes back into the vacant places of a first round."""

from __future__ import annotations

from collections import defaultdict

from bgmail.pairing.bracket import Bracket, Fixture, Kind
from bgmail.pairing.field import Field, How, Pairing
from bgmail.pairing.progress import NOBODY, PENDING, Side, made
from bgmail.pairing.record import entries_by_id


def coming_back(field: Field, bracket: Bracket, inside: tuple[int, ...], most: int) -> dict[str, Side]:
    """For each vacant place that no pairing has filled yet, by the key of its fixture: who comes, or nobody ever, or
    that it is open. The lowest seeds get an opponent first; `inside` are the entries by seed."""
    first = {fixture.key: fixture for fixture in bracket.fixtures if fixture.round == 1}
    paired = {key: pairing for key, pairing in made(field).items() if key in first}
    vacant = [f for key, f in first.items() if f.sources[1].kind is Kind.VACANT and key not in paired]
    vacant.sort(key=lambda fixture: -fixture.sources[0].seed)
    lost = _may_return(field, [(first[key].number, pairing) for key, pairing in paired.items()], most)
    entries = entries_by_id(field)
    sides: dict[str, Side] = {}
    open_ = _still_playing(first, paired)
    for fixture in vacant:
        if lost:
            back = min(lost, key=lambda one: (-_height(fixture, lost[one]), inside.index(one)))
            del lost[back]
            sides[fixture.key] = Side(known=True, entry=back)
            open_ |= entries[inside[fixture.sources[0].seed - 1]].plays
    rest = PENDING if open_ else NOBODY
    return {fixture.key: sides.get(fixture.key, rest) for fixture in vacant}


def _may_return(field: Field, paired: list[tuple[int, Pairing]], most: int) -> dict[int, list[int]]:
    """Who may re-enter, with the numbers of the fixtures that they have lost: only what was played gives a right."""
    numbers: dict[int, list[int]] = defaultdict(list)
    barred = {id_ for id_, entry in entries_by_id(field).items() if not entry.plays}
    for number, pairing in paired:
        for entry in (pairing.first, pairing.second):
            if entry is None:
                continue
            numbers[entry].append(number)
            result = pairing.result
            if result is None or result.how is not How.PLAYED or result.winner == entry:
                barred.add(entry)
    return {id_: lost for id_, lost in numbers.items() if id_ not in barred and len(lost) <= most}


def _still_playing(first: dict[str, Fixture], paired: dict[str, Pairing]) -> bool:
    """Whether somebody may still lose in the first round."""
    return any(
        paired[key].result is None if key in paired else fixture.sources[1].kind is Kind.SEED
        for key, fixture in first.items()
    )


def _height(fixture: Fixture, lost: list[int]) -> int:
    """After how many rounds somebody in that fixture may first meet again whom it lost to."""
    return min(((fixture.number - 1) ^ (number - 1)).bit_length() for number in lost)
