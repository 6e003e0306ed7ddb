"""A club whose time is moved by hand: its matches, and each letter as it would be written."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Flask
from sqlalchemy import select

from bgmail.notify import occasion
from bgmail.notify.links import links_of
from bgmail.notify.message import Letter
from bgmail.notify.render import letter
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import accounts, invitations, matches, turns
from bgmail.service.deadlines import sweep_some
from bgmail.service.notices import Kind
from bgmail.service.terms import Handle, Terms
from bgmail.service.views import MatchView
from bgmail.store.matches import table
from bgmail.store.tables import NoticeRow
from bgmail.world import World
from tests.service.matchmaking import ScriptedChance, position, settle, stage

BEGUN = datetime(2026, 12, 1, 12, tzinfo=UTC)


class Clock:
    """Time stands still until the club moves it."""

    def __init__(self) -> None:
        self.now = BEGUN

    def __call__(self) -> datetime:
        return self.now


class Club:
    """Alice, Bob and Charlie, all of one language, and what they have going. `letters` are those they were owed."""

    def __init__(self, app: Flask, clock: Clock, language: str) -> None:
        self.app, self.clock, self.language = app, clock, language
        self.world: World = app.extensions["bgmail"]
        self.store = self.world.store
        self.letters: list[tuple[Kind, Letter]] = []
        self._read = 0
        self.alice, self.bob, self.charlie = settle(self.store, clock.now)
        for person in (self.alice, self.bob, self.charlie):
            accounts.set_language(self.store, person, language)

    def write(self) -> None:
        """Writes every letter that came to be owed, as things stand now."""
        notice = table(NoticeRow)
        with self.app.app_context(), self.store.read() as connection:
            for row in connection.execute(
                select(notice).where(notice.c.id > self._read).order_by(notice.c.id)
            ):
                self._read = row.id
                read = occasion.read(connection, occasion.notice_of(row))
                written = letter(connection, read, links_of(self.world), self.clock.now, "club.example")
                self.letters.append((read.kind, written))

    def begin(self, *dice: tuple[int, int], length: int = 7, **terms: Any) -> Game:
        """A match that Alice offered and Bob accepted; the first of `dice` is the opening roll."""
        chance = ScriptedChance(dice)
        now = self.clock.now
        offered = invitations.invite(
            self.store, self.alice, Terms(length, **terms), Handle("bob"), "", now, chance
        )
        game = Game(self, invitations.accept(self.store, offered.id, self.bob, now, chance), chance)
        self.write()
        return game


class Game:
    """One match of the club. Everything done in it is told at once to whoever is owed a letter."""

    def __init__(self, club: Club, view: MatchView, chance: ScriptedChance) -> None:
        self.club, self.view, self.chance = club, view, chance

    def act(self, side: Side, action: str, **wish: Any) -> Game:
        request = turns.Request(action, self.view.version, **wish)
        now = self.club.clock.now
        self.view = turns.act(self.club.store, self.view.id, side, request, now, self.chance).view
        self.club.write()
        return self

    def stage(self, side: Side, own: dict[int, int], other: dict[int, int], dice: tuple[int, int]) -> None:
        self.view = stage(self.club.store, self.view, side, position(own, other), dice)


def sweep(club: Club, chance: ScriptedChance) -> None:
    """Does what is due, and writes the letters of each step."""
    with club.app.app_context():
        while sweep_some(club.store, club.clock.now, chance):
            club.write()


def phases(club: Club) -> set[Phase]:
    """The phases that Alice's matches are in."""
    mine = matches.mine(club.store, club.alice, "running", limit=200)
    return {view.match.phase for view in mine}
