"""Leagues and standing knockouts as pages: begun, joined, left and ended by forms."""

from __future__ import annotations

from flask import Flask

from bgmail.service import accounts
from bgmail.service.tournaments import advancing, seasons, series, views
from bgmail.world import World
from tests.web.conftest import Auth, Visitor
from tests.web.test_queue import statements

FORM = {
    "kind": "league",
    "name": "Club league",
    "length": "1",
    "time": "move-a-day",
    "size": "2",
    "moves": "0",
    "least": "4",
}
YES = {"agreed": "yes", "fair_play": "yes"}


def run(world: World) -> None:
    for job in (seasons.step, advancing.step) * 2:
        while job(world.store, world.now(), world.chance):
            pass


def test_a_league_is_begun_joined_played_and_ended(
    auth: Auth, visitor: Visitor, other: Visitor, world: World
) -> None:
    auth.person("Dana")
    auth.sign_in("Dana")
    visitor.get("/leagues")
    assert "There is no league yet." in visitor.text
    visitor.get("/leagues/new")
    for wrong, says in (
        ({"size": "x"}, "That is no whole number"),
        ({"name": " "}, "needs a name"),
        ({"moves": "9"}, "At most 0 people"),
    ):
        answer = visitor.post("/leagues/new", FORM | wrong)
        assert (answer.status_code, says in visitor.text) == (422, True), visitor.text
    page = visitor.post("/leagues/new", FORM).location
    visitor.get(page)
    digest = series.listed(world.store)[0].digest
    assert visitor.post(f"{page}/join", {"conditions": digest}).status_code == 422
    assert visitor.post(f"{page}/join", {"conditions": "0", **YES}).status_code == 422
    visitor.post(f"{page}/join", {"conditions": digest, **YES}, follow_redirects=True)
    assert "You are a member" in visitor.text
    found = series.listed(world.store)[0]
    for name in ("alice", "bob", "charlie"):
        account = accounts.create(world.store, name, f"{name}@play.example", None, world.now())
        series.join(world.store, found.id, account.id, digest, world.now(), fair_play=True)
    run(world)
    other.get(page)
    assert "League, 4 members · season 1" in other.text
    assert "Division 1 running" in other.text
    assert "Division 2 running" in other.text
    assert 'action="/leagues/1/join' not in other.page
    assert "Sign in to join" in other.text
    with statements(world) as seen:
        visitor.get(page)
    assert len(seen) <= 11, seen
    visitor.post(f"{page}/leave", follow_redirects=True)
    assert "You play no other season." in visitor.text
    assert not series.is_member(world.store, found.id, accounts.by_handle(world.store, "dana").id)
    visitor.post(f"{page}/end", follow_redirects=True)
    assert "Tick that you are sure." in visitor.text
    visitor.post(f"{page}/end", {"sure": "yes"}, follow_redirects=True)
    assert "No other season begins." in visitor.text
    assert "Join the league" not in visitor.text


def test_only_its_creator_ends_it_and_nobody_finds_what_is_not_there(
    auth: Auth, visitor: Visitor, world: World
) -> None:
    dana = accounts.create(world.store, "dana", "dana@play.example", None, world.now())
    found = series.create(
        world.store,
        dana.id,
        series.Founding(series.Kind.STANDING, "Daily", {"length": 1}, size=4),
        world.now(),
    )
    run(world)
    auth.person("Alice")
    auth.sign_in("Alice")
    visitor.get(f"/leagues/{found.id}")
    assert "Knockout of 4, always one open" in visitor.text
    assert ">Daily 1</a>" in visitor.page
    assert "Let no other season begin" not in visitor.text
    assert visitor.post(f"/leagues/{found.id}/end", {"sure": "yes"}).status_code == 403
    assert visitor.post(f"/leagues/{found.id}/join", {"conditions": found.digest, **YES}).status_code == 422
    for path in ("/leagues/99", "/leagues/99999999999", "/leagues/x"):
        assert visitor.get(path).status_code == 404
    assert views.listed(world.store, [views.State.OPEN])[0].name == "Daily 1"


def test_a_stranger_has_to_sign_in(app: Flask, visitor: Visitor) -> None:
    visitor.get("/leagues")
    assert visitor.get("/leagues/new").location.startswith("/sign-in")
    assert visitor.post("/leagues/1/join", YES).status_code in (302, 303, 400)
