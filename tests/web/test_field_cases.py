"""Faults that other services showed their people, each as it was reported, with what the page has to say."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import update

from bgmail.rules.score import Cube
from bgmail.rules.side import Side
from bgmail.service import matches, turns
from bgmail.service.ratings import reading
from bgmail.service.views import MatchView, cached
from bgmail.store import people
from bgmail.store.matches import match
from bgmail.store.matches import secret as secrets
from tests.service.rated import rate_all
from tests.service.test_ratings import end_on_time, lose_on_time
from tests.service.tournaments.club import Club
from tests.web.conftest import Clock, Visitor
from tests.web.table import Table
from tests.web.test_tournament_pages import browser_of, path

DAY = timedelta(days=1)
HOME = {19: 5, 20: 5}


def with_cube(table: Table, view: MatchView, cube: Cube) -> None:
    """Turns the cube behind the log's back."""
    turned = replace(view.match, cube=cube)
    with table.world.store.write() as connection:
        values = cached(turned, view.clock, view.rests)
        connection.execute(update(match).where(match.c.id == view.id).values(**values))


@pytest.mark.parametrize(
    ("loser", "points"),
    [
        ({**HOME, 21: 5}, 4),
        ({**HOME, 21: 4, 0: 1}, 6),
        ({**HOME, 21: 4}, 2),
        ({12: 5, 17: 3, 19: 5, 7: 2}, 4),
    ],
    ids=["all at home", "on the bar", "one off", "far from home"],
)
def test_page_api_and_export_count_the_last_checker_off_alike(
    app: Flask, loser: dict[int, int], points: int
) -> None:
    """A gammon counted as a single game somewhere, and a gammon as a backgammon elsewhere. The cube is at 2."""
    table = Table(app, (3, 1), (6, 1), length=9)
    with_cube(table, table.stage(Side.WHITE, {1: 1}, loser, (2, 1)), Cube(2, Side.BLACK))
    table.act(Side.WHITE, "play", play="1/off")
    table.alice.open(table.path)
    assert f"you won game 1, {points} points" in table.alice.text
    api = table.alice.client.get(f"/api/v1/matches/{table.view.id}").get_json()
    assert api["score"] == {"white": points, "black": 0}
    (over,) = [one for one in matches.log(table.world.store, table.view.id) if one.kind == "game_over"]
    assert over.data["points"] == points


def test_a_match_to_one_point_has_no_word_of_cube_or_crawford(app: Flask) -> None:
    """It was marked as a Crawford game."""
    table = Table(app, (3, 1), length=1)
    table.alice.open(table.path)
    board = table.alice.text.partition("alice – bob")[2].partition("Orders and replies")[0].lower()
    assert "1-point match, game 1. submit" in board
    assert "crawford" not in board
    assert "cube" not in board
    api = table.alice.client.get(f"/api/v1/matches/{table.view.id}").get_json()
    assert api["crawford"] == "none"
    assert "double" not in api["options"]
    table.act(Side.WHITE, "resign_match")
    assert "crawford" not in table.alice.get(f"{table.path}/export.mat").text.lower()


@pytest.mark.parametrize(
    ("own", "values"), [({6: 14}, ["1"]), ({20: 1, 6: 14}, ["1", "2", "3"])], ids=["one off", "one far away"]
)
def test_who_has_borne_off_is_offered_to_resign_a_single_game_only(
    app: Flask, own: dict[int, int], values: list[str]
) -> None:
    table = Table(app, (3, 1))
    table.stage(Side.WHITE, own, {19: 15})
    table.alice.open(f"{table.path}/confirm/resign")
    assert re.findall(r'name="value" value="(\d)"', table.alice.page) == values


def test_a_game_that_ends_the_match_anyhow_is_resigned_as_a_single_one_and_more_is_taken_all_the_same(
    app: Flask,
) -> None:
    table = Table(app, (3, 1), length=1)
    table.alice.open(f"{table.path}/confirm/resign")
    assert re.findall(r'name="value" value="(\d)"', table.alice.page) == ["1"]
    assert "resign" in table.alice.client.get(f"/api/v1/matches/{table.view.id}").get_json()["options"]
    offer = table.act(Side.WHITE, "resign", value=3).match.offer
    assert offer is not None
    assert offer.value == 3


def test_dice_are_the_same_by_link_by_program_and_after_signing_in_again(app: Flask) -> None:
    """Elsewhere a seed in the page told the next roll, and each look drew another."""
    table = Table(app, (6, 5))
    link = table.link(Side.WHITE)
    with table.world.store.read() as connection:
        kept = [row.secret.hex() for row in connection.execute(secrets.select())]
    assert kept
    state = f"/api/v1/matches/{table.view.id}"
    for visitor, where in (
        (table.stranger, link),
        (table.enter(Side.WHITE), table.path),
        (table.alice, state),
        (table.alice, f"{state}/log"),
        (table.alice, f"{state}/export?format=json"),
    ):
        told = visitor.open(where).text
        assert "6-5" in told or "[6,5]" in told.replace(" ", "")
        assert not any(one in told for one in kept)
    assert table.now().version == table.view.version


def test_before_the_roll_nothing_tells_what_it_will_be(app: Flask) -> None:
    table = Table(app, (3, 1), (6, 4))
    view = table.act(Side.WHITE, "play", play="8/5 6/5")
    with table.world.store.read() as connection:
        kept = [row.secret.hex() for row in connection.execute(secrets.select())]
    state = f"/api/v1/matches/{view.id}"
    assert table.bob.client.get(state).get_json()["dice"] is None
    pages = [state, f"{state}/log", table.link(Side.BLACK)]
    pages += [
        f"{table.path}{page}" for page in ("", "/film", "/replay", "/dice", "/export.json", "/export.mat")
    ]
    for page in pages:
        told = table.bob.open(page).text
        assert not any(one in told for one in kept), page
        assert not re.search(r"\b6-4\b", told), page  # within a form's token it may stand by chance
    table.act(Side.BLACK, "roll")
    assert str(table.now().match.dice) == "6-4"


def test_twelve_matches_lost_on_time_in_a_day_say_which_of_them_counts(app: Flask, clock: Clock) -> None:
    """People could not see which of their timed-out games counted."""
    table = Table(app, (3, 1), rated=False)
    store, alice, bob = table.world.store, table.view.white, table.view.black
    assert alice
    assert bob
    ids = lose_on_time(store, {"alice": alice.id, "bob": bob.id}, 12, clock())
    end_on_time(store, ids, clock() + 4 * DAY)
    rate_all(store, clock() + 5 * DAY)
    clock.move(days=5)
    absent = "Not rated: in the same absence another match was lost on time already, and that one counted."
    counts = []
    for match_id in ids:
        table.bob.open(f"/match/{match_id}")
        assert ("Rating of alice: 1500 →" in table.bob.text) != (absent in table.bob.text)
        told = table.bob.client.get(f"/api/v1/matches/{match_id}/rating").get_json()
        assert told["reason"] == ("absent" if absent in table.bob.text else None)
        counts.append(told["counts"])
    assert counts == [True] + [False] * 11
    table.bob.open("/u/alice/rating")
    assert "rated matches: 0 won, 1 lost" in table.bob.text
    assert table.bob.text.count(absent) == 11


def test_a_clock_that_was_not_set_back_until_the_page_was_opened_again(app: Flask, clock: Clock) -> None:
    """Bob plays when his clock shows 23:55: an open page of Alice is told at once that it is full again."""
    table = Table(app, (1, 3), (6, 5), time={"per_turn": 86_400})
    mark = re.search(r'data-mark="([^"]+)"', table.alice.open(table.path).text)
    assert mark
    clock.move(minutes=5)
    table.act(Side.BLACK, "play", play="8/5 6/5")
    news = table.alice.get(f"{table.path}?seen={mark[1]}").text
    bobs, alices = re.findall(r'<span class="clock[^>]*>.*', news)
    assert bobs == '<span class="clock"><span data-own>1 d a move</span></span>'
    runs = int(clock().timestamp() * 1000)
    assert f'class="clock on" data-turn="86400000" data-bank="0" data-runs="{runs}"' in alices
    assert table.now().deadline_at == clock() + DAY


def test_a_no_show_is_a_win_in_the_tournament_and_no_rating(app: Flask, club: Club, clock: Clock) -> None:
    """Rating was lost for games without a single move; both the standings and the page of the match say what it is."""
    tournament = club.begin(2, {"stages": [{"format": "knockout"}]})
    (pairing,) = club.pairings(tournament).values()
    view = turns.load(club.store, pairing.match_id or "")
    side = view.match.on_turn
    assert side is not None
    waits, away = view.person(side.other), view.person(side)
    assert waits
    assert away
    present(club, waits.id)
    end_on_time(club.store, [view.id], ends(view))
    club.now = clock.instant = ends(view)
    club.job()
    rate_all(club.store, club.now)
    visitor = Visitor(app)
    visitor.get(f"/match/{view.id}")
    assert "Not rated: the loser never did anything in this match." in visitor.text
    visitor.get(path(tournament, "/pairings"))
    assert f"{waits.handle} won without play" in visitor.text
    for person in (waits, away):
        assert not reading.of(club.store, person.id, club.now)
    assert {one.counts for one in reading.everything(club.store, waits.id)} == {False}


def ends(view: MatchView) -> datetime:
    assert view.deadline_at
    return view.deadline_at


def present(club: Club, account_id: int) -> None:
    """Somebody has been here after the match began."""
    with club.store.write() as connection:
        people.seen(connection, account_id, club.now + timedelta(hours=1))


@pytest.mark.parametrize(
    ("extra_match", "rule"),
    [
        (True, "If the unbeaten player loses the final, both have one loss, and a second final decides."),
        (False, "There is one final: it decides, even against a player who was unbeaten before."),
    ],
)
def test_who_enters_has_read_what_the_final_decides_and_by_which_rules_it_is_played(
    app: Flask, club: Club, extra_match: bool, rule: str
) -> None:
    """People took the second final for a fault, and learned at the first move what they had entered."""
    plan = {"stages": [{"format": "double_elimination", "extra_match": extra_match}]}
    conditions = {"length": 5, "rules": "claim", "pauses": {"vacation": False}}
    tournament = club.open(plan, conditions, name="DR 5-pointer")
    visitor = browser_of(app, club, "Alice")
    visitor.get(path(tournament))
    told = visitor.text.partition("Enter the tournament")[0]
    for said in (
        rule,
        "5-point match, rated Rules rules with claimed timeouts",
        "Time 1 day a move + 3 days bank",
        "Clocks rest never: there is no pause and no vacation",
        "In the browser, by mail and by the API.",
    ):
        assert said in told


def test_whose_results_do_not_count_is_told_beside_their_name(app: Flask, club: Club) -> None:
    """Results of somebody who left a round robin early stayed in its standings."""
    tournament = club.begin(6)

    def meeting(*numbers: int) -> Any:
        return next(one for one in club.pairings(tournament).values() if all(map(one.has, numbers)))

    club.wins(meeting(1, 6), "player6")
    club.wins(meeting(2, 6), "player2")
    club.job()
    club.say(tournament, "withdraw", entry=6)
    club.job()
    visitor = Visitor(app)
    visitor.get(path(tournament, "/standings"))
    rows = re.findall(r"<tr.*?</tr>", visitor.page, re.DOTALL)
    plain = [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in rows[1:]]
    told = {row.split()[1]: row for row in plain}
    assert "has withdrawn" in told["player6"]
    assert "Not listed: none of these results counts." in told["player6"]
    for name in ("player1", "player2"):
        assert re.search(r" 0 0$", told[name]), told[name]
    visitor.get(path(tournament))
    assert "fewer than half of the matches played is left out of its standings" in visitor.text
    visitor.get(path(tournament, "/cross-table"))
    assert "lost against player6" in visitor.text
