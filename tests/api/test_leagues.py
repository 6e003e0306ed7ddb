"""Leagues by programs: begun, joined with the conditions confirmed, read by everybody, left and ended."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from bgmail.api.league_models import LeagueList, LeagueMembers, LeagueSeasons, LeagueStandings, LeagueState
from bgmail.service import accounts
from bgmail.service.tournaments import advancing, seasons, series
from bgmail.world import World
from tests.api.conftest import Clock, Program, check_refused
from tests.api.test_tournaments import told
from tests.web.test_queue import statements

WISH = {"name": "Club league", "conditions": {"length": 1, "machines": True}, "size": 2, "moves": 0}


@pytest.fixture
def here(app: Flask) -> World:
    found: World = app.extensions["bgmail"]
    return found


@pytest.fixture
def dana(app: Flask, here: World) -> Program:
    return Program(app, accounts.create(here.store, "dana", "dana@play.example", None, here.now()))


def run(here: World) -> None:
    for job in (seasons.step, advancing.step) * 2:
        while job(here.store, here.now(), here.chance):
            pass


def begun(program: Program, **more: Any) -> dict[str, Any]:
    return told(program.post("/leagues", {**WISH, **more}), 201, LeagueState)


def test_a_league_is_played_by_programs(
    here: World, dana: Program, alice: Program, bob: Program, charlie: Program
) -> None:
    league = begun(dana, least=3, size=3)
    path, yes = f"/leagues/{league['id']}", {"conditions": league["digest"], "fair_play": True}
    assert (league["kind"], league["season"], league["you"]) == (
        "league",
        0,
        {"member": False, "organises": True},
    )
    assert told(alice.get(path), model=LeagueState)["you"] is None
    for program in (alice, bob, charlie, alice):
        state = told(program.post(f"{path}/join", yes), model=LeagueState)
    assert (state["members"], state["you"]) == (3, {"member": True, "organises": False})
    members = told(dana.get(f"{path}/members"), model=LeagueMembers)["members"]
    assert [(one["handle"], one["played"]) for one in members] == [("alice", 0), ("bob", 0), ("charlie", 0)]
    second = told(dana.get(f"{path}/members?limit=1&cursor=1"), model=LeagueMembers)
    assert ([one["handle"] for one in second["members"]], second["cursor"]) == (["bob"], "2")
    assert told(dana.get(f"{path}/standings"), model=LeagueStandings) == {"season": 0, "divisions": []}
    run(here)
    (held,) = told(bob.get(f"{path}/seasons"), model=LeagueSeasons)["tournaments"]
    assert (held["state"], held["season"], held["division"]) == ("running", 1, 1)
    told(alice.get(f"/tournaments/{held['tournament']}"))
    (division,) = told(bob.get(f"{path}/standings"), model=LeagueStandings)["divisions"]
    assert division["tournament"] == held["tournament"]
    assert {line["handle"] for line in division["standings"]} == {"alice", "bob", "charlie"}
    assert told(charlie.post(f"{path}/leave"), model=LeagueState)["you"] is None
    ended = told(dana.post(f"{path}/end"), model=LeagueState)
    assert (ended["members"], ended["season"]) == (2, 1)
    assert told(dana.post(f"{path}/end"), model=LeagueState)["ended_at"] == ended["ended_at"]
    check_refused(charlie.post(f"{path}/join", yes), 422, "series_over")


def test_what_does_not_belong_to_somebody_or_makes_no_sense_is_refused(
    dana: Program, charlie: Program, stranger: Program, here: World
) -> None:
    league = begun(dana)
    path = f"/leagues/{league['id']}"
    check_refused(charlie.post(f"{path}/end"), 403, "not_organiser")
    check_refused(stranger.get(path), 401, "no_token")
    for wrong in ("99", "x", "0", "99999999999999", "%00", "²"):
        check_refused(charlie.get(f"/leagues/{wrong}"), 404, "no_series")
    check_refused(charlie.get("/leagues?cursor=-1"), 422, "malformed")
    check_refused(charlie.post(f"{path}/join", fair_play=True), 422, "malformed")
    check_refused(
        charlie.post(f"{path}/join", conditions="0" * 64, fair_play=True), 422, "conditions_changed"
    )
    check_refused(
        charlie.post(f"{path}/join", conditions=league["digest"], fair_play=False), 422, "fair_play"
    )
    for field, value, reason in (
        ("kind", "ladder", "malformed"),
        ("name", " ", "tournament_name"),
        ("conditions", {"length": 1, "rounds": "hand"}, "condition"),
        ("conditions", {"length": 1, "time": {"per_turn": -1}}, "time"),
        ("size", 33, "series_size"),
        ("moves", 1, "series_moves"),
    ):
        check_refused(charlie.post("/leagues", {**WISH, field: value}), 422, reason)
    knockout = begun(dana, kind="standing")
    yes = {"conditions": knockout["digest"], "fair_play": True}
    check_refused(charlie.post(f"/leagues/{knockout['id']}/join", yes), 422, "no_league")
    check_refused(dana.post("/leagues", WISH), 422, "too_many_series")
    run(here)
    (held,) = told(dana.get(f"/leagues/{knockout['id']}/seasons"), model=LeagueSeasons)["tournaments"]
    assert (held["state"], held["division"], held["started_at"]) == ("open", 0, None)
    assert told(dana.get(f"/leagues/{knockout['id']}/standings"), model=LeagueStandings)["divisions"] == []


def test_the_same_wish_under_a_key_is_one_league(dana: Program, clock: Clock) -> None:
    first = begun(dana, key="k")
    clock.move(hours=1)
    assert begun(dana, key="k") == first
    check_refused(dana.post("/leagues", {**WISH, "key": "k", "size": 3}), 422, "key_reused")
    assert begun(dana, key="other")["id"] != first["id"]


def test_lists_come_in_pages_and_cost_as_much_however_long_they_are(
    here: World, dana: Program, alice: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(series, "MOST_OWN", 60)
    costs = []
    for number in (1, 50):
        for place in range(number):
            begun(dana, name=f"League {number}-{place}")
        with statements(here) as seen:
            page = told(alice.get("/leagues"), model=LeagueList)
        costs.append(len(seen))
    assert costs[0] == costs[1] <= 5, seen
    assert (len(page["leagues"]), page["leagues"][0]["name"]) == (50, "League 50-49")
    rest = told(alice.get(f"/leagues?cursor={page['cursor']}"), model=LeagueList)
    assert ([one["name"] for one in rest["leagues"]], rest["cursor"]) == (["League 1-0"], None)
    three = told(alice.get(f"/leagues?limit=3&cursor={page['cursor'][:-1]}"), model=LeagueList)
    assert ([one["name"][-2:] for one in three["leagues"]], three["cursor"]) == (["44", "43", "42"], "8")
    ended = page["leagues"][0]["id"]
    told(dana.post(f"/leagues/{ended}/end"), model=LeagueState)
    rest = told(alice.get("/leagues?cursor=50"), model=LeagueList)
    assert [one["id"] for one in rest["leagues"]] == [ended], "those that go on come first"
