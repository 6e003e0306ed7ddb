"""The statements on notices and deliveries: claim one that is due, complete it, put it off, or close it.

A claim is a guarded change of `due_at`, which moves ahead while a sender works: no lock outlives a statement.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, insert, select, update

from bgmail.store.matches import action, table
from bgmail.store.tables import DeliveryRow, InvitationRow, NoticeRow, VisitRow

READY, SENT, OBSOLETE, FAILED = "ready", "sent", "obsolete", "failed"
PEOPLE = ("page", "link", "api", "mail")
"""The ways in which a person, and not the server, acts in a match."""

notice, delivery = table(NoticeRow), table(DeliveryRow)
_invitation, _visit = table(InvitationRow), table(VisitRow)

_DUE = select(notice.c.id).where(notice.c.due_at.is_not(None), notice.c.due_at <= bindparam("now"))
_IS_DUE = _DUE.limit(1)
_CLAIM = (
    update(notice)
    .where(
        notice.c.id
        == _DUE.order_by(notice.c.due_at).limit(1).with_for_update(skip_locked=True).scalar_subquery()
    )
    .values(due_at=bindparam("until"))
    .returning(*notice.c)
)
_OPEN = (
    select(notice)
    .where(
        notice.c.state == READY,
        notice.c.match_id == bindparam("match_id"),
        notice.c.address == bindparam("address"),
    )
    .order_by(notice.c.id)
)
_CLOSE = (
    update(notice)
    .where(notice.c.id == bindparam("the_id"), notice.c.state == READY)
    .values(state=bindparam("as_state"), due_at=None)
)
_PUT_OFF = (
    update(notice)
    .where(notice.c.id == bindparam("the_id"), notice.c.state == READY)
    .values(due_at=bindparam("until"), attempts=bindparam("tried"))
)
_OPENINGS = (
    select(action.c.seq, action.c.kind, action.c.data)
    .where(action.c.match_id == bindparam("match_id"), action.c.kind.in_(("commit", "opening_roll")))
    .order_by(action.c.seq)
)
_OWN_LAST = (
    select(func.max(action.c.seq))
    .where(action.c.match_id == bindparam("match_id"), action.c.seat == bindparam("seat"))
    .where(action.c.via.in_(PEOPLE))
)
_LETTERS_SINCE = select(func.count()).where(
    notice.c.account_id == bindparam("account_id"),
    notice.c.match_id == bindparam("match_id"),
    notice.c.version >= bindparam("since"),
    notice.c.state == SENT,
)
_SEEN = select(_visit.c.seq).where(
    _visit.c.match_id == bindparam("match_id"), _visit.c.account_id == bindparam("account_id")
)


def is_any_due(connection: Connection, now: datetime) -> bool:
    """Whether there is something to claim: asked without a write, as nearly always nothing is."""
    return connection.scalar(_IS_DUE, {"now": now}) is not None


def claim(connection: Connection, now: datetime, until: datetime) -> Row[Any] | None:
    """Takes the notice that is longest due, for nobody else until `until`; None when there is none."""
    return connection.execute(_CLAIM, {"now": now, "until": until}).one_or_none()


def open_ones(
    connection: Connection, match_id: str, account_id: int | None, address: str
) -> Sequence[Row[Any]]:
    """All notices of one match that are still owed to one person, oldest first."""
    theirs = notice.c.account_id.is_(None) if account_id is None else notice.c.account_id == account_id
    return connection.execute(_OPEN.where(theirs), {"match_id": match_id, "address": address}).all()


def close(connection: Connection, notice_id: int, state: str) -> None:
    """Nothing more is to be done for a notice: it is SENT, OBSOLETE or FAILED."""
    connection.execute(_CLOSE, {"the_id": notice_id, "as_state": state})


def put_off(connection: Connection, notice_id: int, until: datetime, attempts: int) -> None:
    """A notice is to be tried again, not before `until`."""
    connection.execute(_PUT_OFF, {"the_id": notice_id, "until": until, "tried": attempts})


def begin_delivery(connection: Connection, values: dict[str, Any]) -> int:
    """Writes down an attempt before it is made; its id."""
    key = connection.execute(insert(delivery), values).inserted_primary_key
    return int(key[0]) if key else 0


def end_delivery(
    connection: Connection, delivery_id: int, ended_at: datetime, outcome: str, error: str
) -> None:
    """Writes down how an attempt went: "sent", "retry" or "refused"."""
    connection.execute(
        update(delivery)
        .where(delivery.c.id == delivery_id)
        .values(ended_at=ended_at, outcome=outcome, error=error)
    )


def openings(connection: Connection, match_id: str) -> list[tuple[int, str, str]]:
    """The commitments and opening rolls of a match, as (seq, kind, data)."""
    return [(row.seq, row.kind, row.data) for row in connection.execute(_OPENINGS, {"match_id": match_id})]


def commitment(connection: Connection, match_id: str, game: int) -> str:
    """The commitment to the dice of one game; "" when there is none."""
    for _, kind, data in openings(connection, match_id):
        values = json.loads(data)
        if kind == "commit" and values["game"] == game:
            return str(values["commitment"])
    return ""


def opened_at(connection: Connection, match_id: str, game: int) -> int:
    """The seq of the first opening roll of a game; 0 when it hasn't begun."""
    rolls = (
        seq
        for seq, kind, data in openings(connection, match_id)
        if kind == "opening_roll" and json.loads(data)["game"] == game
    )
    return next(rolls, 0)


def own_last(connection: Connection, match_id: str, seat: str) -> int:
    """The seq of the last entry that the person at `seat` made; 0 when there is none."""
    return connection.scalar(_OWN_LAST, {"match_id": match_id, "seat": seat}) or 0


def letters_since(connection: Connection, match_id: str, account_id: int, since: int) -> int:
    """How many letters about a match a person got since version `since`."""
    values = {"match_id": match_id, "account_id": account_id, "since": since}
    return connection.scalar(_LETTERS_SINCE, values) or 0


def last_visit(connection: Connection, match_id: str, account_id: int) -> int:
    """The head of the match's log at a person's last visit; 0 when there was none."""
    return connection.scalar(_SEEN, {"match_id": match_id, "account_id": account_id}) or 0


def invitation(connection: Connection, match_id: str) -> Row[Any] | None:
    """How a match was offered."""
    return connection.execute(select(_invitation).where(_invitation.c.match_id == match_id)).one_or_none()


def queued(connection: Connection) -> tuple[int, datetime | None]:
    """How many notices wait, and since when the oldest of them does: the backlog, for `doctor`."""
    waiting = select(func.count(), func.min(notice.c.created_at)).where(notice.c.state == READY)
    count, oldest = connection.execute(waiting).one()
    return count, oldest
