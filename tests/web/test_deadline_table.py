"""The table of deadlines as people see it: page, JSON, letter, calendar and the stored row say the same instant."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

import orjson
from flask import Flask
from sqlalchemy import delete, select

from bgmail.notify import occasion as occasions
from bgmail.notify.links import links_of
from bgmail.notify.render import letter
from bgmail.phrases import instant
from bgmail.rules.match import legal
from bgmail.rules.side import Side
from bgmail.service import accounts, invitations, outages, turns
from bgmail.service.terms import Handle, Terms
from bgmail.service.turns import Request
from bgmail.service.views import MatchView
from bgmail.store import outages as outage_rows
from bgmail.store import people
from bgmail.store.matches import match, table
from bgmail.store.tables import NoticeRow
from bgmail.timing import Allowed, to_microseconds
from bgmail.timing import calendar as calendars
from bgmail.timing.control import DURATIONS
from bgmail.timing.outages import Outage
from bgmail.web.feed_entries import event
from tests.service.matchmaking import ScriptedChance
from tests.timing.deadline_cases import CASES, HOUR, Case, at
from tests.web.conftest import Clock
from tests.web.table import Table

notice = table(NoticeRow)


class Desk:
    """Plays the cases one after the other, in one app, between the same two people."""

    def __init__(self, app: Flask, clock: Clock) -> None:
        self.table, self.clock = Table(app, (3, 1)), clock
        self.app, self.store = app, self.table.world.store
        white, black = self.table.view.white, self.table.view.black
        assert white
        assert black
        self.alice, self.bob = white, black

    def turn(self, case: Case) -> MatchView:
        """A match in which the turn of the case has begun, with its vacations, and with its outages noted."""
        kept = orjson.dumps(calendars.to_json(case.calendar)).decode()
        with self.store.write() as connection:
            people.change(connection, self.alice.id, calendar=kept, time_zone=case.zone)
        first, *later = case.turns
        self.clock.instant = first
        view = self.open(case)
        for start, end in case.spans[0]:
            view = self.away(view, start, end)
        for begins in later:
            view = self.pass_on(view, begins)
        with self.store.write() as connection:
            for start, end in case.spans[1]:
                outage_rows.add(connection, Outage(start, end, end, outages.DOWN))
        while outages.renew_some(self.store, self.clock()):
            pass
        return turns.load(self.store, view.id)

    def open(self, case: Case) -> MatchView:
        control = case.control
        terms = Terms(
            7,
            time={name: getattr(control, name) for name in DURATIONS},
            pauses=Allowed(weekends=True, nights=True, vacation=True),
        )
        now, chance = self.clock(), ScriptedChance([(3, 1)])
        view = invitations.invite(self.store, self.alice.id, terms, Handle("bob"), "", now, chance)
        return invitations.accept(self.store, view.id, self.bob.id, now, chance)

    def away(self, view: MatchView, start: datetime, end: datetime) -> MatchView:
        draft = turns.load_draft(self.store, view.id, self.clock(), ScriptedChance([]))
        span = {"from": to_microseconds(start), "until": to_microseconds(end)}
        draft.pause({"side": "white", "why": "vacation", **span})
        moved = turns.commit(self.store, draft, actor=None)
        assert moved
        return moved

    def pass_on(self, view: MatchView, begins: datetime) -> MatchView:
        """Alice plays an hour before, and Bob then."""
        self.clock.instant = begins - HOUR
        view = self.act(view, Side.WHITE, "play", play="8/5 6/5")
        self.clock.instant = begins
        view = self.act(view, Side.BLACK, "roll")
        return self.act(view, Side.BLACK, "play", play=str(legal(view.match)[0]))

    def act(self, view: MatchView, side: Side, action: str, play: str | None = None) -> MatchView:
        chance = ScriptedChance([(4, 2)] if action == "roll" else [])
        request = Request(action, view.version, play)
        return turns.act(self.store, view.id, side, request, self.clock(), chance).view

    def clear(self) -> None:
        with self.store.write() as connection:
            connection.execute(delete(outage_rows.outage))


def said(desk: Desk, case: Case, view: MatchView) -> Iterator[tuple[str, object, object]]:
    """Where the deadline is said, what is said, and what should be."""
    ends, now, zone = at(case.ends), desk.clock(), ZoneInfo(case.zone)
    with desk.store.read() as connection:
        stored = connection.execute(
            select(match.c.deadline_at, match.c.due_at).where(match.c.id == view.id)
        ).one()
        row = connection.execute(
            select(notice).where(notice.c.match_id == view.id, notice.c.account_id == desk.alice.id)
            .order_by(notice.c.id.desc()).limit(1)
        ).one()  # fmt: skip
        with desk.app.test_request_context():
            occasion = occasions.read(connection, occasions.notice_of(row))
            mail = letter(connection, occasion, links_of(desk.table.world), now, "play.example")
            owner = accounts.by_id(desk.store, desk.alice.id)
            dated = event(view, owner, "/", now)
    yield "row", stored.deadline_at, ends
    yield "next look", stored.due_at <= ends, True
    yield "view", view.deadline_at, ends
    yield "calendar", dated and dated.at, ends
    alice = desk.table.enter(Side.WHITE)
    state = alice.client.get(f"/api/v1/matches/{view.id}").get_json()
    yield "JSON", state["deadline"], ends.isoformat().replace("+00:00", "Z")
    page = alice.open(f"/match/{view.id}").text
    yield "page", f'<time datetime="{ends.isoformat()}">' in page, True
    yield "letter", f"Lost on time: {instant(ends, zone, now)}" in mail.text, True


def test_page_json_letter_calendar_and_row_say_the_instants_of_the_table(app: Flask, clock: Clock) -> None:
    desk, wrong = Desk(app, clock), []
    for case in CASES:
        view = desk.turn(case)
        wrong += [
            (case.story, where, found, right)
            for where, found, right in said(desk, case, view)
            if found != right
        ]
        desk.clear()
    assert wrong == []
