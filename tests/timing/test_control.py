"""What a time control may be, what the presets are, and how a choice becomes one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bgmail.timing import PRESETS, BadTimeControl, TimeControl, describe, resolve
from bgmail.timing.control import DEFAULT, from_json, to_json

MINUTE, HOUR, DAY = 60, 3600, 86400


@pytest.mark.parametrize(
    ("name", "durations"),
    [
        ("move-a-day", (1 * DAY, 1 * DAY, 3 * DAY, 0, None)),
        ("three-days", (3 * DAY, 3 * DAY, 0, 0, None)),
        ("long-bank", (24 * HOUR, 24 * HOUR, 200 * HOUR, 4 * HOUR, 200 * HOUR)),
        ("increment", (0, 0, 3 * DAY, 1 * DAY, 7 * DAY)),
        ("untimed", (0, 0, 0, 0, None)),
        ("live-8-10", (0, 0, 8 * MINUTE, 10, None)),
        ("live-delay", (12, 12, 14 * MINUTE, 0, None)),
        ("live-11-90", (11, 11, 90, 0, None)),
    ],
)
def test_each_preset_is_a_value_of_the_one_formula(name: str, durations: tuple[int | None, ...]) -> None:
    control = resolve(name, 7)
    assert (control.per_turn, control.per_answer, control.bank, control.increment, control.cap) == durations
    assert control.name == name
    assert control.untimed == (name == "untimed")


def test_the_names_are_those_of_the_contract() -> None:
    correspondence = {"move-a-day", "three-days", "long-bank", "increment", "untimed"}
    assert set(PRESETS) == correspondence | {"live-8-10", "live-delay", "live-11-90"}
    assert DEFAULT == "move-a-day"


@pytest.mark.parametrize(
    ("length", "games", "bank"), [(1, 0, 120), (5, 0, 600), (25, 0, 3000), (0, 10, 1200)]
)
def test_a_point_is_resolved_when_the_match_is_made(length: int, games: int, bank: int) -> None:
    assert resolve("live-delay", length, games).bank == bank


def test_two_minutes_a_point_need_a_number_of_points() -> None:
    with pytest.raises(BadTimeControl, match="needs a match length or a number of games"):
        resolve("live-delay", 0)


@pytest.mark.parametrize("name", ["live-8-10", "live-delay", "live-11-90"])
def test_the_live_controls_are_live_at_every_length(name: str) -> None:
    assert {resolve(name, length).pace for length in range(1, 26)} == {"live"}


@pytest.mark.parametrize("name", ["move-a-day", "three-days", "long-bank", "increment", "untimed"])
def test_the_others_are_correspondence(name: str) -> None:
    assert resolve(name, 7).pace == "correspondence"


@pytest.mark.parametrize(("per_turn", "pace"), [(5400, "live"), (5401, "correspondence")])
def test_people_stay_at_the_board_for_two_hours_at_most(per_turn: int, pace: str) -> None:
    assert resolve({"per_turn": per_turn, "bank": 1800}, 7).pace == pace


def test_an_object_of_five_durations_is_taken_as_it_is() -> None:
    spec = {"per_turn": 7200, "per_answer": 3600, "bank": 86400, "increment": 600, "cap": 90000}
    assert resolve(spec, 7) == TimeControl(7200, 3600, 86400, 600, 90000)


def test_what_an_object_leaves_out_is_none_of_it_and_an_answer_is_like_a_turn() -> None:
    assert resolve({"per_turn": 7200}, 7) == TimeControl(7200, 7200, 0, 0, None)
    assert resolve({"bank": 7200}, 7) == TimeControl(0, 0, 7200, 0, None)


@pytest.mark.parametrize(
    ("spec", "field", "sentence"),
    [
        ("blitz", "time", "no time control called 'blitz'"),
        ("", "time", "no time control called ''"),
        (7, "time", "a name or an object"),
        (None, "time", "a name or an object"),
        ([86400], "time", "a name or an object"),
        ({"per_turn": 60, "delay": 5}, "delay", "has no 'delay'"),
        ({"per_turn": 60, "untimed": True}, "untimed", "has no 'untimed'"),
        ({"per_turn": -1}, "per_turn", "per_turn cannot be negative"),
        ({"per_turn": 60, "bank": -5}, "bank", "bank cannot be negative"),
        ({"per_turn": True}, "per_turn", "whole number of seconds"),
        ({"per_turn": 60.0}, "per_turn", "whole number of seconds"),
        ({"per_turn": "60"}, "per_turn", "whole number of seconds"),
        ({"per_turn": 60, "per_answer": None}, "per_answer", "whole number of seconds"),
        ({"per_turn": 60, "cap": False}, "cap", "whole number of seconds"),
        ({"per_turn": 60 * DAY + 1}, "per_turn", "at most 5184000 seconds"),
        ({"bank": 366 * DAY + 1}, "bank", "at most 31622400 seconds"),
        ({"per_turn": 60, "increment": 10**30}, "increment", "at most"),
        ({}, "per_turn", "no time to play"),
        ({"per_turn": 0, "increment": 60}, "per_turn", "no time to play"),
        ({"per_turn": 60, "per_answer": 0}, "per_answer", "no time to play"),
        ({"bank": 600, "increment": 60, "cap": 59}, "cap", "less than one increment"),
    ],
)
def test_a_control_that_cannot_be_played_is_refused_with_its_reason(
    spec: Any, field: str, sentence: str
) -> None:
    with pytest.raises(BadTimeControl, match=sentence) as refused:
        resolve(spec, 7)
    assert refused.value.field == field


def test_an_untimed_control_has_no_durations() -> None:
    with pytest.raises(BadTimeControl, match="no durations"):
        TimeControl(60, 0, 0, 0, None, untimed=True)


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_control_survives_json(name: str) -> None:
    control = resolve(name, 7)
    assert from_json(json.loads(json.dumps(to_json(control)))) == control


@pytest.mark.parametrize(
    ("change", "sentence"),
    [({"extra": 1}, "has no 'extra'"), ({"bank": "7"}, "whole number"), ({"untimed": 1}, "true or false"),
     ({"name": None}, "must be text")],
)  # fmt: skip
def test_json_that_we_did_not_write_is_refused(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadTimeControl, match=sentence):
        from_json({**to_json(resolve("move-a-day", 7)), **change})


def test_json_with_a_part_missing_is_refused() -> None:
    value = to_json(resolve("move-a-day", 7))
    del value["cap"]
    with pytest.raises(BadTimeControl, match="needs cap"):
        from_json(value)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("move-a-day", (("per_turn", DAY), ("bank", 3 * DAY))),
        ("three-days", (("per_turn", 3 * DAY),)),
        ("increment", (("bank", 3 * DAY), ("increment", DAY), ("cap", 7 * DAY))),
        ("untimed", ()),
    ],
)
def test_a_description_is_values_and_no_sentence(name: str, parts: tuple[tuple[str, int], ...]) -> None:
    assert describe(resolve(name, 7)) == parts


def test_a_description_names_an_answer_of_its_own_length() -> None:
    control = TimeControl(60, 0, 600, 0, 0)
    assert describe(control) == (("per_turn", 60), ("per_answer", 0), ("bank", 600), ("cap", 0))
