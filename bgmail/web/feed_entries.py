"""What a match that waits for somebody looks like in their calendar and in their feed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from uuid import NAMESPACE_URL, uuid5
from zoneinfo import ZoneInfo

from flask import render_template

from bgmail import timing
from bgmail.board import text
from bgmail.board.staged import staged
from bgmail.formats.atom import Entry
from bgmail.formats.calendar import Event
from bgmail.ledger.latest import Act, last_act
from bgmail.phrases import board_words, button, heading, subtitle, zone_name
from bgmail.phrases.lately import told_line
from bgmail.phrases.tasks import clock_moments
from bgmail.phrases.translate import gettext as _
from bgmail.rules.side import Side
from bgmail.service.accounts import Account
from bgmail.service.views import MatchView
from bgmail.web.queue import names_of


def event(view: MatchView, reader: Account, url: str, now: datetime) -> Event | None:
    """The deadline of a match; None where nobody can lose on time.

    It has an alarm wherever a reminder would come. It changes whenever the log does, and keeps its name for ever.
    """
    end, seat = timing.deadline(view.clock, view.running_pauses), _seat(view, reader)
    if end is None:
        return None
    return Event(
        uid=f"{view.id}.{seat.word}@bgmail",
        sequence=view.head,
        at=end,
        changed_at=view.moved_at,
        summary=_title(_("Deadline against %(name)s: %(todo)s"), view, seat),
        description="\n".join([*_about(view, reader, seat, now), url]),
        url=url,
        alarms=tuple(one.at for one in timing.reminders(view.clock, view.running_pauses) if one.at > now),
    )


def entry(view: MatchView, reader: Account, url: str, acts: Iterable[Act], now: datetime) -> Entry:
    """The turn in a match, with the board; each turn is an entry of its own."""
    seat = _seat(view, reader)
    names = names_of(view, seat)
    board = staged(view.match, seat)
    done = last_act(acts, seat.other)
    return Entry(
        id=iri(f"match {view.id} version {view.version}"),
        title=_title(_("Match with %(name)s: %(todo)s"), view, seat),
        url=url,
        updated_at=view.moved_at,
        author=names.opponent,
        html=render_template(
            "feeds/turn.html",
            did=told_line(done, names) if done else "",
            board=text.draw(board, board_words(names)),
            about=_about(view, reader, seat, now),
            button=button(view.match, seat),
            url=url,
        ),
    )


def iri(name: str) -> str:
    """A name that is unique everywhere and stays, also when this site moves to another address."""
    return uuid5(NAMESPACE_URL, f"urn:bgmail:{name}").urn


def _seat(view: MatchView, reader: Account) -> Side:
    seat = view.side_of(reader.id)
    if seat is None:
        raise LookupError(f"account {reader.id} doesn't sit in match {view.id}")
    return seat


def _title(sentence: str, view: MatchView, seat: Side) -> str:
    return sentence % {"name": names_of(view, seat).opponent, "todo": button(view.match, seat)}


def _about(view: MatchView, reader: Account, seat: Side, now: datetime) -> list[str]:
    """What is to be done, the score, and until when, a line each, in the zone of the reader."""
    names, zone = names_of(view, seat), ZoneInfo(reader.time_zone)
    moments = clock_moments(view.match, view.clock, view.running_pauses, names, zone, now)
    times = [f"{label}: {at}" for label, at in moments]
    zones = [_("Times are in %(zone)s.", zone=zone_name(now, zone))] if times else []
    return [heading(view.match, names), subtitle(view.match, names), *times, *zones]
