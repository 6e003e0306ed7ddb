"""My weekend and night: chosen on a page of the settings, shown where clocks are shown."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from bgmail.notify import occasion as occasions
from bgmail.notify.links import links_of
from bgmail.notify.render import letter
from bgmail.rules.side import Side
from bgmail.service import accounts, turns, weekly
from bgmail.store.matches import table as table_of
from bgmail.store.tables import NoticeRow
from bgmail.timing import NO_CALENDAR, Allowed, Calendar
from bgmail.world import World
from tests.web.conftest import Auth, Clock, Visitor
from tests.web.table import Table
from tests.web.test_queue import another, play, statements

PAGE = "/settings/rest"
SATURDAY = datetime(2026, 5, 30, 10, tzinfo=UTC)
WEEKEND = Calendar("UTC", frozenset({5, 6}))


@pytest.fixture
def alice(auth: Auth, visitor: Visitor, world: World) -> accounts.Account:
    auth.person("Alice")
    auth.sign_in("Alice")
    visitor.open(PAGE)
    return accounts.by_handle(world.store, "Alice")


def wish(**fields: Any) -> dict[str, Any]:
    return {"night_from": "", "night_to": "", "time_zone": "Europe/Berlin", "day": ["5", "6"], **fields}


def test_a_weekend_and_a_night_are_kept_and_shown(
    alice: accounts.Account, visitor: Visitor, world: World
) -> None:
    answer = visitor.post(PAGE, wish(night_from="22:30", night_to="7:00"))
    assert (answer.status_code, answer.location) == (303, PAGE)
    kept = weekly.of(world.store, alice.id)
    assert kept == weekly.Weekly(
        Calendar("Europe/Berlin", frozenset({5, 6}), (22 * 60 + 30, 7 * 60)), world.now()
    )
    visitor.open(PAGE)
    assert visitor.page.count(" checked> ") == 2
    assert 'value="22:30"' in visitor.page
    assert "Your pages show times in UTC." in visitor.text
    visitor.open("/settings")
    assert "in every match that allows it: Sat, Sun, 22:30–07:00 (Europe/Berlin)." in visitor.text


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"day": ["4", "5", "6"]}, "A weekend has two days at most."),
        ({"day": ["7"]}, "That is no day of the week."),
        ({"day": ["٣"]}, "That is no day of the week."),
        ({"day": [""]}, "That is no day of the week."),
        ({"night_from": "22:00"}, "A night needs both a beginning and an end."),
        ({"night_from": "22:00", "night_to": "22:00"}, "A night that ends when it begins is none."),
        ({"night_from": "18:00", "night_to": "06:01"}, "A night lasts 12 hours at most."),
        ({"night_from": "25:00", "night_to": "06:00"}, "Write a time of the day like 22:00, not “25:00”."),
        ({"time_zone": "Mars/Olympus"}, "There is no time zone called “Mars/Olympus”."),
        ({"time_zone": "Europe/Berlin\0"}, "There is no time zone called"),
        ({"time_zone": ""}, "There is no time zone called"),
    ],
)
def test_what_nobody_can_have_is_refused_and_changes_nothing(
    alice: accounts.Account, visitor: Visitor, world: World, fields: dict[str, Any], sentence: str
) -> None:
    assert visitor.post(PAGE, wish(**fields)).status_code == 422
    assert sentence in visitor.text
    assert weekly.of(world.store, alice.id).calendar == NO_CALENDAR


def test_it_can_be_changed_once_in_seven_days(
    alice: accounts.Account, visitor: Visitor, world: World, clock: Clock
) -> None:
    visitor.post(PAGE, wish())
    clock.move(days=7, seconds=-1)
    visitor.open(PAGE)
    assert "It can be changed again from Mon 9 Mar 12:00 on." in visitor.text
    assert visitor.post(PAGE, wish(day=["0"])).status_code == 422
    assert "can be changed once in seven days" in visitor.text
    assert weekly.of(world.store, alice.id).calendar.weekend == {5, 6}
    clock.move(seconds=1)
    assert visitor.post(PAGE, wish(day=[])).status_code == 303
    assert weekly.of(world.store, alice.id).calendar == NO_CALENDAR


def test_the_page_needs_few_queries(alice: accounts.Account, visitor: Visitor, world: World) -> None:
    visitor.post(PAGE, wish())
    with statements(world) as seen:
        visitor.open(PAGE)
    assert len(seen) <= 3, seen


def test_the_log_of_a_match_says_when_a_player_rests(app: Flask) -> None:
    table = Table(app, (3, 1))
    assert table.view.white
    weekly.choose(table.world.store, table.view.white.id, WEEKEND, table.world.now())
    view = another(table, (3, 1))
    table.stranger.open(f"/match/{view.id}/log")
    assert "chose when to rest: Sat, Sun (UTC)" in table.stranger.text
    table.bob.open(f"/match/{view.id}")
    assert "chose when to rest" not in table.bob.text, "it is no news"


def test_an_invitation_says_when_clocks_rest_and_a_form_can_say_otherwise(app: Flask) -> None:
    table = Table(app, (3, 1))
    page = table.alice.open("/invite").text
    for name, ticked in (("weekends", " checked"), ("vacation", " checked"), ("nights", "")):
        assert f'<input type="checkbox" name="{name}" value="1"{ticked}>' in page
    offers = (({"weekends": "1", "nights": "1"}, "weekends, nights"), ({}, "never"))
    for ticks, said in offers:
        fields = {"to": "person", "opponent": "bob", "length": "3", "time": "three-days", "rules": "club"}
        where = table.alice.post("/invite", {**fields, **ticks}).location
        table.bob.open(where)
        assert f"Clocks rest {said}" in table.bob.text
    table.bob.open("/")
    assert "clocks rest: weekends, nights" in table.bob.text


def test_paused_matches_stay_in_list_and_count(app: Flask, clock: Clock) -> None:
    """Alice, who rests on Saturday and Sunday, has five matches that know it and two that don't allow it."""
    clock.instant = datetime(2026, 5, 28, 12, tzinfo=UTC)
    table = Table(app, (3, 1))
    store, white = table.world.store, table.view.white
    assert white
    table.act(Side.WHITE, "resign_match")
    without = [another(table, (3, 1), pauses=Allowed()) for _ in range(2)]
    weekly.choose(store, white.id, WEEKEND, clock())
    paused = [another(table, (3, 1)) for _ in range(5)]
    friday = table.alice.open("/").text
    clock.instant = SATURDAY
    page = table.alice.open("/").text
    assert table.alice.text.count("paused until Mon 1 Jun 00:00") == 5
    assert "Seven matches wait for you" in table.alice.text

    def order(of: str) -> list[int]:
        return [of.index(f'href="/match/{view.id}"') for view in (*without, *paused)]

    assert sorted(range(7), key=order(page).__getitem__) == sorted(range(7), key=order(friday).__getitem__)
    answer = table.alice.client.get("/api/v1/matches?state=my_turn").get_json()["matches"]
    assert [one["clocks"]["paused"] for one in answer].count(None) == 2
    assert [one["clocks"]["paused"] for one in answer if one["clocks"]["paused"]] == [
        {"side": "white", "why": "weekend", "until": "2026-06-01T00:00:00Z"}
    ] * 5


def test_the_page_of_a_match_shows_a_clock_that_rests_and_when_it_goes_on(app: Flask, clock: Clock) -> None:
    clock.instant = datetime(2026, 5, 28, 12, tzinfo=UTC)
    table = Table(app, (3, 1))
    white = table.view.white
    assert white
    weekly.choose(table.world.store, white.id, WEEKEND, clock())
    view = another(table, (3, 1))
    runs = int(datetime(2026, 6, 1, tzinfo=UTC).timestamp() * 1000)
    page = table.alice.open(f"/match/{view.id}").text
    stops = int(datetime(2026, 5, 30, tzinfo=UTC).timestamp() * 1000)
    assert f'data-turn="86400000" data-bank="259200000" data-runs="{int(clock().timestamp() * 1000)}"' in page
    assert f'data-stops="{stops}"' in page
    clock.instant = SATURDAY
    for visitor in (table.alice, table.bob, table.stranger):
        page = visitor.open(f"/match/{view.id}").text
        assert f'data-turn="0" data-bank="216000000" data-runs="{runs}" data-low' in page
        assert "Paused until Mon 1 Jun 00:00 (weekend)" in visitor.text
        assert "paused bank 2 d 12 h" in visitor.text
    play(table, view, Side.WHITE, "play", play="8/5 6/5")
    table.alice.open(f"/match/{view.id}")
    assert "Paused until" not in table.alice.text


@pytest.mark.parametrize("read", ["2026-05-30T10:00", "2026-05-31T22:00", "2026-06-01T00:00"])
def test_page_json_letter_and_row_count_the_same_hours_all_weekend(
    app: Flask, clock: Clock, read: str
) -> None:
    """Five days from Thursday noon: 84 hours are left from Saturday to Monday, wherever one looks."""
    clock.instant = datetime(2026, 5, 28, 12, tzinfo=UTC)
    table = Table(app, (3, 1))
    store, white = table.world.store, table.view.white
    assert white
    weekly.choose(store, white.id, WEEKEND, clock())
    view = another(table, (3, 1), time={"per_turn": 5 * 86_400})
    clock.instant = datetime.fromisoformat(read).replace(tzinfo=UTC)
    state = table.alice.client.get(f"/api/v1/matches/{view.id}").get_json()
    assert state["clocks"]["white"] == {"bank": 0, "turn_left": 84 * 3600}
    assert state["deadline"] == "2026-06-04T12:00:00Z"
    assert turns.load(store, view.id).deadline_at == datetime(2026, 6, 4, 12, tzinfo=UTC)
    page = table.alice.open(f"/match/{view.id}").text
    assert f'data-turn="{84 * 3_600_000}" data-bank="0"' in page
    assert "3 d 12 h" in table.alice.text
    with store.read() as connection:
        notices = table_of(NoticeRow)
        owed = notices.c.match_id == view.id, notices.c.kind == "your_turn"
        row = connection.execute(select(notices).where(*owed)).one()
        with app.test_request_context():
            occasion = occasions.read(connection, occasions.notice_of(row))
            mail = letter(connection, occasion, links_of(table.world), clock(), "play.example")
    assert "3 d 12 h" in mail.text
    assert ("Your clock rests until: Mon 1 Jun 00:00 (weekend)" in mail.text) == (read < "2026-06-01")
    assert "Lost on time: Thu 4 Jun 12:00" in mail.text
