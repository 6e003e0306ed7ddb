from __future__ import annotations

from typing import Any

import pytest

from bgmail.pairing.field import Entry, Field
from bgmail.pairing.plan import KINDS, MOST_PAIRINGS, BadPlan, Plan
from bgmail.pairing.roundrobin import RoundRobin

ROUND_ROBIN: dict[str, Any] = {"format": "round_robin"}


def plan(**stage: Any) -> dict[str, Any]:
    return {"stages": [ROUND_ROBIN | stage]}


def test_options_left_out_are_written_out_and_come_back() -> None:
    read = Plan.from_data(plan() | {"tie_breaks": ["head_to_head", "rating"]})
    assert read.data() == {
        "stages": [{"format": "round_robin", "groups": 1, "meetings": 1}],
        "tie_breaks": ["head_to_head", "rating"],
    }
    assert Plan.from_data(read.data()) == read
    assert read.format() == RoundRobin(tie_breaks=("head_to_head", "rating"))


@pytest.mark.parametrize(
    ("data", "code", "field"),
    [
        (None, "malformed", "plan"),
        ([], "malformed", "plan"),
        ({}, "out_of_range", "stages"),
        ({"stages": "x"}, "malformed", "stages"),
        ({"stages": []}, "out_of_range", "stages"),
        ({"stages": ["round_robin"]}, "malformed", "stages.0"),
        ({"stages": [{}]}, "missing", "stages.0.format"),
        ({"stages": [{"format": 1}]}, "malformed", "stages.0.format"),
        ({"stages": [{"format": "ladder"}]}, "unknown", "stages.0.format"),
        (plan(meetings=0), "out_of_range", "stages.0.meetings"),
        (plan(meetings=5), "out_of_range", "stages.0.meetings"),
        (plan(meetings=True), "malformed", "stages.0.meetings"),
        (plan(meetings="2"), "malformed", "stages.0.meetings"),
        (plan(meetings=1.0), "malformed", "stages.0.meetings"),
        (plan(losses=1), "unknown", "stages.0"),
        (plan(advance=2), "not_here", "stages.0.advance"),
        (
            {"stages": [{"format": "swiss", "rounds": 3, "advance": 201}, ROUND_ROBIN]},
            "out_of_range",
            "stages.0.advance",
        ),
        (
            {"stages": [ROUND_ROBIN | {"groups": 4, "advance": 51}, ROUND_ROBIN]},
            "out_of_range",
            "stages.0.advance",
        ),
        (plan() | {"prize": 1}, "unknown", "plan"),
        (plan() | {"tie_breaks": "rating"}, "malformed", "tie_breaks"),
        (plan() | {"tie_breaks": [7]}, "malformed", "tie_breaks.0"),
        (plan() | {"tie_breaks": ["rating", "luck"]}, "unknown", "tie_breaks.1"),
        (plan() | {"tie_breaks": ["wins"]}, "unknown", "tie_breaks.0"),
        (plan() | {"tie_breaks": ["rating", "rating"]}, "twice", "tie_breaks.1"),
    ],
)
def test_a_plan_that_cannot_be_played_says_where_and_why(data: object, code: str, field: str) -> None:
    with pytest.raises(BadPlan) as bad:
        Plan.from_data(data)
    assert (bad.value.code, bad.value.field) == (code, field)


@pytest.mark.parametrize(
    ("options", "most"),
    [({}, 200), ({"meetings": 2}, 141), ({"groups": 4}, 402), ({"groups": 64, "meetings": 1}, 1024)],
)
def test_so_many_enter_a_round_robin_that_its_pairings_can_all_be_made(
    options: dict[str, int], most: int
) -> None:
    read = Plan.from_data(plan(**options))
    assert read.most_entries == most
    if most <= 200:
        field = Field(tuple(Entry(number, number) for number in range(1, most + 1)), (), "autumn")
        assert len(read.format().next(field)) <= MOST_PAIRINGS
    assert Plan.from_data({"stages": [{"format": "knockout"}]}).most_entries == 1024


@pytest.mark.parametrize("name", KINDS)
def test_every_option_has_a_default_or_is_asked_for(name: str) -> None:
    needed = {key: option.least for key, option in KINDS[name].options.items() if option.default is None}
    data = Plan.from_data({"stages": [{"format": name, **needed}]})
    assert Plan.from_data(data.data()) == data
    assert data.format().finished is not None
    for missing in needed:
        with pytest.raises(BadPlan, match=f"{missing}: missing"):
            Plan.from_data(
                {"stages": [{"format": name, **{k: v for k, v in needed.items() if k != missing}}]}
            )
