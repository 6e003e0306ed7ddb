"""Vacation and mercy by a program: the same rules, and answers that are exactly what the contract says."""

from __future__ import annotations

from typing import Any

import pytest

from bgmail.api.models import Holidays, TakenVacation
from tests.api.conftest import Clock, Program, Table, check_refused


def holidays(who: Program) -> dict[str, Any]:
    answer = who.get("/vacations")
    assert answer.status_code == 200
    body: dict[str, Any] = answer.get_json()
    Holidays.model_validate(body)
    return body


def taken(answer: Any, status: int = 200) -> dict[str, Any]:
    assert answer.status_code == status, answer.get_json()
    body: dict[str, Any] = answer.get_json()
    TakenVacation.model_validate(body)
    return body


def test_one_is_looked_at_taken_prolonged_and_ended(table: Table, clock: Clock) -> None:
    table.begin((3, 1))
    alice = table.alice
    fixed = alice.post("/matches", opponent="bob", length=3, pauses={"vacation": False}).get_json()
    table.bob.post(f"/matches/{fixed['id']}/accept")
    seen = taken(alice.get("/vacations/preview?until=2026-03-09T12:00:00Z"))
    assert seen["vacation"]["id"] is None
    held = {each["id"]: each for each in seen["matches"]}
    assert (held[table.id]["held"], held[fixed["id"]]["why_not"]) == (True, "forbidden")
    assert held[table.id]["deadline"] == "2026-03-13T12:00:00Z"
    assert held[table.id]["deadline_without"] == "2026-03-06T12:00:00Z"
    assert holidays(alice)["vacations"] == []

    wish = {"until": "2026-03-09T13:00:00+01:00", "key": "spring"}
    one = taken(alice.post("/vacations", wish), 201)["vacation"]
    assert taken(alice.post("/vacations", wish), 201)["vacation"] == one
    check_refused(alice.post("/vacations", key="spring"), 422, "key_reused")
    assert one["state"] == "running"
    assert alice.state(table.id)["deadline"] == "2026-03-13T12:00:00Z"
    assert alice.state(table.id)["clocks"]["paused"]["why"] == "vacation"
    longer = taken(alice.post(f"/vacations/{one['id']}/change", until="2026-03-12T12:00:00Z"))
    assert longer["vacation"]["until"] == "2026-03-12T12:00:00Z"
    clock.move(days=2)
    for _ in range(2):
        over = taken(alice.post(f"/vacations/{one['id']}/end"))
        assert over["vacation"]["until"] == "2026-03-04T12:00:00Z"
    assert alice.state(table.id)["deadline"] == "2026-03-08T12:00:00Z"
    assert holidays(alice)["left"][0] == {"year": 2026, "seconds": 28 * 86400}


def test_whether_one_begins_by_itself_is_chosen(alice: Program) -> None:
    assert holidays(alice)["automatic"] is False
    assert alice.post("/vacations/automatic", on=True).get_json()["automatic"] is True
    check_refused(alice.post("/vacations/automatic", on="yes"), 422, "malformed")


@pytest.mark.parametrize(
    ("wish", "reason"),
    [
        ({"until": "soon"}, "malformed"),
        ({"until": "2026-03-05T12:00:00"}, "malformed"),
        ({"until": 5}, "malformed"),
        ({"from": "2026-03-01T12:00:00Z"}, "vacation_past"),
        ({"until": "2026-05-01T12:00:00Z"}, "vacation_too_long"),
        ({"from": "9999-12-31T23:59:59-23:00"}, "malformed"),
    ],
)
def test_what_can_not_be_had_is_refused(alice: Program, wish: dict[str, Any], reason: str) -> None:
    check_refused(alice.post("/vacations", wish), 422, reason)
    assert holidays(alice)["vacations"] == []


def test_nobody_touches_the_vacation_of_another(alice: Program, bob: Program, stranger: Program) -> None:
    one = taken(alice.post("/vacations"), 201)["vacation"]
    for number in (one["id"], 99, "x", "9" * 30):
        check_refused(bob.post(f"/vacations/{number}/end"), 404, "no_vacation")
    check_refused(bob.post(f"/vacations/{one['id']}/change", until=None), 404, "no_vacation")
    assert holidays(alice)["vacations"] == [one]
    assert stranger.get("/vacations").status_code == 401


def test_a_day_is_given_once_a_key_and_a_clock_taken_away_by_agreement(table: Table) -> None:
    table.begin((3, 1), rated=False)
    for _ in range(2):
        given = table.bob.act(table.id, "give_day", key="kind")
    assert given["deadline"] == "2026-03-07T12:00:00Z"
    check_refused(table.post(table.alice, action="give_day", version=given["version"]), 422, "day_own_turn")
    check_refused(table.post(table.bob, action="give_day", version=given["version"] - 1), 409, "stale")
    assert table.bob.act(table.id, "offer_untimed")["untimed_offer"] == "black"
    agreed = table.alice.act(table.id, "accept_untimed")
    assert (agreed["deadline"], agreed["untimed_offer"]) == (None, None)
