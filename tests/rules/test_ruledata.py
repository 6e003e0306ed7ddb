"""Rule sets as plain data: nothing is lost on the way, and nothing is taken that nobody could play by."""

from __future__ import annotations

import json
import random
from dataclasses import fields, replace

import pytest

from bgmail.ledger.replay import terms_of
from bgmail.rules.action import ActionRefused
from bgmail.rules.match import new_match
from bgmail.rules.ruledata import BadRuleSet, from_data, meant, to_data, told
from bgmail.rules.ruleset import (
    CLUB,
    HOUSE,
    MAX_LENGTH,
    MAX_WAGER,
    PRESETS,
    STANDARD,
    RuleSet,
    Timeout,
)
from bgmail.rules.snapshot import from_data as match_from
from bgmail.rules.snapshot import to_data as match_data
from tests.rules.own_rules import own_rules


def test_rules_of_ones_own_come_back_from_json_as_they_were() -> None:
    chance = random.Random(5)
    for _ in range(200):
        rules = own_rules(chance)
        assert from_data(json.loads(json.dumps(to_data(rules)))) == rules
        assert isinstance(told(rules), dict)
        assert meant(json.loads(json.dumps(told(rules)))) == rules


@pytest.mark.parametrize("rules", [*PRESETS.values(), STANDARD], ids=lambda rules: rules.name)
def test_a_known_rule_set_is_written_as_its_name(rules: RuleSet) -> None:
    assert told(rules) == rules.name
    assert meant(rules.name) is rules


def test_a_match_carries_its_own_rules_as_a_whole_and_its_wager() -> None:
    rules = replace(HOUSE, name="Friday", lengths=frozenset({0, 9}), timeout=Timeout.GAME)
    match = new_match(rules, 9, wager=7)
    kept = json.loads(json.dumps(match_data(match)))
    assert kept["rules"]["timeout"] == "game"
    assert match_from(kept) == match
    assert terms_of({"rules": kept["rules"], "length": 9, "games": 0, "wager": 7}) == match


def test_a_log_of_before_there_were_wagers_has_none() -> None:
    assert terms_of({"rules": "house", "length": 3, "games": 0}).wager == 1


def test_what_is_left_out_is_as_in_the_clubs_rules() -> None:
    assert from_data({"name": "Plain"}) == replace(CLUB, name="Plain")


def test_every_value_is_written() -> None:
    assert set(to_data(CLUB)) == {field.name for field in fields(RuleSet)}


@pytest.mark.parametrize(
    ("values", "code", "field"),
    [
        ({"triple": 1}, "type", "triple"),
        ({"lengths": []}, "missing", "lengths"),
        ({"lengths": [7, "9"]}, "type", "lengths"),
        ({"lengths": [True]}, "type", "lengths"),
        ({"lengths": [MAX_LENGTH + 1]}, "range", "lengths"),
        ({"lengths": 7}, "type", "lengths"),
        ({"cube_limit": 3}, "choice", "cube_limit"),
        ({"cube_limit": 128}, "choice", "cube_limit"),
        ({"cube_limit": "64"}, "type", "cube_limit"),
        ({"resignation": "maybe"}, "choice", "resignation"),
        ({"timeout": ["match"]}, "choice", "timeout"),
        ({"most_wager": 0}, "range", "most_wager"),
        ({"most_wager": MAX_WAGER + 1}, "range", "most_wager"),
        ({"most_wager": 2.0}, "type", "most_wager"),
        ({"inactivity": 29}, "range", "inactivity"),
        ({"inactivity": False}, "type", "inactivity"),
        ({"given_back": 21}, "range", "given_back"),
        ({"given_back_percent": 0}, "range", "given_back_percent"),
        ({"time": None}, "type", "time"),
        ({"time": "a\n"}, "name", "time"),
        ({"beaver": True}, "unknown", "beaver"),
        ({"name": ""}, "name", "name"),
        ({"name": "x" * 41}, "name", "name"),
        ({"name": "a\x00b"}, "name", "name"),
        ({"name": 5}, "type", "name"),
        ({"name": "Club"}, "taken", "name"),
        ({"name": "five point"}, "taken", "name"),
        ({"name": "ｃｌｕｂ"}, "taken", "name"),
    ],
)
def test_a_value_that_nobody_could_play_by_is_refused_by_its_name(
    values: dict[str, object], code: str, field: str
) -> None:
    with pytest.raises(BadRuleSet) as refused:
        from_data({"name": "Ours", **values})
    assert (refused.value.code, refused.value.field) == (code, field)


@pytest.mark.parametrize("data", [None, 7, ["name"], "no such rules", {"lengths": [7]}])
def test_what_is_no_rule_set_at_all_is_refused(data: object) -> None:
    with pytest.raises(BadRuleSet):
        meant(data)


@pytest.mark.parametrize(
    ("rules", "wager", "code"), [(HOUSE, 0, "wager"), (HOUSE, 101, "wager"), (CLUB, 2, "no_wager")]
)
def test_a_wager_is_agreed_only_where_the_rules_have_one(rules: RuleSet, wager: int, code: str) -> None:
    with pytest.raises(ActionRefused) as refused:
        new_match(rules, 7, wager=wager)
    assert refused.value.code == code
