"""Pairings as pages tell them: which round, who against whom, and where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from flask import g

from bgmail.pairing.bracket import Bracket, Fixture
from bgmail.pairing.field import How
from bgmail.pairing.progress import fixture_of
from bgmail.phrases.formats import column_name, fixture_name, round_name
from bgmail.phrases.people import called
from bgmail.phrases.times import moment
from bgmail.phrases.translate import gettext as _
from bgmail.service.tournaments import views
from bgmail.service.tournaments.brackets import brackets
from bgmail.web.reader import zone_of
from bgmail.web.tournaments.frame import Visit
from bgmail.world import world


@dataclass(frozen=True, slots=True)
class Player:
    """One side of a meeting. `mark` is "+" or "–" for a result without play, else ""."""

    handle: str
    linked: bool
    is_bot: bool
    won: bool
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Meeting:
    """One pairing. `round` is what its meeting is called, `column` its round alone, and `number` (0 for none) tells it
    from the others there. `match_id` None where there is no match (not begun, or a bye). `mine`: the reader is on turn.
    """

    key: str
    round: str
    column: str
    number: int
    first: Player
    second: Player | None
    says: str
    match_id: str | None
    over: bool
    mine: bool


def meetings(
    seen: Visit,
    entrants: Sequence[views.Entrant],
    pairings: Sequence[views.Pairing],
    wanted: Iterable[views.Pairing] | None = None,
) -> list[Meeting]:
    """Those of the pairings that are `wanted` (all), in their order."""
    places = {
        drawn.key(fixture.key): (drawn.progress.bracket, fixture)
        for drawn in brackets(seen.tournament.plan, entrants, pairings)
        for fixture in drawn.progress.bracket.fixtures
    }
    return [
        meeting(seen, one, places.get(fixture_of(one.key)))
        for one in (pairings if wanted is None else wanted)
    ]


def meeting(seen: Visit, one: views.Pairing, place: tuple[Bracket, Fixture] | None) -> Meeting:
    """One pairing; `place` is where it stands in a bracket."""
    name = fixture_name(*place) if place else round_name(one.round)
    column = column_name(place[0], place[1].part, place[1].column) if place else name
    reader = seen.reader_id
    people = [side for side in (one.first, one.second) if side is not None]
    on_turn = next((side for side in people if side.number == one.on_turn), None)
    return Meeting(
        key=one.key,
        round=name,
        column=column,
        number=place[1].number if place and name != column else 0,
        first=_player(one, one.first),
        second=_player(one, one.second) if one.second else None,
        says=_says(one, on_turn, reader),
        match_id=one.match_id,
        over=one.how is not None,
        mine=on_turn is not None and on_turn.account_id == reader,
    )


def _player(one: views.Pairing, side: views.Entrant) -> Player:
    won = one.winner == side.number
    mark = ("+" if won else "–") if one.how is How.FORFEIT else ""
    return Player(called(side.handle), called(side.handle) == side.handle, side.is_bot, won, mark)


def _says(one: views.Pairing, on_turn: views.Entrant | None, reader: int | None) -> str:
    """How it ended, or where it stands."""
    if one.how is not None:
        return _ended(one)
    if on_turn is not None:
        return _on_turn(on_turn, one.deadline_at, reader)
    if one.match_id is not None:
        return _("running")
    if one.until is not None:
        return _("not begun; due %(when)s", when=_moment(one.until))
    return _("not begun")


def _ended(one: views.Pairing) -> str:
    if one.how is How.BYE:
        return _("bye")
    if one.how is How.ANNULLED:
        return _("annulled")
    if one.winner is None:
        return _("lost by both without play")
    winner = one.first if one.winner == one.first.number or one.second is None else one.second
    name = called(winner.handle)
    if one.how is How.FORFEIT:
        return _("%(name)s won without play", name=name)
    return _("%(name)s won, by decision", name=name) if one.decided else _("%(name)s won", name=name)


def _on_turn(on_turn: views.Entrant, deadline_at: datetime | None, reader: int | None) -> str:
    """Who has to act, and until when; some matches have no clock."""
    when, is_mine = _moment(deadline_at) if deadline_at else "", on_turn.account_id == reader
    if is_mine:
        return _("your turn until %(when)s", when=when) if when else _("your turn")
    name = called(on_turn.handle)
    if when:
        return _("%(name)s is on turn until %(when)s", name=name, when=when)
    return _("%(name)s is on turn", name=name)


def _moment(at: datetime) -> str:
    return moment(at, zone_of(g.account), world().now())
