"""Every rule set is played from the invitation to the end by programs, and so are rules of somebody's own."""

from __future__ import annotations

from typing import Any

import pytest

from bgmail.rules.ruleset import PRESETS
from tests.api.conftest import Clock, Program, Table, check_refused

SHORT = {"per_turn": 60, "bank": 30}
MOST_TURNS = 300


def terms_of(name: str) -> dict[str, Any]:
    """A short match by these rules, on the time control that they propose, with a wager where there may be one."""
    rules = PRESETS[name]
    length = 1 if 1 in rules.lengths else min(rules.lengths)
    wager = {"wager": 3} if rules.most_wager > 1 else {}
    return {"length": length, "rules": name, "time": rules.time or "move-a-day", **wager}


def played_out(table: Table, state: dict[str, Any]) -> dict[str, Any]:
    """The end of a match in which each side doubles when it may, takes once a game, and plays the first legal play."""
    for _ in range(MOST_TURNS):
        if state["phase"] == "over":
            return state
        who, options = table.on_turn(state), table.on_turn(state).state(table.id)["options"]
        wishes = ("play", "double", "roll", "pass" if state["cube"]["value"] > 1 else "take")
        action = next(action for action in wishes if action in options)
        play = {"play": state["legal"][0]["play"]} if action == "play" else {}
        state = who.act(table.id, action, version=state["version"], **play)
    raise AssertionError("it goes on for ever")


@pytest.mark.parametrize("name", PRESETS)
def test_a_match_by_each_rule_set_is_played_to_its_end(table: Table, name: str) -> None:
    begun = table.begin(**terms_of(name))
    assert (begun["rules"], begun["rule_set"], begun["phase"]) == (name, None, "play")
    over = played_out(table, begun)
    assert over["result"]["ending"] in ("bear_off", "pass")
    assert max(over["score"].values()) >= over["length"]
    assert all(points % over["wager"] == 0 for points in over["score"].values())
    exported = table.alice.get(f"/matches/{table.id}/export").get_json()
    assert exported["rules"] == name
    assert table.alice.get(f"/matches/{table.id}/export?format=mat").status_code == 200


def test_rules_of_ones_own_are_shown_before_accepting_and_played_by(table: Table, bob: Program) -> None:
    own = {"name": "Friday rules", "lengths": [0, 3], "cube": False, "most_wager": 10, "timeout": "game"}
    invited = table.alice.post(
        "/matches", opponent="bob", length=0, games=1, rules=own, wager=2, time="three-days"
    ).get_json()
    shown = bob.state(invited["id"])
    assert (shown["rules"], shown["wager"]) == ("Friday rules", 2)
    assert {name: shown["rule_set"][name] for name in own} == own
    table.id = invited["id"]
    over = played_out(table, bob.post(f"/matches/{table.id}/accept").get_json())
    assert over["rule_set"] == shown["rule_set"]
    assert all(points % 2 == 0 for points in over["score"].values())


@pytest.mark.parametrize(
    ("terms", "reason"),
    [
        ({"rules": {"name": "Ours", "beavers": True}}, "malformed"),
        ({"rules": {"name": "Ours", "cube_limit": 3}}, "malformed"),
        ({"rules": {"name": "Ours", "inactivity": 5}}, "rule_set"),
        ({"rules": {"name": "club"}}, "rule_set"),
        ({"rules": {"name": "Ours", "time": "no-such-time"}}, "rule_set"),
        ({"rules": "no-such-rules"}, "rules"),
        ({"rules": {"name": "Ours", "lengths": [5]}}, "length"),
        ({"wager": 2}, "no_wager"),
        ({"rules": "house", "wager": 0}, "malformed"),
        ({"rules": "five-point"}, "length"),
    ],
)
def test_terms_that_nobody_could_play_by_are_refused(
    alice: Program, bob: Program, terms: dict[str, Any], reason: str
) -> None:
    check_refused(alice.post("/matches", **{"opponent": "bob", "length": 7, **terms}), 422, reason)
    assert alice.get("/matches?state=running").get_json()["matches"] == []


def test_a_claim_by_the_api(table: Table, clock: Clock) -> None:
    begun = table.begin((3, 1), length=5, rules="claim", time=SHORT)
    check_refused(
        table.post(table.bob, action="claim_timeout", version=begun["version"]), 422, "claim_timeout"
    )
    clock.move(seconds=90)
    assert table.bob.state(table.id)["options"][0] == "claim_timeout"
    assert "claim_timeout" not in table.alice.state(table.id)["options"]
    claimed = table.bob.act(table.id, "claim_timeout", key="once")
    assert (claimed["score"], claimed["game"]) == ({"white": 0, "black": 2}, 2)
    again = table.post(table.bob, action="claim_timeout", version=begun["version"], key="once").get_json()
    assert (again["score"], again["applied_version"]) == (claimed["score"], claimed["applied_version"])


def test_the_same_offer_with_another_wager_is_another_offer(alice: Program, bob: Program) -> None:
    offer = {"opponent": "bob", "length": 5, "rules": "house", "key": "one"}
    assert alice.post("/matches", offer).status_code == 201
    assert alice.post("/matches", offer).status_code == 201
    check_refused(alice.post("/matches", {**offer, "wager": 4}), 422, "key_reused")
