"""How long tournaments still take: the longest chain of matches that is left."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bgmail.pairing.field import Format
from bgmail.pairing.outlook import Pace, remaining
from bgmail.pairing.plan import Plan
from tests.pairing.brackets import field_of, paired, still_open, won

DAY = Pace(lambda _one, _other: 1.0, {})


def plan(*stages: dict[str, object]) -> Format:
    return Plan.from_data({"stages": list(stages)}).format()


@pytest.mark.parametrize(
    ("format_", "size", "days"),
    [
        (plan({"format": "knockout"}), 8, 3),
        (plan({"format": "knockout"}), 9, 4),
        (plan({"format": "knockout", "third_place": True}), 8, 3),
        (
            plan({"format": "double_elimination"}),
            8,
            6,
        ),  # 2 losers' rounds more, the final of the losers, the final
        (plan({"format": "reentry"}), 6, 4),  # the vacant places wait for a round
        (plan({"format": "round_robin"}), 6, 1),
        (plan({"format": "swiss", "rounds": 5}), 8, 5),
        (plan({"format": "round_robin", "groups": 4, "advance": 2}, {"format": "knockout"}), 16, 4),
        (plan({"format": "swiss", "rounds": 3, "advance": 4}, {"format": "double_elimination"}), 16, 7),
    ],
)
def test_a_tournament_takes_its_longest_chain(format_: Format, size: int, days: float) -> None:
    field = field_of(size)
    assert remaining(format_, field, DAY) == days
    field = paired(field, format_)
    assert remaining(format_, field, DAY) == days
    while open_ := still_open(field):
        before = remaining(format_, field, DAY)
        for pairing in open_:
            field = won(field, pairing.key, pairing.first)
        field = paired(field, format_)
        assert remaining(format_, field, DAY) <= before
    assert remaining(format_, field, DAY) == 0


def test_how_long_a_swiss_with_elimination_takes_is_guessed_from_how_many_are_left() -> None:
    format_ = plan({"format": "swiss_elimination", "losses": 2})
    field = field_of(8)
    assert remaining(format_, field, DAY) == 5
    field = paired(field, format_)
    assert remaining(format_, field, DAY) == 5
    while open_ := still_open(field):
        assert remaining(format_, field, DAY) > 0
        for pairing in open_:
            field = won(field, pairing.key, pairing.first)
        field = paired(field, format_)
    assert remaining(format_, field, DAY) == 0


def test_who_plays_few_at_once_takes_longer_in_a_round_robin() -> None:
    format_ = plan({"format": "round_robin"})
    few = replace(DAY, at_once=2)
    assert remaining(format_, field_of(7), few) == 3
    assert remaining(format_, paired(field_of(7), format_), few) == 3


def test_slow_players_hold_up_their_branch_and_what_has_been_played_counts() -> None:
    format_ = plan({"format": "knockout"})
    field = paired(field_of(4), format_)

    def slow(one: int | None, other: int | None) -> float:
        return 10.0 if 104 in (one, other) else 1.0

    assert remaining(format_, field, Pace(slow, {})) == 11
    assert remaining(format_, field, Pace(slow, {"w1.1": 8.0})) == 3
    assert remaining(format_, field, Pace(slow, {"w1.1": 80.0})) == 2.5, (
        "a late match is never taken to be over"
    )
    assert remaining(format_, won(field, "w1.1", 101), Pace(slow, {})) == 2
