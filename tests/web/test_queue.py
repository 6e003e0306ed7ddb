"""The queue: all my matches on one page, in the order I choose, by few queries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask

from bgmail.rules.side import Side
from bgmail.service import invitations, matches, turns
from bgmail.service.terms import Handle, Terms
from bgmail.service.turns import Request
from bgmail.service.views import MatchView
from bgmail.world import World
from tests.service.matchmaking import ScriptedChance
from tests.web.conftest import Clock, Visitor
from tests.web.table import Table

NOT_COUNTED = ("BEGIN", "COMMIT", "ROLLBACK", "SELECT pulse.at ")


@contextmanager
def statements(world: World) -> Iterator[list[str]]:
    """Every statement that SQLite itself runs meanwhile, however it was made; the ends of transactions are none.

    Nor is the look at the heartbeat: once a minute one comes before whichever request there is.
    """
    seen: list[str] = []
    with world.store.read() as connection:
        driver: Any = connection.connection.driver_connection
    driver.set_trace_callback(
        lambda statement: None if statement.startswith(NOT_COUNTED) else seen.append(statement)
    )
    try:
        yield seen
    finally:
        driver.set_trace_callback(None)


def another(table: Table, *dice: tuple[int, int], length: int = 7, **terms: Any) -> MatchView:
    """One more match between Alice (White) and Bob; the first of `dice` is its opening roll."""
    store, now, chance = table.world.store, table.world.now(), ScriptedChance(dice)
    white, black = table.view.white, table.view.black
    assert white
    assert black
    view = invitations.invite(store, white.id, Terms(length, **terms), Handle("bob"), "", now, chance)
    return invitations.accept(store, view.id, black.id, now, chance)


def play(
    table: Table, view: MatchView, side: Side, action: str, *dice: tuple[int, int], **wish: str
) -> MatchView:
    """One action in another match than the table's first."""
    view = turns.load(table.world.store, view.id)
    request = Request(action, view.version, **wish)  # type: ignore[arg-type]
    chance = ScriptedChance(dice)
    return turns.act(table.world.store, view.id, side, request, table.world.now(), chance).view


def listed(visitor: Visitor) -> list[str]:
    """The ids of the matches on the page, from top to bottom."""
    found = re.findall(r'class="queue-board" href="/match/([^"?]+)', visitor.page)
    assert found
    return found


def test_the_title_and_the_heading_count_what_waits(app: Flask) -> None:
    table = Table(app, (3, 1))
    another(table, (5, 2))
    another(table, (6, 4))
    another(table, (1, 2))
    table.alice.open("/")
    assert "<title>(3) My turn" in table.alice.page
    assert "Three matches wait for you One more is with your opponent." in table.alice.text
    table.bob.open("/")
    assert "<title>(1) My turn" in table.bob.page
    assert "One match waits for you Three more are with your opponents." in table.bob.text


def test_a_row_says_what_the_opponent_did_and_what_is_to_do(app: Flask) -> None:
    table = Table(app, (3, 1))
    table.alice.open("/")
    assert "opening: you won it with 3-1" in table.alice.text
    assert "Play 3-1" in table.alice.text
    table.act(Side.WHITE, "play", play="8/5 6/5")
    table.bob.open("/")
    assert "played 3-1: 8/5 6/5" in table.bob.text
    assert "Roll or double" in table.bob.text
    table.alice.open("/")
    assert "you played 3-1: 8/5 6/5" in table.alice.text
    assert "It is bob's turn" in table.alice.text
    table.act(Side.BLACK, "double")
    table.alice.open("/")
    assert "doubled to 2" in table.alice.text
    assert "Take or pass" in table.alice.text


def test_a_take_and_a_dance_are_told_too(app: Flask) -> None:
    table = Table(app, (3, 1), (6, 5))
    table.act(Side.WHITE, "play", play="8/5 6/5")
    table.act(Side.BLACK, "double")
    table.act(Side.WHITE, "take")
    table.bob.open("/")
    assert "took the cube" in table.bob.text
    assert "Play 6-5" in table.bob.text


def test_the_orders_are_links_and_each_says_where_it_stands(app: Flask, clock: Clock) -> None:
    table = Table(app, (3, 1), time="move-a-day")
    soon = table.view
    clock.move(hours=1)
    slow = another(table, (5, 2), time="three-days")
    clock.move(hours=1)
    banked = another(table, (6, 4), time="long-bank")
    table.alice.open("/")
    assert re.findall(r"then [^<]+ of bank", table.alice.page) == ["then 3 d of bank", "then 8 d 8 h of bank"]
    by_deadline = listed(table.alice)
    deadlines = {view.id: view.deadline_at for view in (soon, slow, banked)}
    assert by_deadline == sorted(deadlines, key=lambda one: deadlines[one] or clock())
    assert '<a href="/" aria-current="page">Deadline first</a>' in table.alice.page
    table.alice.open("/?order=reply")
    assert listed(table.alice) == [banked.id, slow.id, soon.id]
    assert '<a href="/?order=reply" aria-current="page">Newest reply</a>' in table.alice.page
    table.alice.open("/?order=bank")
    assert listed(table.alice) == [slow.id, soon.id, banked.id], "no bank, 3 days of bank, 200 hours"


def test_a_match_without_a_clock_comes_after_every_deadline(app: Flask, clock: Clock) -> None:
    table = Table(app, (3, 1), time="untimed")
    clock.move(days=2)
    timed = another(table, (5, 2), time="three-days")
    for order in ("deadline", "bank"):
        table.alice.open(f"/?order={order}")
        assert listed(table.alice) == [timed.id, table.view.id]


def test_an_order_that_there_is_not_is_the_usual_one(app: Flask) -> None:
    table = Table(app, (3, 1))
    another(table, (5, 2))
    assert table.alice.open("/?order=%00nonsense").status_code == 200
    assert '<a href="/" aria-current="page">Deadline first</a>' in table.alice.page


def test_sixty_running_matches_are_listed_by_five_queries_at_most(app: Flask, world: World) -> None:
    table = Table(app, (3, 1))
    for number in range(59):
        another(table, (5, 2) if number % 2 else (1, 2))
    for order in ("deadline", "reply", "bank"):
        with statements(world) as seen:
            table.alice.open(f"/?order={order}")
        assert len(listed(table.alice)) == 60
        assert 3 < len(seen) <= 5, seen


def test_noting_a_use_of_the_session_stays_within_five_queries(app: Flask, clock: Clock) -> None:
    table = Table(app, (3, 1))
    clock.move(minutes=11)
    with statements(table.world) as seen:
        table.alice.open("/")
    assert any("UPDATE" in statement for statement in seen)
    assert len([one for one in seen if "UPDATE" not in one]) <= 4, seen


def test_other_peoples_matches_are_not_in_the_queue(app: Flask) -> None:
    table = Table(app, (3, 1))
    assert matches.mine(table.world.store, 3, "running") == []
    table.stranger.open("/")
    assert table.view.id not in table.stranger.page


def test_an_invitation_never_hides_what_waits(app: Flask, make_offer: Callable[[Table], str]) -> None:
    table = Table(app, (3, 1))
    offer = make_offer(table)
    table.alice.open("/")
    text = table.alice.text
    assert listed(table.alice) == [table.view.id]
    assert text.index("Play 3-1") < text.index("An invitation for you")
    assert f"/match/{offer}" not in re.findall(r'class="queue-board" href="([^"]+)', table.alice.page)


def test_an_invitation_stands_before_all_that_waits_for_others(
    app: Flask, make_offer: Callable[[Table], str]
) -> None:
    table = Table(app, (3, 1))
    table.act(Side.WHITE, "play", play="8/5 6/5")
    make_offer(table)
    invitations.invite(
        table.world.store, 1, Terms(5), Handle("bob"), "", table.world.now(), ScriptedChance([])
    )
    table.alice.open("/")
    text = table.alice.text
    assert "An invitation waits for you" in text
    places = [
        text.index(part) for part in ("An invitation for you", "With your opponents", "Waiting for an answer")
    ]
    assert places == sorted(places)


@pytest.fixture
def make_offer() -> Callable[[Table], str]:
    """Bob invites Alice to one more match."""

    def make(table: Table) -> str:
        black = table.view.black
        assert black
        world = table.world
        offer = invitations.invite(
            world.store, black.id, Terms(3), Handle("alice"), "", world.now(), ScriptedChance([])
        )
        return offer.id

    return make


def test_time_that_runs_out_is_marked(app: Flask, clock: Clock) -> None:
    table = Table(app, (3, 1))
    clock.move(days=3, hours=20)
    table.alice.open("/")
    assert 'class="timeleft num low">4 h of bank<progress max="100" value="4"' in table.alice.page
