"""A match is offered, and taken or not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.conftest import Clock, Program, Table, check_refused, checked

DAY = 86_400


def test_an_invitation_is_a_match_in_its_first_phase(alice: Program, people: dict[str, Any]) -> None:
    answer = alice.post("/matches", opponent="bob", length=7)
    assert answer.status_code == 201
    state = checked(answer)
    assert (state["phase"], state["on_turn"], state["you"]) == ("invited", None, "white")
    assert (state["white"], state["black"]) == ({"handle": "alice"}, {"handle": "bob"})
    assert state["deadline"] == "2026-03-16T12:00:00Z"
    assert (state["rules"], state["rated"], state["options"]) == ("club", True, ["cancel"])
    assert state["clocks"]["white"] == {"bank": 3 * DAY, "turn_left": None}


def test_an_invitation_says_which_pauses_it_allows(alice: Program, people: dict[str, Any]) -> None:
    usual = {"weekends": True, "nights": False, "vacation": True}
    never = dict.fromkeys(usual, False)

    def offered(**wish: Any) -> dict[str, Any]:
        return checked(alice.post("/matches", opponent="bob", length=7, **wish))

    assert offered()["pauses"] == usual
    assert offered(pauses={})["pauses"] == usual
    assert offered(pauses={"nights": True})["pauses"] == {**usual, "nights": True}
    state = offered(pauses={"weekends": False, "vacation": False})
    assert state["pauses"] == never
    told = alice.get(f"/matches/{state['id']}/log").get_json()["entries"][0]["data"]
    assert told["pauses"] == never
    for time in ("live-8-10", "live-11-90", "untimed"):
        assert offered(time=time, pauses={"nights": True})["pauses"] == never
    for wrong in ({"weekends": 1}, {"weekend": True}, [], "weekends"):
        assert alice.post("/matches", opponent="bob", length=7, pauses=wrong).status_code in (400, 422)


def test_whoever_accepts_is_black_and_the_first_game_opens(table: Table) -> None:
    state = table.begin((3, 1))
    assert (state["phase"], state["on_turn"], state["you"]) == ("play", "white", "black")
    assert state["dice"] == [3, 1]
    assert state["position_id"] == "4HPwATDgc/ABMA"
    assert {"play": "8/5 6/5", "position_id": "sGfwATDgc/ABMA"} in state["legal"]
    assert state["deadline"] == "2026-03-06T12:00:00Z"


def test_a_declined_invitation_is_over_and_nobody_won(table: Table, alice: Program, bob: Program) -> None:
    offered = checked(alice.post("/matches", opponent="bob", length=1))
    state = checked(bob.post(f"/matches/{offered['id']}/decline"))
    nobody = {"white": 0, "black": 0}
    assert state["phase"] == "over"
    assert state["result"] == {"winner": None, "ending": "declined", "score": nobody, "awarded": None}
    check_refused(bob.post(f"/matches/{offered['id']}/accept"), 422, "invitation_over")


def test_an_invitation_expires_after_fourteen_days(clock: Clock, alice: Program, bob: Program) -> None:
    offered = checked(alice.post("/matches", opponent="bob", length=1))
    clock.move(days=14)
    check_refused(bob.post(f"/matches/{offered['id']}/accept"), 422, "invitation_over")


def test_an_invitation_is_known_to_its_two_people_only(
    alice: Program, bob: Program, charlie: Program
) -> None:
    path = f"/matches/{checked(alice.post('/matches', opponent='bob', length=1))['id']}"
    for refusal in (charlie.get(path), charlie.get(f"{path}/log"), charlie.post(f"{path}/accept")):
        check_refused(refusal, 404, "no_match")
    check_refused(charlie.post(f"{path}/decline"), 404, "no_match")
    assert bob.state(path.removeprefix("/matches/"))["options"] == ["accept", "decline"]


def test_nobody_accepts_their_own_invitation(alice: Program, bob: Program) -> None:
    offered = checked(alice.post("/matches", opponent="bob", length=1))
    check_refused(alice.post(f"/matches/{offered['id']}/accept"), 422, "own_invitation")


def test_a_second_accept_changes_nothing(table: Table) -> None:
    state = table.begin((3, 1))
    check_refused(table.bob.post(f"/matches/{table.id}/accept"), 409, "stale")
    stale = check_refused(table.bob.post(f"/matches/{table.id}/accept", version=1), 409, "stale")
    assert stale["state"]["version"] == table.bob.state(table.id)["version"] == state["version"]


def test_an_accept_may_name_the_version_it_has_seen(alice: Program, bob: Program) -> None:
    offered = checked(alice.post("/matches", opponent="bob", length=1))
    check_refused(bob.post(f"/matches/{offered['id']}/accept", version=99), 409, "stale")
    accepted = bob.post(f"/matches/{offered['id']}/accept", version=offered["version"], nonce="0" * 32)
    assert checked(accepted)["phase"] == "play"


def test_an_address_is_invited_without_telling_the_inviter_whose_it_is(alice: Program, people: Any) -> None:
    state = checked(alice.post("/matches", opponent="friend@elsewhere.example", length=3))
    assert state["black"] is None


def test_a_repeated_invitation_with_its_key_is_the_same_match(alice: Program, people: Any) -> None:
    first = checked(alice.post("/matches", opponent="bob", length=7, key="one"))
    again = alice.post("/matches", opponent="bob", length=7, key="one")
    assert (again.status_code, checked(again)["id"]) == (201, first["id"])
    check_refused(alice.post("/matches", opponent="bob", length=5, key="one"), 422, "key_reused")
    assert checked(alice.post("/matches", opponent="bob", length=7, key="two"))["id"] != first["id"]


@pytest.mark.parametrize(
    "time", [{"per_turn": 86_400, "bank": 0}, {"bank": 7200, "increment": 60, "cap": 7200}, "long-bank"]
)
def test_a_time_control_is_a_name_or_five_durations(alice: Program, people: Any, time: Any) -> None:
    clocks = checked(alice.post("/matches", opponent="bob", length=1, time=time))["clocks"]
    if isinstance(time, dict):
        assert {name: clocks[name] for name in ("per_turn", "increment", "cap")} == {
            "per_turn": time.get("per_turn", 0),
            "increment": time.get("increment", 0),
            "cap": time.get("cap"),
        }
    else:
        assert (clocks["per_turn"], clocks["cap"]) == (DAY, 200 * 3600)


@pytest.mark.parametrize(
    ("time", "about"),
    [
        ({"per_turn": -1}, "time.per_turn: "),
        ({"per_turn": "1 day"}, "time.per_turn: "),
        ({"per_turn": 1, "per_move": 2}, "time.per_move: "),
        ({"per_turn": 1, "bank": None}, "time.bank: "),
        (5, "time: "),
        ("x" * 41, "time: "),
        (["move-a-day"], "time: "),
    ],
    ids=str,
)
def test_a_time_control_that_cannot_be_read_is_refused_where_it_is_wrong(
    alice: Program, people: Any, time: Any, about: str
) -> None:
    answer = alice.post("/matches", opponent="bob", length=7, time=time)
    assert check_refused(answer, 422, "malformed")["detail"].startswith(about)


def test_a_look_alike_of_a_handle_invites_nobody(alice: Program, people: Any) -> None:
    check_refused(alice.post("/matches", opponent="b0b", length=7), 404, "no_such_person")
    assert alice.post("/matches", opponent="BOB", length=7).status_code == 201


def test_an_untimed_match_is_never_rated_and_has_no_deadline(table: Table) -> None:
    state = table.begin((3, 1), time="untimed", rated=True)
    assert (state["rated"], state["deadline"]) == (False, None)


@pytest.mark.parametrize(
    ("wish", "status", "reason"),
    [
        ({"opponent": "nobody", "length": 7}, 404, "no_such_person"),
        ({"opponent": "alice", "length": 7}, 422, "yourself"),
        ({"opponent": "bob", "length": 26}, 422, "length"),
        ({"opponent": "bob", "length": 0}, 422, "games"),
        ({"opponent": "bob", "length": 7, "games": 3}, 422, "games"),
        ({"opponent": "bob", "length": 2, "rules": "federation"}, 422, "length"),
        ({"opponent": "bob", "length": 7, "rules": "chess"}, 422, "rules"),
        ({"opponent": "bob", "length": 7, "time": "forever"}, 422, "time"),
        ({"opponent": "bob", "length": 7, "time": {"per_turn": 0}}, 422, "time"),
        ({"opponent": "bob", "length": 7, "time": {"per_turn": 10**12}}, 422, "time"),
        ({"opponent": "bob", "length": 7, "time": {"per_turn": 60, "colour": 1}}, 422, "malformed"),
        ({"opponent": "bob", "length": 7, "time": {"per_turn": True}}, 422, "malformed"),
        ({"opponent": "bob", "length": 7, "nonce": "XYZ"}, 422, "malformed"),
        ({"opponent": "bob", "length": "7"}, 422, "malformed"),
        ({"opponent": "bob", "length": True}, 422, "malformed"),
        ({"opponent": "bob", "length": -1}, 422, "malformed"),
        ({"opponent": "bob"}, 422, "malformed"),
        ({"opponent": "b\u0000b", "length": 7}, 422, "malformed"),
        ({"opponent": "@", "length": 7}, 422, "email_malformed"),
        ({"opponent": "bob", "length": 7, "rated": "yes"}, 422, "malformed"),
    ],
)
def test_impossible_terms_are_refused_with_a_reason(
    alice: Program, bob: Program, wish: dict[str, Any], status: int, reason: str
) -> None:
    check_refused(alice.post("/matches", wish), status, reason)


def test_what_the_client_says_about_itself_is_not_believed(alice: Program, people: Any) -> None:
    wish = {
        "opponent": "bob",
        "length": 1,
        "inviter": "charlie",
        "white": "charlie",
        "white_id": 3,
        "id": "mine",
    }
    state = checked(alice.post("/matches", wish))
    assert state["white"] == {"handle": "alice"}
    assert state["id"] != "mine"
