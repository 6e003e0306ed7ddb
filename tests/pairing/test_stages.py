"""Groups and then a knockout, and other formats one after the other."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bgmail.pairing.apart import apart
from bgmail.pairing.bracket import rounds, seats
from bgmail.pairing.elimination import DoubleElimination, Knockout
from bgmail.pairing.field import Field, Pairing, Status
from bgmail.pairing.plan import BadPlan, Plan
from bgmail.pairing.roundrobin import RoundRobin
from bgmail.pairing.stages import Stages
from tests.pairing.brackets import ALL, field_of, left, paired, played_out, still_open, won

GROUPS = Stages((RoundRobin(group_count=4), Knockout()), (2,))
FORMATS = (
    GROUPS,
    Stages((RoundRobin(), DoubleElimination()), (5,)),
    Stages((RoundRobin(group_count=3), Knockout(third_place=True)), (2,)),
    Stages((RoundRobin(group_count=2), RoundRobin(group_count=2), Knockout()), (3, 2)),
    Stages((Knockout(), RoundRobin()), (3,)),
)


def groups_over(size: int = 16, stages: Stages = GROUPS) -> Field:
    """The better seed has won each match of the groups, and the knockout is drawn."""
    field = paired(field_of(size), stages)
    while any(":" not in p.key for p in still_open(field)):
        for pairing in still_open(field):
            assert pairing.second is not None
            field = won(field, pairing.key, min(pairing.first, pairing.second))
        if stages.next(field):
            return paired(field, stages)
    return field


def second(field: Field) -> list[Pairing]:
    return [pairing for pairing in field.pairings if pairing.key.startswith("2:")]


@pytest.mark.parametrize("format_", FORMATS, ids=str)
def test_every_field_ends_whatever_happens(format_: Stages) -> None:
    for size in (2, 3, 5, 8, 11, 16, 21):
        for mishaps in (ALL, replace(ALL, leaving=0.0)):
            field = played_out(format_, field_of(size), random.Random(size), mishaps)
            shown = format_.standings(field)
            assert {line.entry for line in shown} == {entry.id for entry in field.entries}
            listed = [line.listed for line in shown]
            assert listed == sorted(listed, reverse=True)
            starts = sorted(p.round for p in field.pairings if ":" in p.key)
            before = [p.round for p in field.pairings if ":" not in p.key]
            assert not starts or starts[0] == max(before, default=0) + 1, "rounds count on"


def test_the_next_stage_waits_for_the_last_result_of_the_one_before() -> None:
    field = paired(field_of(8), GROUPS)
    *others, last = still_open(field)
    for pairing in others:
        field = won(field, pairing.key, pairing.first)
    assert GROUPS.next(field) == ()
    assert not GROUPS.finished(field)
    assert next(p.key for p in GROUPS.next(won(field, last.key, last.first))) == "2:w1.1"


def test_winners_of_groups_are_apart_and_people_of_one_group_in_different_halves() -> None:
    field = groups_over()
    group = {id_: n for n, ids in enumerate(RoundRobin(group_count=4).groups(field)) for id_ in ids}
    inside = GROUPS.inside(field, 1)
    assert [entry.id for entry in inside.entries[:4]] == [101, 102, 103, 104]
    first = sorted(second(field), key=lambda pairing: pairing.key)
    halves = [
        {group[id_] for p in half for id_ in (p.first, p.second or 0)} for half in (first[:2], first[2:])
    ]
    assert halves == [{0, 1, 2, 3}, {0, 1, 2, 3}]
    for pairing in first:
        assert sum(id_ in (101, 102, 103, 104) for id_ in (pairing.first, pairing.second)) == 1


def test_whatever_the_number_of_groups_two_of_one_are_in_different_halves() -> None:
    for groups in range(2, 33):
        order = list(range(2 * groups))
        ranks = {id_: id_ // groups for id_ in order}
        of = {id_: id_ % groups for id_ in order}
        chosen = apart(order, ranks, of)
        assert chosen[:groups] == order[:groups], "winners keep their seeds"
        assert sorted(chosen) == order
        seat = {seed: place for place, seed in enumerate(seats(2 ** rounds(len(order))))}
        half = {id_: seat[seed] >> (rounds(len(order)) - 1) for seed, id_ in enumerate(chosen, 1)}
        assert all(half[group] != half[group + groups] for group in range(groups))


def test_four_of_each_group_are_in_different_quarters() -> None:
    order = list(range(16))
    chosen = apart(order, {i: i // 4 for i in order}, {i: i % 4 for i in order})
    seat = {seed: place for place, seed in enumerate(seats(16))}
    quarter = {id_: seat[seed] // 4 for seed, id_ in enumerate(chosen, 1)}
    assert [len({quarter[id_] for id_ in order if id_ % 4 == group}) for group in range(4)] == [4] * 4


def test_who_has_left_does_not_go_on_but_the_next_of_the_group_does() -> None:
    field = paired(field_of(16), GROUPS)
    for pairing in still_open(field):
        assert pairing.second is not None
        field = won(field, pairing.key, min(pairing.first, pairing.second))
    field = paired(left(field, 101), GROUPS)
    going = {id_ for p in second(field) for id_ in (p.first, p.second)}
    third = RoundRobin(group_count=4).groups(field)[0][2]
    assert 101 not in going
    assert third in going
    assert len(going) == 8


def test_a_stage_that_has_begun_keeps_its_people_whatever_is_corrected_before() -> None:
    field = groups_over()
    before = second(field)
    for pairing in field.pairings:
        if ":" not in pairing.key and pairing.has(101) and pairing.second is not None:
            other = pairing.other(101)
            assert other is not None
            field = won(field, pairing.key, other)
    for later in (field, left(field, 102), left(field, 103, Status.DISQUALIFIED)):
        again = played_out(GROUPS, later, random.Random(1))
        assert [(p.first, p.second) for p in second(again)][: len(before)] == [
            (p.first, p.second) for p in before
        ]
        last = [line for line in GROUPS.standings(again) if line.rank == 1]
        assert len(last) == 1


def test_standings_name_everybody_by_the_last_stage_they_reached() -> None:
    field = groups_over()
    shown = GROUPS.standings(field)
    assert [line.rank for line in shown] == [1] * 8 + [9] * 4 + [13] * 4
    assert {line.out_in for line in shown[8:]} == {3}, "the groups had three rounds"
    field = played_out(GROUPS, field, random.Random(1), best_wins=True)
    shown = GROUPS.standings(field)
    assert [(line.rank, line.entry) for line in shown[:2]] == [(1, 101), (2, 102)]
    assert [line.out_in for line in shown[:5]] == [None, 6, 5, 5, 4]
    assert GROUPS.stage_of(field, 101) == 1
    assert GROUPS.stage_of(field, shown[-1].entry) == 0


def test_answers_do_not_depend_on_the_order_of_entries_and_pairings() -> None:
    field = groups_over(13)
    chance = random.Random(2)
    mixed = Field(
        tuple(chance.sample(field.entries, len(field.entries))),
        tuple(chance.sample(field.pairings, len(field.pairings))),
        field.lot,
    )
    open_ = still_open(field)[0]
    for one, other in (
        (field, mixed),
        (won(field, open_.key, open_.first), won(mixed, open_.key, open_.first)),
    ):
        assert GROUPS.next(one) == GROUPS.next(other)
        assert GROUPS.standings(one) == GROUPS.standings(other)


def test_a_plan_of_several_stages_is_one_format() -> None:
    data = {
        "stages": [
            {"format": "round_robin", "groups": 3, "advance": 2},
            {"format": "knockout", "third_place": True},
        ],
        "tie_breaks": ["head_to_head"],
    }
    format_ = Plan.from_data(data).format()
    assert format_ == Stages(
        (RoundRobin(1, 3, ("head_to_head",)), Knockout(("head_to_head",), third_place=True)), (2,)
    )
    assert Plan.from_data(Plan.from_data(data).data()) == Plan.from_data(data)


@pytest.mark.parametrize(
    ("stages", "code", "field"),
    [
        ([{"format": "round_robin"}, {"format": "knockout"}], "missing", "stages.0.advance"),
        ([{"format": "round_robin", "advance": 2}, {"format": "reentry"}], "not_here", "stages.1.format"),
        ([{"format": "knockout", "advance": 2}] * 4 + [{"format": "knockout"}], "out_of_range", "stages"),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused(stages: list[object], code: str, field: str) -> None:
    with pytest.raises(BadPlan) as refused:
        Plan.from_data({"stages": stages})
    assert (refused.value.code, refused.value.field) == (code, field)
