"""One action after the other, once each, whoever sends it how often."""

from __future__ import annotations

import random
from typing import Any

import pytest
from flask import Flask

from bgmail.api.models import Acted
from bgmail.rules.side import Side
from bgmail.service import turns
from tests.api.conftest import Clock, Program, Table, check_refused, checked
from tests.service.matchmaking import position, stage

CHARLIES_NONCE = "c" * 32


def test_a_whole_match_is_played_by_two_programs(table: Table) -> None:
    state = table.begin(length=1)
    chooser = random.Random(3)
    while state["phase"] != "over":
        who = table.on_turn(state)
        action: dict[str, Any] = {"action": "roll"}
        if state["phase"] == "play":
            action = {"action": "play", "play": chooser.choice(state["legal"])["play"]}
        state = checked(table.post(who, version=state["version"], **action), Acted)
    assert state["result"]["ending"] == "bear_off"
    assert state["result"]["score"][state["result"]["winner"]] >= 1
    assert (state["on_turn"], state["options"], state["deadline"]) == (None, [], None)


def test_the_applied_version_stands_before_what_the_server_did_by_itself(table: Table) -> None:
    state = table.begin((3, 1), (5, 2), length=1)  # no cube: Black's roll is automatic
    after = table.alice.act(table.id, "play", play="8/5 6/5")
    assert after["applied_version"] == state["version"] + 1
    assert after["version"] == after["applied_version"] + 1
    assert (after["on_turn"], after["dice"]) == ("black", [5, 2])


def test_a_double_is_taken_and_the_doubler_rolls_at_once(table: Table) -> None:
    table.begin((3, 1), (6, 4))
    table.alice.act(table.id, "play", play="8/5 6/5")
    doubled = table.bob.act(table.id, "double")
    assert (doubled["phase"], doubled["on_turn"]) == ("take_or_pass", "white")
    assert table.alice.state(table.id)["options"] == ["take", "pass", "resign_match"]
    taken = table.alice.act(table.id, "take")
    assert taken["cube"] == {"value": 2, "owner": "white"}
    assert (taken["phase"], taken["on_turn"], taken["dice"]) == ("play", "black", [6, 4])


def test_a_pass_costs_the_cube_and_the_next_game_begins(table: Table) -> None:
    table.begin((3, 1), (2, 6))
    table.alice.act(table.id, "play", play="8/5 6/5")
    table.bob.act(table.id, "double")
    state = table.alice.act(table.id, "pass")
    assert (state["score"], state["game"], state["dice"]) == ({"white": 0, "black": 1}, 2, [2, 6])
    assert state["cube"] == {"value": 1, "owner": None}


def test_a_resignation_is_offered_and_accepted(table: Table) -> None:
    table.begin((3, 1), (6, 4))
    offered = table.alice.act(table.id, "resign", value=2)
    assert (offered["phase"], offered["on_turn"]) == ("answer_resignation", "black")
    assert offered["offer"] == {"side": "white", "value": 2}
    state = table.bob.act(table.id, "accept_resignation")
    assert state["score"] == {"white": 0, "black": 2}


def test_a_refused_resignation_leaves_dice_and_version_to_play_on(table: Table) -> None:
    table.begin((3, 1))
    table.alice.act(table.id, "resign", value=1)
    state = table.bob.act(table.id, "decline_resignation")
    assert (state["phase"], state["on_turn"], state["dice"]) == ("play", "white", [3, 1])
    check_refused(
        table.post(table.alice, action="resign", version=state["version"], value=1), 422, "resign_not_now"
    )


def test_a_match_given_up_keeps_its_score_and_awards_the_rest(table: Table) -> None:
    table.begin((3, 1))
    state = table.alice.act(table.id, "resign_match")
    assert state["result"] == {
        "winner": "black",
        "ending": "resigned",
        "score": {"white": 0, "black": 0},
        "awarded": {"white": 0, "black": 7},
    }


def test_a_stale_version_is_answered_with_the_match_as_it_stands(table: Table) -> None:
    begun = table.begin((3, 1))
    now = table.alice.act(table.id, "play", play="8/5 6/5")
    problem = check_refused(
        table.post(table.alice, action="play", play="8/5 6/5", version=begun["version"]), 409, "stale"
    )
    assert problem["state"] == {**table.alice.state(table.id)}
    assert problem["state"]["version"] == now["version"]
    assert problem["state"]["you"] == "white"


def test_a_double_sent_twice_82_ms_apart_is_answered_once(table: Table) -> None:
    """The second 'pass' once conceded the game after the one it was meant for."""
    table.begin((3, 1), (2, 6), (5, 4))
    table.alice.act(table.id, "play", play="8/5 6/5")
    version = table.bob.act(table.id, "double")["version"]
    first = table.post(table.alice, action="pass", version=version)
    second = table.post(table.alice, action="pass", version=version)
    assert first.status_code == 200
    problem = check_refused(second, 409, "stale")
    assert (problem["state"]["score"], problem["state"]["game"]) == ({"white": 0, "black": 1}, 2)


def test_an_accepted_resignation_counts_once_however_often_it_is_sent(table: Table) -> None:
    """One click on 'resign' was once processed three times: 3-0, then 6-0."""
    table.begin((3, 1), (6, 2), (5, 3))
    version = table.alice.act(table.id, "resign", value=3)["version"]
    sent = [table.post(table.bob, action="accept_resignation", version=version) for _ in range(3)]
    assert [answer.status_code for answer in sent] == [200, 409, 409]
    assert table.bob.state(table.id)["score"] == {"white": 0, "black": 3}


def test_the_same_key_and_body_act_once_and_are_told_what_became_of_it(table: Table) -> None:
    state = table.begin((3, 1), (6, 4))
    wish = {
        "action": "play",
        "play": "8/5 6/5",
        "version": state["version"],
        "key": "retry-1",
        "nonce": "a" * 32,
    }
    first = checked(table.post(table.alice, **wish), Acted)
    table.bob.act(table.id, "roll")
    again = checked(table.post(table.alice, **wish), Acted)
    assert again["applied_version"] == first["applied_version"]
    assert (again["dice"], again["on_turn"]) == ([6, 4], "black")
    log = table.alice.get(f"/matches/{table.id}/log").get_json()["entries"]
    assert [entry["kind"] for entry in log].count("play") == 1


@pytest.mark.parametrize(
    "change", [{"play": "24/23 13/10"}, {"action": "resign_match", "play": None}, {"nonce": "b" * 32}]
)
def test_the_same_key_with_another_body_is_refused(table: Table, change: dict[str, Any]) -> None:
    state = table.begin((3, 1))
    wish = {"action": "play", "play": "8/5 6/5", "version": state["version"], "key": "k", "nonce": "a" * 32}
    table.post(table.alice, **wish)
    check_refused(table.post(table.alice, **{**wish, **change}), 422, "key_reused")
    assert table.alice.state(table.id)["on_turn"] == "black"


def test_a_key_belongs_to_its_side_and_match(table: Table) -> None:
    table.begin((3, 1), (6, 4))
    table.alice.act(table.id, "play", play="8/5 6/5", key="k")
    assert table.bob.act(table.id, "roll", key="k")["dice"] == [6, 4]


@pytest.mark.parametrize(
    ("play", "reason", "word"),
    [
        ("24/20 6/5", "not_these_dice", "3-1"),
        ("8/5", "use_both_dice", "both"),
        ("hello", "unreadable", "hello"),
        ("", "empty", "Write"),
        ("8/5\u0000 6/5", "unreadable", ""),
        ("99/98 6/5", "no_such_point", "99"),
        ("6/3 7/6", "no_checker", "7 point"),
    ],
)
def test_a_play_that_cannot_be_is_told_why_and_changes_nothing(
    table: Table, play: str, reason: str, word: str
) -> None:
    before = table.begin((3, 1))
    answer = table.post(table.alice, action="play", play=play, version=before["version"])
    problem = check_refused(answer, 422, reason)
    assert word in problem["detail"]
    after = table.alice.state(table.id)
    assert (after["version"], after["dice"]) == (before["version"], [3, 1])


def test_a_spelling_with_two_results_is_never_guessed(table: Table, app: Flask) -> None:
    """Two blots stand in the way of 6/3 with 2-1: it hits on one of them, and says which."""
    table.begin((3, 1))
    store = app.extensions["bgmail"].store
    seen = position({6: 5, 8: 3, 13: 5, 24: 2}, {5: 1, 4: 1, 12: 5, 17: 3, 19: 5})
    stage(store, turns.load(store, table.id), Side.WHITE, seen, (2, 1))
    version = table.alice.state(table.id)["version"]
    check_refused(table.post(table.alice, action="play", play="6/3", version=version), 422, "ambiguous")
    assert table.alice.act(table.id, "play", play="6/5*/3")["on_turn"] == "black"


@pytest.mark.parametrize(
    ("who", "action", "reason"),
    [
        ("bob", "play", "not_your_turn"),
        ("bob", "roll", "not_your_turn"),
        ("alice", "roll", "wrong_phase"),
        ("alice", "double", "wrong_phase"),
        ("alice", "take", "wrong_phase"),
        ("alice", "accept_resignation", "no_offer"),
        ("alice", "resign", "resign_value"),
        ("alice", "claim_timeout", "claim_timeout"),
    ],
)
def test_what_is_not_possible_now_is_refused(table: Table, who: str, action: str, reason: str) -> None:
    state = table.begin((3, 1))
    program: Program = getattr(table, who)
    check_refused(table.post(program, action=action, version=state["version"], play="8/5 6/5"), 422, reason)


def test_nobody_rolls_before_the_match_or_after_it(table: Table) -> None:
    offered = table.alice.post("/matches", opponent="bob", length=1).get_json()
    wish = {"action": "roll", "version": offered["version"]}
    check_refused(table.alice.post(f"/matches/{offered['id']}/actions", **wish), 422, "wrong_phase")
    table.begin((3, 1))
    over = table.alice.act(table.id, "resign_match")
    for program in (table.alice, table.bob):
        check_refused(table.post(program, action="roll", version=over["version"]), 422, "match_over")


def test_dice_stay_what_they_are_whatever_the_player_does(table: Table) -> None:
    """Dice were once rolled again after every submission."""
    table.begin((3, 1), (6, 5))
    table.alice.act(table.id, "play", play="8/5 6/5")
    rolled = table.bob.act(table.id, "roll")
    table.post(table.bob, action="play", play="24/1", version=rolled["version"])
    for _ in range(3):
        assert table.bob.state(table.id)["dice"] == [6, 5]
    check_refused(table.post(table.bob, action="roll", version=rolled["version"]), 422, "wrong_phase")
    log = table.bob.get(f"/matches/{table.id}/log").get_json()["entries"]
    assert [entry["data"]["dice"] for entry in log if entry["kind"] == "roll"] == [[6, 5]]


def test_nothing_of_the_future_is_told_before_a_roll(table: Table, app: Flask) -> None:
    table.begin((3, 1))
    table.alice.act(table.id, "play", play="8/5 6/5")
    with app.extensions["bgmail"].store.read() as connection:
        secrets = [row[0].hex() for row in connection.exec_driver_sql("SELECT secret FROM secret")]
    paths = ("", "/log", "/export", "/export?format=mat")
    told = "".join(table.bob.get(f"/matches/{table.id}{path}").get_data(as_text=True) for path in paths)
    assert len(secrets) == 2
    assert not [secret for secret in secrets if secret in told]
    assert "reveal" not in told


def test_a_play_after_the_deadline_finds_the_match_lost(table: Table, clock: Clock) -> None:
    state = table.begin((3, 1))
    clock.move(days=4)
    problem = check_refused(
        table.post(table.alice, action="play", play="8/5 6/5", version=state["version"]), 409, "stale"
    )
    assert problem["state"]["result"]["ending"] == "timeout"
    assert problem["state"]["result"]["winner"] == "black"
    assert problem["state"]["score"] == {"white": 0, "black": 0}


def test_a_nonce_of_the_client_is_logged_and_one_of_the_server_is_marked(table: Table) -> None:
    table.begin((3, 1), (6, 4))
    table.alice.act(table.id, "play", play="8/5 6/5", nonce=CHARLIES_NONCE)
    table.bob.act(table.id, "roll")
    log = table.bob.get(f"/matches/{table.id}/log").get_json()["entries"]
    play, roll = (next(entry for entry in log if entry["kind"] == kind) for kind in ("play", "roll"))
    assert (play["nonce"], "server_nonce" in play["data"]) == (CHARLIES_NONCE, False)
    assert roll["data"]["server_nonce"] is True
