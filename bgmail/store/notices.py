"""The statements on notices: which are still to be planned, and what letters have to look up.

What is done for a notice by each channel is in `bgmail.store.errands`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
from sqlalchemy import Connection, Row, bindparam, func, or_, select, text, update

from bgmail.store.matches import action, table
from bgmail.store.prepared import Prepared
from bgmail.store.tables import DeliveryRow, ErrandRow, InvitationRow, NoticeRow, VisitRow

READY, PLANNED, SENT, OBSOLETE, FAILED = "ready", "planned", "sent", "obsolete", "failed"
OPEN = (READY, PLANNED)
"""Still owed."""
PEOPLE = ("page", "link", "api", "mail")
"""The ways in which a person, and not the server, acts in a match."""

notice, delivery = table(NoticeRow), table(DeliveryRow)
_errand, _invitation, _visit = table(ErrandRow), table(InvitationRow), table(VisitRow)

_UNPLANNED = (
    select(notice)
    .where(
        text("notice.state = 'ready'")
    )  # by a parameter the index of those that are ready wouldn't be found
    .where(or_(notice.c.aside_until.is_(None), notice.c.aside_until <= bindparam("now")))
    .order_by(notice.c.id)
    .limit(bindparam("most"))
)
_STILL_TO_TELL = (
    select(notice)
    .join(_errand, _errand.c.notice_id == notice.c.id)
    .where(
        notice.c.match_id == bindparam("match_id"),
        notice.c.address == bindparam("address"),
        _errand.c.channel == bindparam("of_channel"),
        _errand.c.state == READY,
    )
)
"""In any order: asked for one, SQLite goes through all that a person was ever told."""
_STILL_TO_TELL_PERSON = Prepared(_STILL_TO_TELL.where(notice.c.account_id == bindparam("account_id")))
_STILL_TO_TELL_ADDRESS = Prepared(_STILL_TO_TELL.where(notice.c.account_id.is_(None)))
_OPENINGS = Prepared(
    select(action.c.seq, action.c.kind, action.c.data)
    .where(action.c.match_id == bindparam("match_id"))
    .where(or_(action.c.kind == "commit", action.c.kind == "opening_roll"))
    .order_by(action.c.seq)
)
_OWN_LAST = Prepared(
    select(func.max(action.c.seq))
    .where(action.c.match_id == bindparam("match_id"), action.c.seat == bindparam("seat"))
    .where(or_(*(action.c.via == way for way in PEOPLE)))
)
_LETTERS_SINCE = Prepared(
    select(func.count())
    .join(_errand, _errand.c.notice_id == notice.c.id)
    .where(
        notice.c.account_id == bindparam("account_id"),
        notice.c.match_id == bindparam("match_id"),
        notice.c.version >= bindparam("since"),
        _errand.c.channel == "mail",
        _errand.c.state == SENT,
    )
)
_SEEN = Prepared(
    select(_visit.c.seq).where(
        _visit.c.match_id == bindparam("match_id"), _visit.c.account_id == bindparam("account_id")
    )
)


@dataclass(frozen=True, slots=True)
class Opening:
    """The seq of a game's first opening roll (0 when it hasn't begun), and the commitment to its dice ("" = none)."""

    at: int
    commitment: str


def unplanned(connection: Connection, now: datetime, most: int) -> Sequence[Row[Any]]:
    """Notices for which nothing is planned yet, oldest first."""
    return connection.execute(_UNPLANNED, {"now": now, "most": most}).all()


def set_aside(connection: Connection, notice_id: int, until: datetime) -> None:
    """One that made no sense is not looked at before `until`."""
    connection.execute(update(notice).where(notice.c.id == notice_id).values(aside_until=until))


def open_ones(
    connection: Connection, match_id: str, account_id: int | None, address: str, channel: str
) -> Sequence[Any]:
    """All notices of one match that one person is still to be told by one channel, oldest first."""
    values = {"match_id": match_id, "address": address, "of_channel": channel}
    if account_id is None:
        found = _STILL_TO_TELL_ADDRESS.records(connection, **values)
    else:
        found = _STILL_TO_TELL_PERSON.records(connection, account_id=account_id, **values)
    return sorted(found, key=lambda row: row.id)


def by_ids(connection: Connection, wanted: Sequence[int]) -> Sequence[Row[Any]]:
    """Notices by their ids, oldest first."""
    return connection.execute(select(notice).where(notice.c.id.in_(wanted)).order_by(notice.c.id)).all()


def opening(connection: Connection, match_id: str, game: int) -> Opening:
    """How one game of a match began."""
    at, commitment = 0, ""
    for row in _OPENINGS.rows(connection, match_id=match_id):
        values = orjson.loads(row["data"])
        if values["game"] != game:
            continue
        if row["kind"] == "opening_roll":
            at = at or row["seq"]
        else:
            commitment = commitment or str(values["commitment"])
    return Opening(at, commitment)


def own_last(connection: Connection, match_id: str, seat: str) -> int:
    """The seq of the last entry that the person at `seat` made; 0 when there is none."""
    return _OWN_LAST.scalar(connection, match_id=match_id, seat=seat) or 0


def letters_since(connection: Connection, match_id: str, account_id: int, since: int) -> int:
    """How many letters about a match a person got since version `since`."""
    return _LETTERS_SINCE.scalar(connection, match_id=match_id, account_id=account_id, since=since) or 0


def last_visit(connection: Connection, match_id: str, account_id: int) -> int:
    """The head of the match's log at a person's last visit; 0 when there was none."""
    return _SEEN.scalar(connection, match_id=match_id, account_id=account_id) or 0


def invitation(connection: Connection, match_id: str) -> Row[Any] | None:
    """How a match was offered."""
    return connection.execute(select(_invitation).where(_invitation.c.match_id == match_id)).one_or_none()


def queued(connection: Connection) -> tuple[int, datetime | None]:
    """How many notices are still owed, and since when the oldest of them is: the backlog."""
    waiting = select(func.count(), func.min(notice.c.created_at)).where(notice.c.state.in_(OPEN))
    count, oldest = connection.execute(waiting).one()
    return count, oldest
