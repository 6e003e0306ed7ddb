"""What a webhook tells: one event with the match as it stands, in fields for programs and in words for people.

Webhooks often lead into rooms where others read: the words name both sides, nothing in an event lets anybody act,
and what is for one's own eyes (chat, notes, an invitation's message, addresses) isn't in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import flask_babel  # type: ignore[import-untyped]
from sqlalchemy import Connection

from bgmail.board import text
from bgmail.board.staged import staged
from bgmail.ledger.entry import parse_entry
from bgmail.ledger.latest import last_play
from bgmail.notify.letters.tournaments import says
from bgmail.notify.links import Links
from bgmail.notify.occasion import Occasion
from bgmail.notify.present import TOURNAMENTS
from bgmail.phrases import (
    board_words,
    game_result,
    heading,
    lasting,
    match_result,
    match_terms,
    score_line,
    subtitle,
)
from bgmail.phrases.people import called
from bgmail.phrases.tasks import offer_line
from bgmail.phrases.translate import gettext
from bgmail.phrases.vacations import away, untimed_line
from bgmail.phrases.words import Names
from bgmail.rules.match import Match, Phase
from bgmail.rules.side import Side
from bgmail.service.notices import Kind
from bgmail.service.states import rfc3339, state
from bgmail.service.views import MatchView
from bgmail.service.webhooks import EVENTS, FIELDS, TEST
from bgmail.store import matches, people, vacations

LATEST = 6
"""Entries of the log that are looked through for the last play."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event, before it is put into the form that its receiver wants.

    `at` is when it happened. `data` is for programs. For people there are `headline`, `name` (of the match),
    `facts` (a line each), `board` ("" where there is none) and `deadline` (None where no time runs).
    """

    type: str
    at: datetime
    link: str
    headline: str
    data: Mapping[str, Any]
    name: str = ""
    facts: tuple[str, ...] = ()
    board: str = ""
    deadline: datetime | None = None


def event_of(connection: Connection, occasion: Occasion, links: Links, now: datetime) -> Event:
    """The event of an occasion, in the language of the webhook's owner."""
    with flask_babel.force_locale(occasion.locale):
        if occasion.kind is Kind.TEST:
            return _trial(occasion, links)
        if occasion.kind is Kind.OPPONENT_AWAY:
            return _vacation(connection, occasion, links, now)
        if occasion.kind in TOURNAMENTS:
            return _tournament(connection, occasion, links)
        return _match_event(connection, occasion, links, now)


def _tournament(connection: Connection, occasion: Occasion, links: Links) -> Event:
    """About a tournament and not about a match of it; `facts` are what a letter says under its title."""
    told = says(connection, occasion)
    link = links.tournament(told.tournament)
    data = {
        "owner": occasion.handle,
        "tournament": told.tournament,
        "name": told.name,
        "headline": told.title,
        "facts": list(told.lines),
        "link": link,
    }
    at, kind = occasion.notice.created_at, EVENTS[occasion.kind]
    return Event(kind, at, link, told.title, data, name=told.name, facts=told.lines)


def _trial(occasion: Occasion, links: Links) -> Event:
    says = gettext("A test of %(name)s's webhook: it works.", name=occasion.handle)
    link = links.webhooks()
    data = {"owner": occasion.handle, "headline": says, "link": link}
    return Event(TEST, occasion.notice.created_at, link, says, data)


def _vacation(connection: Connection, occasion: Occasion, links: Links, now: datetime) -> Event:
    """About somebody and not about a match: `until` is the latest that it lasts."""
    row = vacations.named(connection, occasion.notice.data)
    owner = people.by_id(connection, row.account_id) if row else None
    if row is None or owner is None:
        raise LookupError(f"notice {occasion.notice.id} is about nobody's vacation")
    sure, zone, name = row.wished_until is not None, occasion.zone, called(owner.handle)
    headline, link = away(name, row.from_at, row.until_at, zone, now, sure=sure), links.home()
    span_of = {"from": rfc3339(row.from_at), "until": rfc3339(row.until_at)}
    data = {"owner": occasion.handle, "opponent": name, "headline": headline, "link": link, **span_of}
    return Event(EVENTS[occasion.kind], occasion.notice.created_at, link, headline, data)


def _match_event(connection: Connection, occasion: Occasion, links: Links, now: datetime) -> Event:
    view, names = occasion.match, replace(occasion.names(), you=None)
    match, link = view.match, links.match(view.id)
    title = gettext(
        "%(white)s – %(black)s, %(terms)s", white=names.white, black=names.black, terms=match_terms(match)
    )
    headline, board = _headline(occasion, names, now), _board(match, occasion.seat, occasion.names())
    told = state(view, occasion.seat, now)
    data = {
        "owner": occasion.handle,
        "match_id": view.id,
        "name": title,
        "headline": headline,
        "link": link,
        **{field: told[field] for field in FIELDS},
        "board": board,
        "last_play": _last_play(connection, view),
        "last_game": _last_game(match),
    }
    return Event(
        type=EVENTS[occasion.kind],
        at=occasion.notice.created_at,
        link=link,
        headline=headline,
        data=data,
        name=title,
        facts=_facts(match, names),
        board=board,
        deadline=view.deadline_at if match.phase is not Phase.OVER else None,
    )


def _headline(occasion: Occasion, names: Names, now: datetime) -> str:
    """What happened, told to anybody: "alice has 5-2 to play"."""
    view, match = occasion.match, occasion.match.match
    if occasion.kind is Kind.INVITATION:
        return gettext("%(white)s invites %(black)s to a match", white=names.white, black=names.black)
    if occasion.kind is Kind.REMINDER and view.deadline_at and match.on_turn is not None:
        left = lasting(view.deadline_at - now)
        return gettext("%(name)s has %(span)s left", name=names.of(match.on_turn), span=left)
    if match.phase is Phase.OVER:
        return match_result(match, names)
    return _told_of(occasion, names) or heading(match, names)


def _told_of(occasion: Occasion, names: Names) -> str:
    """What happened beside the play itself; "" where it is the play."""
    match = occasion.match.match
    if occasion.kind is Kind.GAME_OVER and match.last_game:
        return game_result(match.last_game, names)
    if occasion.kind is Kind.RESIGNATION and match.offer:
        return offer_line(match, names)
    if occasion.kind is Kind.DAY_GIVEN:
        return gettext("%(name)s has a day more.", name=names.of(occasion.seat))
    if occasion.kind is Kind.UNTIMED:
        agreed = occasion.match.clock.control.untimed
        return untimed_line(names.of(occasion.seat.other), agreed=agreed)
    return ""


def _facts(match: Match, names: Names) -> tuple[str, ...]:
    if match.phase in (Phase.INVITED, Phase.OVER):
        return (match_terms(match),)
    return (subtitle(match, names), score_line(match, names))


def _board(match: Match, seat: Side, names: Names) -> str:
    """The board from the owner's side, without the sentences that say "you"."""
    if match.phase in (Phase.INVITED, Phase.OVER):
        return ""
    board, words = staged(match, seat), board_words(names)
    lines = text.draw(board, words).splitlines()
    return "\n".join(lines[: -len(text.cube_and_dice(board, words))])


def _last_play(connection: Connection, view: MatchView) -> dict[str, str] | None:
    entries = [
        parse_entry(entry) for entry, _ in matches.texts(connection, view.id, max(0, view.head - LATEST))
    ]
    found = last_play(entries, view.match)
    return {"side": found[0].word, "play": found[1]} if found else None


def _last_game(match: Match) -> dict[str, Any] | None:
    last = match.last_game
    if last is None:
        return None
    ending = last.ending.value
    return {
        "game": last.game,
        "winner": last.winner.word,
        "points": last.points,
        "worth": last.worth,
        "ending": ending,
    }


def envelope(event: Event) -> dict[str, Any]:
    """The event as the Standard Webhooks specification wants it."""
    return {"type": event.type, "timestamp": rfc3339(event.at), "data": dict(event.data)}
