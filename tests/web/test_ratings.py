"""The list of ratings, somebody's own with what each match did, and what the page of a match says."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from flask import Flask

from bgmail.phrases import ratings as words
from bgmail.rating import Rating
from bgmail.rules.side import Side
from bgmail.service import accounts, deadlines, departures, invitations
from bgmail.service.ratings import reading
from bgmail.service.terms import Handle, Terms
from bgmail.web import rating_pages
from bgmail.world import World
from tests.service.rated import CHANCE, beats, meet, rank, rate_all
from tests.web.conftest import Auth, Clock, Visitor
from tests.web.table import Table
from tests.web.test_queue import statements


def listed(visitor: Visitor) -> list[tuple[str, str]]:
    """Rank and name of each line."""
    body = visitor.page.partition("<tbody>")[2].partition("</tbody>")[0]
    return re.findall(r'<td class="num">(\d+)</td><td><a [^>]*>([^<]+)</a>', body)


def test_the_list_has_those_who_are_sure_enough_and_played_lately_the_best_first(
    visitor: Visitor, world: World, clock: Clock, auth: Auth
) -> None:
    visitor.get("/ratings")
    assert "Nobody yet" in visitor.text
    gone = rank(world.store, "gone", 1900, world.now())
    for name, value in (("anna", 1700.4), ("ben", 1700.4), ("cleo", 1811), ("dora", 1650)):
        rank(world.store, name, value, world.now())
    rank(world.store, "eve", 2000, world.now(), deviation=111)
    rank(world.store, "fred", 2000, world.now(), pace="live")
    departures.close(world.store, gone, world.now(), CHANCE)
    visitor.get("/ratings")
    assert listed(visitor) == [("1", "cleo"), ("2", "ben"), ("2", "anna"), ("4", "dora")]
    assert "± 60" in visitor.text
    assert "75 %" in visitor.text
    visitor.get("/u/cleo/rating")
    assert "1811 ± 60; rated matches:" in visitor.text
    visitor.get("/ratings?pace=live")
    assert listed(visitor) == [("1", "fred")]
    assert visitor.get("/ratings?pace=fast").status_code == 404
    clock.move(days=366)
    visitor.get("/ratings")
    assert listed(visitor) == []


def test_the_list_goes_on_page_by_page_by_few_queries_and_ranks_go_on_too(
    visitor: Visitor, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rating_pages, "PAGE", 2)
    for name, value in (("anna", 1700), ("ben", 1700), ("cleo", 1700), ("dora", 1650), ("emma", 1600)):
        rank(world.store, name, value, world.now())
    visitor.get("/ratings")
    found = listed(visitor)
    while 'rel="next"' in visitor.page:
        more = visitor.page.split('rel="next" href="')[1].split('"')[0].replace("&amp;", "&")
        with statements(world) as seen:
            visitor.get(more)
        assert len(seen) <= 3, seen
        found += listed(visitor)
    assert found == [("1", "cleo"), ("1", "ben"), ("1", "anna"), ("4", "dora"), ("5", "emma")]
    for mark in ("nonsense", "1e9-1", "-5-3", "1700.0-99999999999999"):
        assert visitor.get(f"/ratings?after={mark}").status_code == 200


def test_my_own_line_is_marked_and_the_menu_leads_to_it(auth: Auth, visitor: Visitor, world: World) -> None:
    auth.person("Alice")
    rank(world.store, "Alice", 1500, world.now())
    auth.sign_in("Alice")
    visitor.get("/ratings")
    assert '<tr class="mine">' in visitor.page
    assert 'href="/ratings">Ratings</a>' in visitor.page


def test_a_first_guess_isn_t_in_the_list_but_its_owner_is_led_to_it(
    auth: Auth, visitor: Visitor, world: World
) -> None:
    auth.person("Alice")
    rank(world.store, "Alice", 1612, world.now(), deviation=150)
    visitor.get("/ratings")
    assert "first guess." in visitor.text  # nobody yet
    assert "1612" not in visitor.text
    auth.sign_in("Alice")
    visitor.get("/ratings")
    assert "Your own rating, 1612?, is still a first guess." in visitor.text
    assert 'href="/u/Alice/rating?pace=correspondence"' in visitor.page
    visitor.get("/ratings?pace=live")
    assert "1612" not in visitor.text


def played(world: World) -> dict[str, int]:
    """Three rated matches, two unrated, one against who closes their account, one no-show; and a machine."""
    now, store = world.now(), world.store
    people = {
        name: accounts.create(store, name, f"{name}@play.example", None, now).id
        for name in ("anna", "ben", "cleo")
    }
    for place in range(3):
        beats(store, people, "anna", "ben", now + timedelta(hours=place))
        beats(store, people, "anna", "ben", now + timedelta(hours=place), rated=False)
    beats(store, people, "anna", "cleo", now + timedelta(hours=5))
    late = meet(store, people["anna"], "ben", now, 3)
    departures.close(store, people["cleo"], now, CHANCE)
    deadlines.sweep_match(store, late.id, now + timedelta(days=60), CHANCE)
    rate_all(store, now)
    return people


def test_a_person_s_page_tells_each_match_s_effect_and_why_one_has_none(
    visitor: Visitor, world: World, clock: Clock
) -> None:
    people = played(world)
    clock.move(days=70)
    with statements(world) as seen:
        visitor.get("/u/anna/rating")
    assert len(seen) <= 5, seen
    assert "; a first guess; rated matches: 4 won, 0 lost" in visitor.text
    assert "Not rated: the loser never did anything in this match." in visitor.text
    assert visitor.text.count(" won, 7 points") == 4
    assert "closed account" in visitor.text
    assert '<svg class="rg"' in visitor.page
    shown = reading.of(world.store, people["anna"], world.now())[0]
    assert f"{words.number(shown.today)} ±" in visitor.text
    steps = re.findall(r"(\d+) → (\d+) (\S+) ", visitor.text)
    assert len(steps) == 4
    assert all(int(after) - int(before) == int(gain) for before, after, gain in steps)
    assert steps[-1][0] == "1500"
    assert [step[0] for step in steps[:-1]] == [step[1] for step in steps[1:]], "each begins where one ended"
    visitor.get("/u/anna")
    assert "rated matches: 4 won, 0 lost" in visitor.text
    visitor.get("/u/anna/rating?pace=live")
    assert "No rated match of this pace has ended yet." in visitor.text
    assert visitor.get("/u/nobody/rating").status_code == 404


def test_sums_agree_between_profile_list_and_what_everybody_gets(world: World) -> None:
    """Guests, machines and no-shows have a way of slipping into one count and not into another."""
    people = played(world)
    own = reading.of(world.store, people["anna"], world.now())[0]
    told = list(reading.everything(world.store, people["anna"]))
    assert (own.won, own.lost) == (sum(one.counts for one in told), 0) == (4, 0)
    assert [one.reason for one in told if not one.counts] == ["no_play"]
    assert sum(one.gain for one in told) == pytest.approx(own.today.value - 1500)


def test_a_match_page_tells_the_ratings_and_then_what_they_became(app: Flask, clock: Clock) -> None:
    table = Table(app, (3, 1))
    table.alice.open(table.path)
    assert "Rating" not in table.alice.text.partition("Matches to watch")[0]
    table.act(Side.BLACK, "resign_match")
    table.alice.open(table.path)
    assert "The ratings follow in a moment." in table.alice.text
    rate_all(table.world.store, clock())
    table.alice.open(table.path)
    assert "Rating of alice: 1500 → 1662 (+162)" in table.alice.text
    assert "Rating of bob: 1500 → 1338 (−162)" in table.alice.text
    offered = invitations.invite(
        table.world.store, table.view.black.id if table.view.black else 0, Terms(5), Handle("alice"), "",
        clock(), CHANCE,
    )  # fmt: skip
    table.alice.open(f"/match/{offered.id}")
    assert "Rating 1338?" in table.alice.text
    table.alice.open("/matches")
    table.alice.open("/")
    assert "1338?" in table.alice.text


def test_numbers_are_whole_and_changes_go_with_them() -> None:
    assert words.number(Rating(1512.5, 60)) == "1512"
    assert words.number(Rating(1512.6, 111)) == "1513?"
    assert words.gain(1512.6, 1519.6) == "+7"
    assert words.gain(1519.6, 1512.6) == "−7"
    assert words.gain(1512.6, 1512.9) == "±0"
    assert words.step(1512.6, 1519.6) == "1513 → 1520"
