"""What people want of each other, and how much they want to play, holds through the API as well."""

from __future__ import annotations

from flask import Flask

from bgmail.service import admission, departures, invitations, ties
from bgmail.service.accounts import Account
from bgmail.service.terms import Open, Terms
from bgmail.world import World
from tests.api.conftest import Program, check_refused, checked


def test_a_blocked_program_invites_nobody_who_blocked_it_and_takes_no_challenge_of_theirs(
    app: Flask, alice: Program, bob: Program, people: dict[str, Account]
) -> None:
    here: World = app.extensions["bgmail"]
    ties.make(here.store, people["alice"].id, "bob", ties.Kind.BLOCK, here.now(), here.chance)
    refused = check_refused(bob.post("/matches", opponent="alice", length=3), 422, "no_more_matches")
    assert refused["detail"] == "alice takes on no more matches just now."
    check_refused(alice.post("/matches", opponent="bob", length=3), 422, "you_block")
    challenge = invitations.invite(
        here.store, people["alice"].id, Terms(3), Open(), "", here.now(), here.chance
    )
    assert bob.post(f"/matches/{challenge.id}/accept").status_code == 404
    assert bob.get(f"/matches/{challenge.id}").status_code == 404


def test_the_limit_of_matches_holds_for_programs(
    app: Flask, alice: Program, bob: Program, charlie: Program, people: dict[str, Account]
) -> None:
    here: World = app.extensions["bgmail"]
    admission.set_most(here.store, people["alice"].id, "1")
    first = checked(bob.post("/matches", opponent="alice", length=3))
    second = checked(charlie.post("/matches", opponent="alice", length=3))
    checked(alice.post(f"/matches/{first['id']}/accept"))
    check_refused(alice.post(f"/matches/{second['id']}/accept"), 422, "own_limit")
    check_refused(alice.post("/matches", opponent="bob", length=3), 422, "own_limit")
    check_refused(bob.post("/matches", opponent="alice", length=3), 422, "no_more_matches")
    assert alice.state(second["id"])["phase"] == "invited"


def test_the_match_of_a_closed_account_stays_and_its_token_doesnt(
    app: Flask, alice: Program, bob: Program, people: dict[str, Account]
) -> None:
    here: World = app.extensions["bgmail"]
    offered = checked(alice.post("/matches", opponent="bob", length=3))
    checked(bob.post(f"/matches/{offered['id']}/accept"))
    departures.close(here.store, people["alice"].id, here.now(), here.chance)
    assert alice.get("/me").status_code == 401
    state = bob.state(offered["id"])
    assert state["white"] == {"handle": "closed account"}
    assert (state["result"]["winner"], state["result"]["ending"]) == ("black", "resigned")
    assert bob.get(f"/matches/{offered['id']}/export?format=mat").status_code == 200
    assert bob.get(f"/matches/{offered['id']}/export?format=json").get_json()["white"] == "closed account"
