"""The daily digest: all that waits for the reader, the least time left first, and what has ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bgmail.notify.letters.desk import Desk
from bgmail.notify.present import gathered
from bgmail.phrases import heading, span, subtitle, zone_name
from bgmail.phrases.people import called
from bgmail.phrases.words import Names
from bgmail.service.matches import mine_now
from bgmail.service.views import MatchView

MOST = 60
_NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Row:
    """One match: against whom, what is to be done or was, where it stands, the time left ("" = no hurry), its page."""

    opponent: str
    title: str
    about: str
    left: str
    url: str


def digest(desk: Desk) -> dict[str, Any]:
    """One letter for a day: `waiting` for the reader, and `news` of matches that wait for nobody."""
    reader = desk.occasion.reader
    if reader is None:
        raise LookupError(f"notice {desk.occasion.notice.id} is a digest for nobody")
    told = [one.match for one in gathered(desk.connection, desk.occasion, desk.now)]
    waiting = {view.id: view for view in mine_now(desk.connection, reader.id, "my_turn", MOST)}
    offered = [
        view for view in told if view.id not in waiting and view.started_at is None and not view.finished_at
    ]
    own = sorted([*waiting.values(), *offered], key=lambda view: (view.deadline_at or _NEVER, view.id))
    over = [view for view in told if view.id not in waiting and view not in offered]
    return {
        "waiting": [_row(desk, view) for view in own],
        "news": [_row(desk, view) for view in over],
        "count": len(own),
        "zone": zone_name(desk.now, desk.occasion.zone),
    }


def _row(desk: Desk, view: MatchView) -> Row:
    names = _names(desk, view)
    timed = view.deadline_at is not None and view.finished_at is None
    return Row(
        opponent=names.opponent,
        title=heading(view.match, names),
        about=subtitle(view.match, names),
        left=span(max(view.deadline_at - desk.now, desk.now - desk.now))
        if timed and view.deadline_at
        else "",
        url=desk.links.match(view.id),
    )


def _names(desk: Desk, view: MatchView) -> Names:
    reader = desk.occasion.reader
    white, black = (called(person.handle) if person else "" for person in (view.white, view.black))
    return Names(white, black, view.side_of(reader.id) if reader else None)
