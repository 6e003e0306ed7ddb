"""Leagues and standing knockouts as pages: begun, joined, left and ended by forms."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from flask import Flask, g

from bgmail.service import accounts
from bgmail.service.tournaments import advancing, seasons, series, views
from bgmail.web import series_pages
from bgmail.web.series_pages import past_of
from bgmail.world import World
from tests.web.conftest import Auth, Visitor
from tests.web.test_queue import statements

FORM = {
    "kind": "league",
    "name": "Club league",
    "length": "5",
    "time": "three-days",
    "size": "2",
    "moves": "0",
    "least": "4",
    "rules": "five-point",
    "at_once": "2",
    "weekends": "1",
    "key": "one",
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
        ({"length": "7"}, "no match of length 7. Explained in the guide"),
        ({"rules": "x"}, "There is no rule set called “x”"),
        ({"time": ""}, "There is no such time control"),
        ({"wager": "2"}, "played without a wager"),
        ({"rules": "house", "wager": "1000"}, "wager is not as it must be"),
    ):
        answer = visitor.post("/leagues/new", FORM | wrong)
        assert (answer.status_code, says in visitor.text) == (422, True), visitor.text
        assert 'value="five-point" data-lengths="5" selected' in visitor.page or "rules" in wrong
    page = visitor.post("/leagues/new", FORM).location
    assert visitor.post("/leagues/new", FORM).location == page, "pressed twice, it is one"
    visitor.get(page)
    for fact in (
        "5-point match, unrated",
        "five-point rules",
        "3 days a move",
        "Clocks rest weekends How",
        "at most 2 matches",
    ):
        assert fact in visitor.text
    digest = series.listed(world.store, 1)[0].digest
    assert visitor.post(f"{page}/join", {"conditions": digest}).status_code == 422
    assert visitor.post(f"{page}/join", {"conditions": "0", **YES}).status_code == 422
    visitor.post(f"{page}/join", {"conditions": digest, **YES}, follow_redirects=True)
    assert "You are a member" in visitor.text
    found = series.listed(world.store, 1)[0]
    for name in ("alice", "bob", "charlie"):
        account = accounts.create(world.store, name, f"{name}@play.example", None, world.now())
        before = series.mark(world.store, found.id)
        series.join(world.store, found.id, account.id, digest, world.now(), fair_play=True)
        assert series.mark(world.store, found.id) != before
    other.get(page)
    mark = other.page.split('data-mark="')[1].split('"')[0]
    assert "event:" not in other.get(f"{page}/news?seen={mark}").text
    run(world)
    assert other.get(f"{page}/news?seen={mark}").text.count("event: message") == 1
    other.get(page)
    assert "League, 4 members · season 1" in other.text
    assert "Division 1 running" in other.text
    assert "Division 2 running" in other.text
    assert 'action="/leagues/1/join' not in other.page
    assert "Sign in to join" in other.text
    second = other.page.split("Division 2</a>")[0].rpartition('href="')[2].partition('"')[0]
    other.get(second)
    assert "<h1>Club league, season 1, division 2</h1>" in other.page
    visitor.post(f"{page}/leave", follow_redirects=True)
    assert "You play no other season." in visitor.text
    assert not series.is_member(world.store, found.id, accounts.by_handle(world.store, "dana").id)
    visitor.post(f"{page}/end", follow_redirects=True)
    assert "Tick that you are sure." in visitor.text
    visitor.post(f"{page}/end", {"sure": "yes"}, follow_redirects=True)
    assert "No other season begins." in visitor.text
    assert "Join the league" not in visitor.text


def test_members_are_told_the_wager_that_a_league_plays_for(auth: Auth, visitor: Visitor) -> None:
    auth.person("Dana")
    auth.sign_in("Dana")
    visitor.get("/leagues/new")
    assert 'value="house" data-wager' in visitor.page, "the field is shown with these rules"
    answer = visitor.post("/leagues/new", FORM | {"rules": "house", "wager": "5", "rated": "1"})
    visitor.get(answer.location)
    assert "5-point match, 5 points a game, rated" in visitor.text


def test_a_season_before_stands_there_with_the_day_on_which_it_ended(app: Flask) -> None:
    """It said "over" and the day on which it had begun."""
    begun, ended = datetime(2026, 10, 21, 12, tzinfo=UTC), datetime(2026, 11, 18, 12, tzinfo=UTC)
    runs = series.Held("x", "Winter", views.State.RUNNING, 2, 1, begun, None)
    with app.test_request_context():
        g.account = None
        assert past_of(runs).when == "since 21 Oct 2026"
        assert past_of(replace(runs, finished_at=ended)).when == "ended 18 Nov 2026"


def test_a_league_costs_as_many_statements_however_many_divisions_it_has(
    auth: Auth, visitor: Visitor, world: World
) -> None:
    auth.person("Dana")
    auth.sign_in("Dana")
    now, dana = world.now(), accounts.by_handle(world.store, "dana").id
    names = [f"player{number}" for number in range(1, 13)]
    people = [accounts.create(world.store, name, None, None, now, is_bot=True).id for name in names]
    founding = series.Founding(series.Kind.LEAGUE, "Club", {"length": 1, "machines": True}, size=2, moves=0)
    counts = []
    for divisions in (2, 6):
        found = series.create(world.store, dana, founding, now)
        for person in people[: 2 * divisions]:
            series.join(world.store, found.id, person, found.digest, now, fair_play=True)
        run(world)
        with statements(world) as seen:
            visitor.get(f"/leagues/{found.id}")
        assert visitor.text.count(" running ") == divisions
        counts.append(len(seen))
    assert counts[0] == counts[1] <= 10, seen


def test_the_first_newcomers_stand_on_the_page_of_a_league_and_all_on_pages_of_their_own(
    auth: Auth, visitor: Visitor, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(series_pages, "FRESH", 2)
    monkeypatch.setattr(series_pages, "FRESH_PAGE", 3)
    dana, now = auth.person("Dana"), world.now()
    auth.sign_in("Dana")
    founding = series.Founding(
        series.Kind.LEAGUE, "Club", {"length": 1, "machines": True}, size=2, moves=0, least=2
    )
    found = series.create(world.store, dana.id, founding, now)
    page, counts = f"/leagues/{found.id}", []

    def arrive(name: str) -> None:
        person = accounts.create(world.store, name, None, None, now, is_bot=True)
        series.join(world.store, found.id, person.id, found.digest, now, fair_play=True)

    for names in (("ann", "ben"), ("cleo", "dirk", "emma", "finn", "gus"), ("hugo",)):
        for name in names:
            arrive(name)
        if names == ("hugo",):
            run(world)
            for late in ("ida", "jan", "kim"):
                arrive(late)
        with statements(world) as seen:
            visitor.get(page)
        counts.append((len(seen), visitor.text.partition("New in the next season ")[2].partition(" Cond")[0]))
    assert [says for _, says in counts] == ["ann , ben", "ann , ben and 5 more", "ida , jan and 1 more"]
    assert counts[0][0] == counts[1][0] <= 8
    with statements(world) as seen:
        visitor.get(f"{page}/newcomers")
    assert len(seen) <= 4
    assert ("ida jan kim" in visitor.text, "More" in visitor.text) == (True, False)
    arrive("leo")
    assert 'rel="next" href="/leagues/1/newcomers?start=3"' in visitor.get(f"{page}/newcomers").get_data(
        as_text=True
    )
    visitor.get(f"{page}/newcomers?start=3")
    assert ("leo" in visitor.text, "kim" in visitor.text) == (True, False)
    series.end(world.store, found.id, dana.id, now)
    visitor.get(page)
    assert "New in the next season" not in visitor.text
    visitor.get(f"{page}/newcomers")
    assert "Nobody new, for now." in visitor.text
    assert visitor.get("/leagues/99/newcomers").status_code == 404


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
    for path in ("/leagues/99", "/leagues/99999999999", "/leagues/x", "/leagues/99/news"):
        assert visitor.get(path).status_code == 404
    assert views.listed(world.store, [views.State.OPEN])[0].name == "Daily 1"


def test_a_stranger_has_to_sign_in(app: Flask, visitor: Visitor) -> None:
    visitor.get("/leagues")
    assert visitor.get("/leagues/new").location.startswith("/sign-in")
    assert visitor.post("/leagues/1/join", YES).status_code in (302, 303, 400)
