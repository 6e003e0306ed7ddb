"""Standing orders and prepared replies by a program: one's own, all or nothing, and no word to the opponent."""

from __future__ import annotations

from typing import Any

import pytest
from werkzeug.test import TestResponse

from bgmail.api.order_models import PreparedReplies, ShownMatchOrders, ShownOrders
from tests.api.conftest import Program, Table, check_refused

PLAIN = {"auto_roll": None, "bear_off": None, "shut_out": None, "most_a_day": None}


def put(who: Program, path: str, **fields: Any) -> TestResponse:
    return who.client.put(f"/api/v1{path}", json=fields, headers=who.headers)


def delete(who: Program, path: str) -> TestResponse:
    return who.client.delete(f"/api/v1{path}", headers=who.headers)


def test_orders_are_kept_as_they_were_sent_and_replace_those_before(alice: Program) -> None:
    assert alice.get("/orders").get_json() == PLAIN
    answer = put(alice, "/orders", auto_roll=True, most_a_day=5)
    assert (answer.status_code, answer.get_json()) == (200, PLAIN | {"auto_roll": True, "most_a_day": 5})
    ShownOrders.model_validate(answer.get_json())
    assert put(alice, "/orders", shut_out=False).get_json() == PLAIN | {"shut_out": False}
    assert alice.get("/orders").get_json() == PLAIN | {"shut_out": False}


def test_orders_for_a_match_are_obeyed_there(alice: Program, bob: Program, table: Table) -> None:
    state = table.begin((3, 1))
    alice.act(table.id, "play", play="8/5 6/5")
    answer = put(alice, f"/matches/{table.id}/orders", answer="pass", double_on_dance=True)
    ShownMatchOrders.model_validate(answer.get_json())
    assert answer.get_json() == PLAIN | {"answer": "pass", "double_on_dance": True}
    state = bob.act(table.id, "double")
    assert state["score"] == {"white": 0, "black": 1}
    assert alice.get(f"/matches/{table.id}/orders").get_json() == PLAIN | {
        "answer": None,
        "double_on_dance": False,
    }


def test_a_reply_is_prepared_shown_made_and_forgotten(alice: Program, bob: Program, table: Table) -> None:
    table.begin((3, 1), (6, 4))
    state = alice.act(table.id, "play", play="8/5 6/5")
    path, version = f"/matches/{table.id}/prepared", state["version"]
    answer = alice.post(path, version=version, when=["roll 6-4", "play 24/14"], then="double")
    assert answer.status_code == 201
    shown = answer.get_json()
    PreparedReplies.model_validate(shown)
    assert shown == {
        "version": version,
        "replies": [
            {
                "id": shown["replies"][0]["id"],
                "when": [{"side": "black", "step": "roll 6-4"}, {"side": "black", "step": "play 24/14"}],
                "then": "double",
            }
        ],
    }
    alice.post(path, version=version, when=["double"], then="take")
    taken = next(each["id"] for each in alice.get(path).get_json()["replies"] if each["then"] == "take")
    assert len(delete(alice, f"{path}/{taken}").get_json()["replies"]) == 1
    bob.act(table.id, "roll")
    state = bob.act(table.id, "play", play="24/14")
    assert (state["phase"], state["on_turn"]) == ("take_or_pass", "black")
    assert alice.get(path).get_json()["replies"] == []
    assert delete(alice, path).status_code == 200


def test_nothing_that_the_opponent_can_read_tells_of_it(alice: Program, bob: Program, table: Table) -> None:
    table.begin((3, 1))
    state = alice.act(table.id, "play", play="8/5 6/5")
    pages = [f"/matches/{table.id}", f"/matches/{table.id}/log", f"/matches/{table.id}/export", "/matches"]
    before = [bob.get(page).data for page in pages]
    path = f"/matches/{table.id}"
    put(alice, "/orders", auto_roll=True)
    put(alice, f"{path}/orders", answer="pass", double_on_dance=True, most_a_day=1)
    alice.post(f"{path}/prepared", version=state["version"], when=["roll 6-4", "play 24/14"], then="double")
    assert [bob.get(page).data for page in pages] == before
    assert bob.get(f"{path}/orders").get_json() == PLAIN | {"answer": None, "double_on_dance": False}
    assert bob.get(f"{path}/prepared").get_json() == {"version": state["version"], "replies": []}


def test_what_is_wrong_is_said_and_changes_nothing(
    alice: Program, bob: Program, charlie: Program, stranger: Program, table: Table
) -> None:
    table.begin((3, 1))
    state = alice.act(table.id, "play", play="8/5 6/5")
    path, version = f"/matches/{table.id}", state["version"]
    for wish in ({"most_a_day": 101}, {"most_a_day": -1}, {"auto_roll": "yes"}, {"most_a_day": True}):
        assert put(alice, "/orders", **wish).status_code == 422
    assert put(alice, f"{path}/orders", answer="beaver").status_code == 422
    assert put(alice, "/orders", bear_off=True).status_code == 200
    for orders in ("/orders", f"{path}/orders"):
        misspelt = put(alice, orders, bear_of=True)
        assert (misspelt.status_code, "bear_of" in misspelt.get_json()["detail"]) == (422, True), orders
    assert alice.get("/orders").get_json()["bear_off"] is True, "nor is what was left out ended"
    put(alice, "/orders")
    check_refused(put(charlie, f"{path}/orders", auto_roll=True), 403, "not_your_match")
    check_refused(charlie.get(f"{path}/prepared"), 403, "not_your_match")
    assert put(stranger, "/orders", auto_roll=True).status_code == 401
    assert alice.get("/matches/nowhere/orders").status_code == 404
    prepare: list[tuple[Program, dict[str, Any], int, str]] = [
        (alice, {"when": ["double"], "then": "take", "version": version + 1}, 409, "stale"),
        (alice, {"when": ["double"], "then": "beaver", "version": version}, 422, "prepare_step"),
        (
            alice,
            {"when": ["roll 6-4", "play 24/13"], "then": "roll", "version": version},
            422,
            "not_these_dice",
        ),
        (bob, {"when": ["roll 6-4"], "then": "take", "version": version}, 422, "prepare_on_turn"),
    ]
    for who, wish, status, reason in prepare:
        check_refused(who.post(f"{path}/prepared", wish), status, reason)
    for reply in ("1", "0", "x", "9" * 12, "２"):
        check_refused(delete(alice, f"{path}/prepared/{reply}"), 404, "no_prepared")
    assert alice.get("/orders").get_json() == PLAIN


@pytest.mark.parametrize("steps", [["roll 6-4"] * 17, ["x" * 121], ["roll\n6-4"], [4], "double"])
def test_steps_that_are_none_are_refused(alice: Program, table: Table, steps: Any) -> None:
    table.begin((3, 1))
    state = alice.act(table.id, "play", play="8/5 6/5")
    answer = alice.post(f"/matches/{table.id}/prepared", version=state["version"], when=steps, then="roll")
    assert answer.status_code == 422
