"""What is counted in the pairings of a field."""

from __future__ import annotations

from collections import Counter

from bgmail.pairing.field import Field, Pairing


def met(field: Field) -> Counter[frozenset[int | None]]:
    return Counter(frozenset((one.first, one.second)) for one in field.pairings if one.second is not None)


def byes(field: Field) -> Counter[int]:
    return Counter(one.first for one in field.pairings if one.second is None)


def rounds(field: Field) -> list[list[Pairing]]:
    last = max((one.round for one in field.pairings), default=0)
    return [[one for one in field.pairings if one.round == number] for number in range(1, last + 1)]


def nobody_twice_in_a_round(field: Field) -> bool:
    for round_ in rounds(field):
        playing = [id_ for one in round_ for id_ in (one.first, one.second) if id_ is not None]
        if len(playing) != len(set(playing)):
            return False
    return True
