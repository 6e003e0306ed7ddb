"""Deadlines as a calendar and turns as a feed: read by programs, under an address that nobody can guess."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any

import feedparser
import pytest
from flask import Flask
from icalendar import Calendar

from bgmail import timing
from bgmail.rules.side import Side
from bgmail.service import accounts, departures
from bgmail.web.masks import masked
from tests.web.conftest import BASE_URL, Clock, Visitor
from tests.web.table import Table
from tests.web.test_queue import another, play, statements

BOTH = ("deadlines.ics", "turns.atom")


@pytest.fixture
def table(app: Flask) -> Table:
    """Alice has 3-1 to play."""
    return Table(app, (3, 1), (6, 5))


def addresses(visitor: Visitor, answer: str = "renew") -> dict[str, str]:
    """The addresses that the settings show after that button, as paths, by the name of the file."""
    visitor.open("/settings/feeds")
    visitor.post("/settings/feeds", {"answer": answer}, follow_redirects=True)
    found = re.findall(r'value="([^"]+/feed/[^"]+/([^"/]+))"', visitor.page)
    assert all(url.startswith(BASE_URL) for url, _ in found)
    return {name: url.removeprefix(BASE_URL) for url, name in found}


def calendar(visitor: Visitor, path: str) -> Calendar:
    answer = visitor.client.get(path)
    assert (answer.status_code, answer.content_type) == (200, "text/calendar; charset=utf-8")
    return Calendar.from_ical(answer.data)


def feed(visitor: Visitor, path: str) -> Any:
    answer = visitor.client.get(path)
    assert (answer.status_code, answer.content_type) == (200, "application/atom+xml; charset=utf-8")
    read = feedparser.parse(answer.data, response_headers={"content-type": answer.content_type})
    assert not read.bozo
    return read


def test_the_calendar_has_the_deadline_of_a_match_that_waits_for_me(table: Table) -> None:
    path = addresses(table.alice)["deadlines.ics"]
    read = calendar(table.stranger, path)
    event = read.events[0]
    view = table.now()
    assert read.calendar_name == "bgmail: deadlines of alice"
    assert event.uid == f"{view.id}.white@bgmail"
    assert event.start == view.deadline_at == timing.deadline(view.clock)
    assert event.sequence == view.head
    assert event["summary"] == "Deadline against bob: Play 3-1"
    assert event["url"] == f"{BASE_URL}{table.path}"
    said = str(event["description"]).split("\n")
    assert said[0] == "Your turn: 3-1 to play"
    assert "Your bank starts: Tue 3 Mar 12:00" in said
    assert "Lost on time: Fri 6 Mar 12:00" in said
    assert said[-2:] == ["Times are in UTC.", f"{BASE_URL}{table.path}"]


def test_its_alarms_ring_where_a_reminder_would_come(table: Table, clock: Clock) -> None:
    path = addresses(table.alice)["deadlines.ics"]
    planned = [reminder.at for reminder in timing.reminders(table.now().clock)]
    assert len(planned) == 3
    for hours, coming in ((0, planned), (20, planned[1:]), (91, [])):
        clock.instant = table.view.moved_at + timedelta(hours=hours)
        event = calendar(table.stranger, path).events[0]
        assert [alarm.TRIGGER for alarm in event.walk("VALARM")] == coming


def test_an_event_keeps_its_name_and_counts_its_changes(table: Table) -> None:
    path = addresses(table.alice)["deadlines.ics"]
    first = calendar(table.stranger, path).events[0]
    table.act(Side.WHITE, "play", play="8/5 6/5")
    assert calendar(table.stranger, path).events == [], "it is Bob's turn"
    table.act(Side.BLACK, "roll")
    table.act(Side.BLACK, "play", play="24/18 18/13")
    second = calendar(table.stranger, path).events[0]
    assert first.uid == second.uid
    assert second.sequence > first.sequence
    assert second["summary"] == "Deadline against bob: Roll or double"


def test_a_match_without_a_clock_has_no_deadline_and_still_is_a_turn(app: Flask) -> None:
    table = Table(app, (3, 1), time="untimed")
    paths = addresses(table.alice)
    assert calendar(table.stranger, paths["deadlines.ics"]).events == []
    entry = feed(table.stranger, paths["turns.atom"]).entries[0]
    assert "Lost on time" not in entry.content[0].value


def test_the_feed_has_each_turn_with_its_board(table: Table, clock: Clock) -> None:
    path = addresses(table.alice)["turns.atom"]
    read = feed(table.stranger, path)
    assert (read.feed.title, read.feed.link) == ("bgmail: turns of alice", f"{BASE_URL}/")
    first = read.entries[0]
    assert (first.title, first.author) == ("Match with bob: Play 3-1", "bob")
    assert first.link == f"{BASE_URL}{table.path}"
    board = unescape(re.search(r"<pre>(.*?)</pre>", first.content[0].value, re.DOTALL)[1])  # type: ignore[index]
    assert "+--13--14--15--16--17--18-+-BAR+--19--20--21--22--23--24-+" in board
    assert "[3] [1]" in board
    clock.move(hours=1)
    table.act(Side.WHITE, "play", play="8/5 6/5")
    assert feed(table.stranger, path).entries == []
    table.act(Side.BLACK, "roll")
    table.act(Side.BLACK, "play", play="24/18 18/13")
    again = feed(table.stranger, path)
    second = again.entries[0]
    assert again.feed.id == read.feed.id
    assert second.id != first.id
    assert second.updated == again.feed.updated == "2026-03-02T13:00:00Z"
    assert "<p>bob: played 6-5: 24/13</p>" in second.content[0].value


def test_both_are_in_the_language_and_zone_of_their_owner_whoever_asks(table: Table) -> None:
    paths = addresses(table.alice)
    alice = accounts.by_handle(table.world.store, "alice")
    accounts.set_language(table.world.store, alice.id, "de")
    accounts.set_time_zone(table.world.store, alice.id, "Europe/Berlin")
    for asks in ("ru", "en", "de"):
        answer = table.stranger.client.get(paths["deadlines.ics"], headers={"Accept-Language": asks})
        event = Calendar.from_ical(answer.data).events[0]
        assert event["summary"] == "Frist gegen bob: 3-1 spielen"
        assert re.search(r"Fr\.?,? 6\. März,? 13:00", str(event["description"]))
        answer = table.stranger.client.get(paths["turns.atom"], headers={"Accept-Language": asks})
        read = feedparser.parse(answer.data)
        assert read.feed.language == "de"
        assert read.entries[0].title == "Match gegen bob: 3-1 spielen"
    table.bob.open("/settings/feeds")
    assert "Calendar and feed" in table.bob.text


@pytest.mark.parametrize("name", BOTH)
def test_who_has_it_already_gets_it_only_when_it_changed(table: Table, name: str) -> None:
    path = addresses(table.alice)[name]
    first = table.stranger.client.get(path)
    assert first.headers["Cache-Control"] == "private, no-cache"
    assert first.headers["Referrer-Policy"] == "no-referrer"
    assert first.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert "Set-Cookie" not in first.headers
    known = {"If-None-Match": first.headers["ETag"]}
    same = table.stranger.client.get(path, headers=known)
    assert (same.status_code, same.data, same.headers["ETag"]) == (304, b"", first.headers["ETag"])
    assert table.stranger.client.head(path).headers["ETag"] == first.headers["ETag"]
    table.act(Side.WHITE, "play", play="8/5 6/5")
    assert table.stranger.client.get(path, headers=known).status_code == 200


@pytest.mark.parametrize("name", BOTH)
def test_renewed_ended_or_closed_it_is_nowhere(table: Table, name: str) -> None:
    alice, ask = table.alice, table.stranger.client.get
    old = addresses(alice)[name]
    assert ask(old).status_code == 200
    new = addresses(alice)[name]
    assert (ask(old).status_code, ask(new).status_code) == (404, 200)
    assert addresses(alice, "stop") == {}
    assert ask(new).status_code == 404
    last = addresses(alice)[name]
    departures.close(
        table.world.store,
        table.now().white.id,
        table.world.now(),
        table.world.chance,  # type: ignore[union-attr]
    )
    assert ask(last).status_code == 404


@pytest.mark.parametrize("name", BOTH)
def test_an_address_cut_short_or_of_another_purpose_is_nowhere(table: Table, name: str) -> None:
    path = addresses(table.alice)[name]
    reply = table.link(Side.WHITE).removeprefix("/r/")
    for wrong in (path.replace("/" + name, "x/" + name), f"/feed/{reply}/{name}", f"/feed/x/{name}"):
        answer = table.stranger.client.get(wrong)
        assert answer.status_code == 404
        assert answer.headers["Cache-Control"] == "no-store"


def test_the_same_address_is_shown_each_time(table: Table, clock: Clock) -> None:
    first = addresses(table.alice)
    clock.move(days=3)
    table.alice.open("/settings/feeds")
    assert set(first) == set(BOTH)
    assert all(path in table.alice.page for path in first.values())
    assert "No program has read them yet." in table.alice.text
    table.stranger.client.get(first["turns.atom"])
    clock.move(hours=2, minutes=5)
    table.alice.open("/settings/feeds")
    assert "A program read them about 2 hours 5 minutes ago." in table.alice.text


def test_who_reads_is_not_signed_in_by_it(table: Table) -> None:
    table.stranger.client.get(addresses(table.alice)["turns.atom"])
    assert table.stranger.get("/settings/feeds").location.startswith("/sign-in")


def test_what_others_may_not_know_is_not_in_it(table: Table) -> None:
    table.alice.open(table.path)
    table.alice.post(f"{table.path}/note", {"body": "He always runs."})
    table.bob.open(table.path)
    table.bob.post(f"{table.path}/chat", {"body": "good luck"})
    for path in addresses(table.alice).values():
        text = table.stranger.client.get(path).get_data(as_text=True)
        assert "He always runs." not in text
        assert "good luck" not in text
        assert "play.example" not in text


def test_a_program_that_never_stops_is_told_to_wait(table: Table) -> None:
    path = addresses(table.alice)["deadlines.ics"]
    answers = [table.stranger.client.get(path) for _ in range(241)]
    assert [answer.status_code for answer in answers[-2:]] == [200, 429]
    assert int(answers[-1].headers["Retry-After"]) > 3500


@pytest.mark.parametrize(("name", "most"), [("deadlines.ics", 3), ("turns.atom", 4)])
def test_however_many_matches_wait_the_queries_are_as_few(table: Table, name: str, most: int) -> None:
    path = addresses(table.alice)[name]
    for _ in range(20):
        play(table, another(table, (3, 1)), Side.WHITE, "play", (6, 5), play="8/5 6/5")
        another(table, (5, 2))
    table.stranger.client.get(path)
    with statements(table.world) as seen:
        answer = table.stranger.client.get(path)
    assert answer.get_data(as_text=True).count("bob: ") >= 21
    assert len(seen) <= most, seen


def test_the_address_is_kept_out_of_access_logs(table: Table) -> None:
    path = addresses(table.alice)["turns.atom"]
    assert masked(f'"GET {path} HTTP/1.1" 200') == '"GET /feed/... HTTP/1.1" 200'
