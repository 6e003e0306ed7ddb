"""Letters about vacation: to the opponents of somebody who goes on one, and to its owner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bgmail.notify.letters.desk import Desk
from bgmail.phrases import subtitle, zone_name
from bgmail.phrases import vacations as words
from bgmail.phrases.people import called
from bgmail.phrases.words import Names
from bgmail.service import vacations
from bgmail.service.respites import why_not
from bgmail.service.standstills import between
from bgmail.service.vacations import Vacation
from bgmail.service.views import MatchView
from bgmail.store import people
from bgmail.store import vacations as rows


@dataclass(frozen=True, slots=True)
class Line:
    """One match that a vacation holds, and its page."""

    about: str
    url: str


def opponent_away(desk: Desk) -> dict[str, Any]:
    """To an opponent: until when, and which of their matches are held."""
    one, reader = _vacation(desk), desk.occasion.reader
    owner = people.by_id(desk.connection, one.account_id)
    name = called(owner.handle) if owner else ""
    sure = one.wished is not None
    views = between(desk.connection, one.account_id, reader.id) if reader else []
    return {
        "says": words.away(name, one.start, one.end, desk.occasion.zone, desk.now, sure=sure),
        "name": name,
        "lines": [_line(desk, view) for view in views if why_not(view) is None],
        **_foot(desk),
    }


def begun(desk: Desk) -> dict[str, Any]:
    """To its owner: it has begun by itself."""
    one = _vacation(desk)
    return {
        "lasts": words.own(one.start, one.end, desk.occasion.zone, desk.now),
        "match_url": desk.links.match(desk.occasion.notice.data["match"]),
        **_foot(desk),
    }


def ended(desk: Desk) -> dict[str, Any]:
    """To its owner: it is over, and clocks run again."""
    one = _vacation(desk)
    left = vacations.left_in(desk.connection, one, desk.now)
    return {
        "lasted": words.own(one.start, one.end, desk.occasion.zone, desk.now),
        "left": words.days(left) if left else "",
        **_foot(desk),
    }


def _vacation(desk: Desk) -> Vacation:
    row = rows.named(desk.connection, desk.occasion.notice.data)
    if row is None:
        raise LookupError(f"notice {desk.occasion.notice.id} is about no vacation")
    return vacations.vacation_of(row)


def _foot(desk: Desk) -> dict[str, Any]:
    zone = zone_name(desk.now, desk.occasion.zone)
    return {"zone": zone, "url": desk.links.vacation()}


def _line(desk: Desk, view: MatchView) -> Line:
    reader = desk.occasion.reader
    white, black = (called(person.handle) if person else "" for person in (view.white, view.black))
    names = Names(white, black, view.side_of(reader.id) if reader else None)
    return Line(subtitle(view.match, names), desk.links.match(view.id))
