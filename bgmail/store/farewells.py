"""What is erased when somebody closes their account, and what is left to do for those who have gone."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, delete, func, or_, select, update

from bgmail.store import bounces, people, ties, webhooks
from bgmail.store.matches import match, table
from bgmail.store.tables import (
    BoardPreferenceRow,
    ChoiceRow,
    DeliveryRow,
    ErrandRow,
    FeedRow,
    HoursRow,
    InvitationRow,
    MatchNoteRow,
    NoticeRow,
    PersonNoteRow,
    PreparedReplyRow,
    SenderRow,
    SketchRow,
    StandingOrderRow,
    VacationRow,
    VisitRow,
)

_notice, _delivery, _invitation = table(NoticeRow), table(DeliveryRow), table(InvitationRow)
_ATTACHED = (_delivery, table(ErrandRow))
"""What belongs to a notice, and goes with it."""
_OWN = tuple(
    table(row).c[whose]
    for row, whose in (
        (ChoiceRow, "account_id"),
        (HoursRow, "account_id"),
        (BoardPreferenceRow, "account_id"),
        (FeedRow, "account_id"),
        (SketchRow, "account_id"),
        (SenderRow, "account_id"),
        (StandingOrderRow, "account_id"),
        (PreparedReplyRow, "account_id"),
        (VacationRow, "account_id"),
        (VisitRow, "account_id"),
        (MatchNoteRow, "author_id"),
        (PersonNoteRow, "author_id"),
    )
)
"""The columns that say whose a row is, where it is of use to nobody else."""
_NOTHING: dict[str, Any] = {
    "email": None,
    "email_key": None,
    "email_verified_at": None,
    "new_email": None,
    "password_hash": None,
    "time_zone": "UTC",
    "locale": "en",
    "is_staff": False,
    "seen_at": None,
    "most_matches": None,
    "auto_vacation": False,
    "rests": False,
    "calendar": None,
    "calendar_at": None,
    "orders": False,
}


def erase(connection: Connection, account_id: int, handle: str, now: datetime) -> None:
    """Closes an account under the `handle` of all that are closed; everything that lets anybody in ends."""
    row = people.by_id(connection, account_id)
    for address in {row.email, row.new_email} - {None} if row else ():
        _forget_address(connection, account_id, address)
    people.change(connection, account_id, **_NOTHING, handle=handle, closed_at=now, leaving_at=now)
    for kind in ("session", "api"):
        people.end_logins(connection, account_id, kind)
    people.next_epoch(connection, account_id)
    ties.drop_all(connection, account_id)
    webhooks.remove_all(connection, account_id)
    for whose in _OWN:
        connection.execute(delete(whose.table).where(whose == account_id))


def leaving(connection: Connection, now: datetime) -> int | None:
    """Somebody shut out whose matches and offers are still to be ended, the longest waiting first."""
    due = people.account.c.leaving_at <= now
    query = select(people.account.c.id).where(people.account.c.leaving_at.is_not(None), due)
    return connection.scalar(query.order_by(people.account.c.leaving_at).limit(1))


def gone(connection: Connection, account_id: int) -> None:
    """Everything has ended; of a closed account the letters are forgotten, and where they went."""
    row = people.by_id(connection, account_id)
    if row is not None and row.closed_at is not None:
        _forget_letters(connection, _notice.c.account_id == account_id)
    people.change(connection, account_id, leaving_at=None)


def _forget_address(connection: Connection, account_id: int, address: str) -> None:
    """Invitations that were mailed there keep no address: the match knows who came."""
    _forget_letters(connection, and_(_notice.c.account_id.is_(None), _is(_notice.c.address, address)))
    bounces.forget(connection, address.casefold())
    mine = select(match.c.id).where(match.c.black_id == account_id)
    mailed = _invitation.c.email.is_not(None)
    connection.execute(
        update(_invitation)
        .where(mailed, or_(_invitation.c.match_id.in_(mine), _is(_invitation.c.email, address)))
        .values(email=None)
    )


def _is(column: Any, address: str) -> Any:
    """Others may have spelled the address in capitals: it is the same mailbox."""
    return func.lower(column) == address.lower()


def _forget_letters(connection: Connection, which: Any) -> None:
    letters = select(_notice.c.id).where(which)
    attempts = select(_delivery.c.id).where(_delivery.c.notice_id.in_(letters))
    connection.execute(delete(bounces.report).where(bounces.report.c.delivery_id.in_(attempts)))
    for rows in _ATTACHED:
        connection.execute(delete(rows).where(rows.c.notice_id.in_(letters)))
    connection.execute(delete(_notice).where(which))
