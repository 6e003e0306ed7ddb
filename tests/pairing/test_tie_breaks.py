"""The tie-breaks, by examples counted by hand and by a second, slow way to count them."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bgmail.pairing.elimination import DoubleElimination, Knockout
from bgmail.pairing.field import Entry, Field, How, Pairing, Result, Standing
from bgmail.pairing.roundrobin import RoundRobin
from bgmail.pairing.stages import Stages
from bgmail.pairing.swiss import Swiss, SwissElimination
from bgmail.pairing.tiebreaks import TIE_BREAKS
from tests.pairing.events import Event, entries, field_of, won

A, B, C, D, E = (entry.id for entry in entries(5))
ALL = (
    "head_to_head",
    "buchholz",
    "median_buchholz",
    "sonneborn_berger",
    "higher_placed",
    "round_out",
    "rating",
)


def values(lines: tuple[Standing, ...], name: str) -> dict[int, float]:
    return {line.entry: dict(line.values)[name] for line in lines if name in dict(line.values)}


def five() -> Field:
    """Five players, three rounds: A beats B, D and E; B beats C, then has the bye; C has it first and beats D;
    D beats E, who has the bye in round 2.

    Wins: A 3, B 2, C 2, E 1, D 1.
    """
    return Field(
        entries(5),
        (
            *won((A, B), (D, E)),
            Pairing("r1.3", 1, C, None, Result(C, How.BYE)),
            *won((A, D), (B, C), round_=2),
            Pairing("r2.3", 2, E, None, Result(E, How.BYE)),
            *won((C, D), (A, E), round_=3),
            Pairing("r3.3", 3, B, None, Result(B, How.BYE)),
        ),
        "lot",
    )


def test_buchholz_adds_up_the_wins_of_all_opponents_and_a_bye_is_half_of_the_rounds_at_most() -> None:
    lines = Swiss(3, ("buchholz",)).standings(five())
    assert values(lines, "buchholz") == {
        A: 2 + 1 + 1,  # B, D, E
        B: 3 + 2 + 1.5,  # A, C, and the bye: two wins, but no more than half of three rounds
        C: 1.5 + 2 + 1,  # the bye, B, D
        D: 1 + 3 + 2,  # E, A, C
        E: 1 + 1 + 3,  # D, the bye with one win as E itself has, A
    }
    assert [line.entry for line in lines] == [A, B, C, D, E]
    assert [line.decided_by for line in lines] == ["", "wins", "buchholz", "wins", "buchholz"]


def test_the_median_leaves_out_the_best_and_the_worst_opponent() -> None:
    assert values(Swiss(3, ("median_buchholz",)).standings(five()), "median_buchholz") == {
        A: 1,
        B: 2,
        C: 1.5,
        D: 2,
        E: 1,
    }


def test_sonneborn_berger_adds_up_the_wins_of_those_who_were_beaten() -> None:
    assert values(Swiss(3, ("sonneborn_berger",)).standings(five()), "sonneborn_berger") == {
        A: 2 + 1 + 1,
        B: 2 + 1.5,
        C: 1.5 + 1,
        D: 1,
        E: 1,
    }


def test_wins_against_the_higher_placed_are_those_against_opponents_with_more_wins() -> None:
    field = replace(five(), pairings=(*five().pairings, *won((E, B), round_=4)))
    lines = Swiss(4, ("higher_placed",)).standings(field)
    assert values(lines, "higher_placed") == {A: 0, B: 0, C: 0, D: 1, E: 0}
    assert [line.entry for line in lines][:1] == [A]


def test_head_to_head_decides_between_those_who_have_all_met() -> None:
    lines = Swiss(3, ("head_to_head",)).standings(five())
    assert values(lines, "head_to_head") == {B: 1, C: 0, D: 1, E: 0}
    assert [line.entry for line in lines] == [A, B, C, D, E]
    assert [line.decided_by for line in lines] == ["", "wins", "head_to_head", "wins", "head_to_head"]


def test_head_to_head_is_passed_over_where_some_of_the_tied_have_not_met() -> None:
    field = Field(
        entries(4), won((A, B), (C, D)) + won((C, A), (B, D), round_=2) + won((A, D), (B, C), round_=3)
    )
    lines = Swiss(3, ("head_to_head",)).standings(field)
    assert [line.wins for line in lines] == [2, 2, 2, 0]
    assert values(lines, "head_to_head") == {A: 1, B: 1, C: 1}
    without = replace(field, pairings=field.pairings[1:])
    lines = Swiss(3, ("head_to_head",)).standings(without)
    assert values(lines, "head_to_head") == {B: 1, C: 0}, "B and C have two wins, and have met"
    uneven = replace(field, pairings=(*won((A, B)), *won((C, D))))
    assert values(Swiss(3, ("head_to_head",)).standings(uneven), "head_to_head") == {}


def test_rating_and_lot_decide_last() -> None:
    field = Field(
        tuple(Entry(id_, seed, 1500 + seed % 2) for seed, id_ in enumerate((A, B, C, D), 1)), (), "lot"
    )
    lines = Swiss(3, ("rating",)).standings(field)
    assert {lines[0].entry, lines[1].entry} == {A, C}
    drawn = {id_: field.drawn(id_) for id_ in (A, C)}
    assert lines[0].entry == min(drawn, key=drawn.__getitem__)
    assert [line.decided_by for line in lines] == ["", "lot", "rating", "lot"]
    assert [line.rank for line in lines] == [1, 2, 3, 4]
    other = replace(field, lot="another")
    orders = {tuple(line.entry for line in Swiss(3).standings(one)) for one in (field, other)}
    assert len(orders) == 2


def test_the_round_of_elimination_comes_before_wins_in_an_elimination() -> None:
    field = Field(entries(4), won((A, B), (C, D)) + won((A, C), round_=2))
    lines = SwissElimination(1).standings(field)
    assert [line.entry for line in lines[:2]] == [A, C]
    assert values(lines, "round_out") == {A: 3, C: 2, B: 1, D: 1}
    assert [line.decided_by for line in lines] == ["", "round_out", "round_out", "lot"]


def test_in_a_round_robin_a_forfeit_counts_for_tie_breaks_as_if_played() -> None:
    pairings = (
        *won((A, B)),
        Pairing("r2.1", 2, A, C, Result(C, How.FORFEIT)),
        Pairing("r3.1", 3, B, C, Result(None, How.FORFEIT)),
    )
    lines = RoundRobin(tie_breaks=("sonneborn_berger", "buchholz")).standings(Field(entries(3), pairings))
    assert values(lines, "sonneborn_berger") == {A: 0, C: 1, B: 0}
    assert values(lines, "buchholz") == {A: 1, C: 1, B: 2}
    assert {line.entry: line.played for line in lines} == {A: 1, B: 1, C: 0}
    assert {line.entry: line.losses for line in lines} == {A: 1, B: 2, C: 1}


@pytest.mark.parametrize("tie_break", [*TIE_BREAKS, "wins", "lot"])
def test_every_value_is_the_sum_of_the_parts_that_explain_it(tie_break: str) -> None:
    chosen = (tie_break,) if tie_break in TIE_BREAKS else ()
    groups = RoundRobin(1, 3, chosen)
    formats: list[Any] = [Swiss(5, chosen), SwissElimination(2, chosen), groups]
    formats += [
        Knockout(chosen, third_place=True),
        DoubleElimination(chosen),
        Stages((groups, Knockout(chosen)), (2,)),
    ]
    for format_ in formats:
        field = Event(format_, field_of(9), Random(4), forfeits=0.2, leaving=0.02).play()
        explained = format_.explained(field)
        for line in format_.standings(field):
            found = explained.get(line.entry, ())
            assert tuple((one.criterion, one.value) for one in found) == line.values
            for one in found:
                assert one.parts or one.value == 0 or one.criterion == "third_place"
                assert sum(part.points for part in one.parts if part.counts) == one.value or not one.parts


def slow_order(field: Field, chosen: tuple[str, ...], is_swiss: bool) -> list[int]:
    """Everybody by wins and the chosen tie-breaks, compared two by two as a person would."""
    ids = [entry.id for entry in field.entries]
    results = [one for one in field.pairings if one.result is not None]
    rounds = max(one.round for one in field.pairings)
    wins = {id_: len([one for one in results if one.result and one.result.winner == id_]) for id_ in ids}

    def worth(id_: int, one: Pairing) -> float:
        other = one.other(id_)
        if other is None or (is_swiss and one.result and one.result.how is not How.PLAYED):
            return min(wins[id_], rounds / 2)
        return wins[other]

    def value(name: str, id_: int, tied: list[int]) -> float:
        mine = [one for one in results if one.has(id_)]
        beaten = [one for one in mine if one.result and one.result.winner == id_]
        real = [one for one in beaten if not is_swiss or (one.result and one.result.how is How.PLAYED)]
        simple = {
            "buchholz": sum(worth(id_, one) for one in mine),
            "median_buchholz": sum(sorted(worth(id_, one) for one in mine)[1:-1]),
            "sonneborn_berger": sum(worth(id_, one) for one in beaten),
            "rating": field.entry(id_).rating,
            "higher_placed": len([one for one in real if wins[one.other(id_) or id_] > wins[id_]]),
        }
        if name in simple:
            return simple[name]
        assert name == "head_to_head"
        games = [[one for one in results if one.has(a) and one.has(b)] for a in tied for b in tied if a < b]
        if len({len(some) for some in games}) != 1 or not games[0]:
            return 0
        return len([one for one in beaten if one.other(id_) in tied])

    groups = [ids]
    for name in ("wins", *chosen, "lot"):
        split = []
        for group in groups:
            by: dict[float | str, list[int]] = {}
            for id_ in group:
                key = (
                    -wins[id_]
                    if name == "wins"
                    else field.drawn(id_)
                    if name == "lot"
                    else -value(name, id_, group)
                )
                by.setdefault(key, []).append(id_)
            split += [by[key] for key in sorted(by)]  # type: ignore[type-var]
        groups = split
    return [id_ for group in groups for id_ in group]


@pytest.mark.parametrize("seed", range(40))
def test_the_order_is_that_of_the_slow_check(seed: int) -> None:
    random = Random(seed)
    chosen = tuple(random.sample([name for name in ALL if name != "round_out"], random.randint(0, 4)))
    size = random.randint(2, 14)
    is_swiss = random.random() < 0.6
    format_ = (
        Swiss(random.randint(1, 6), chosen) if is_swiss else RoundRobin(random.choice([1, 2]), 1, chosen)
    )
    field = Event(format_, field_of(size, str(seed)), random, forfeits=0.15).play()
    assert [line.entry for line in format_.standings(field)] == slow_order(field, chosen, is_swiss)
