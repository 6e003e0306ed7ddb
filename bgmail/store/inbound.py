"""The statements on mail that came in: keep it, claim one that is to be handled, close it or put it off.

As with notices a claim is a guarded change of `due_at`: no lock outlives a statement.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, exists, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite

from bgmail.store.matches import table
from bgmail.store.prepared import Prepared
from bgmail.store.tables import InboundRow, SenderRow

inbound, sender = table(InboundRow), table(SenderRow)

_DUE = select(inbound.c.id).where(inbound.c.due_at.is_not(None), inbound.c.due_at <= bindparam("now"))
_IS_DUE = _DUE.limit(1)
_CLAIM = (
    update(inbound)
    .where(
        inbound.c.id
        == _DUE.order_by(inbound.c.due_at, inbound.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)
        .scalar_subquery()
    )
    .values(due_at=bindparam("until"), attempts=inbound.c.attempts + 1)
    .returning(*inbound.c)
)
_WAITS = select(inbound.c.id).where(
    inbound.c.due_at.is_not(None),
    inbound.c.match_id == bindparam("match_id"),
    inbound.c.received_at < bindparam("before"),
)
_CLOSE = (
    update(inbound)
    .where(inbound.c.id == bindparam("the_id"), inbound.c.due_at.is_not(None))
    .values(due_at=None, outcome=bindparam("what"), fingerprint=bindparam("made"), raw=bindparam("kept"))
)


def keep(connection: Connection, rows: Iterable[dict[str, Any]]) -> int:
    """Keeps mails; how many were new. One that is here already stays as it is."""
    insert = insert_postgresql if connection.dialect.name == "postgresql" else insert_sqlite
    statement = insert(inbound).on_conflict_do_nothing().returning(inbound.c.id)
    return sum(len(connection.execute(statement, row).all()) for row in rows)


def is_any_due(connection: Connection, now: datetime) -> bool:
    """Whether there is something to claim: asked without a write, as nearly always nothing is."""
    return connection.scalar(_IS_DUE, {"now": now}) is not None


def claim(connection: Connection, now: datetime, until: datetime) -> Row[Any] | None:
    """Takes the mail that waits longest, for nobody else until `until`; None when there is none."""
    return connection.execute(_CLAIM, {"now": now, "until": until}).one_or_none()


def waits(connection: Connection, match_id: str, before: datetime) -> bool:
    """Whether a mail for this match, accepted before an instant, has still to be handled."""
    return connection.scalar(_WAITS, {"match_id": match_id, "before": before}) is not None


_ANY = Prepared(select(inbound.c.id).where(inbound.c.due_at.is_not(None)).limit(1))
"""Nearly always there is none, and to name the matches takes longer than to ask."""


def waiting(connection: Connection, match_ids: Iterable[str]) -> dict[str, datetime]:
    """For those of these matches that mail has still to be handled for: when the first of it was accepted."""
    if not _ANY.column(connection):
        return {}
    query = select(inbound.c.match_id, func.min(inbound.c.received_at)).where(
        inbound.c.due_at.is_not(None), inbound.c.match_id.in_(match_ids)
    )
    return {row[0]: row[1] for row in connection.execute(query.group_by(inbound.c.match_id))}


def close(
    connection: Connection, inbound_id: int, outcome: str, fingerprint: str | None, kept: bytes = b""
) -> bool:
    """A mail has been handled; False when somebody else had closed it. A second copy raises IntegrityError.

    `kept` is what stays of its bytes.
    """
    values = {"the_id": inbound_id, "what": outcome, "made": fingerprint, "kept": kept}
    return connection.execute(_CLOSE, values).rowcount > 0


def is_known(connection: Connection, fingerprint: str) -> bool:
    """Whether a copy of this mail has been handled."""
    return connection.scalar(select(exists().where(inbound.c.fingerprint == fingerprint))) or False


def put_off(connection: Connection, inbound_id: int, until: datetime) -> None:
    """A mail is to be handled later."""
    still = (inbound.c.id == inbound_id, inbound.c.due_at.is_not(None))
    connection.execute(update(inbound).where(*still).values(due_at=until))


def forget(connection: Connection, before: datetime) -> int:
    """Deletes what was handled and came before an instant; how many those were."""
    old = (inbound.c.due_at.is_(None), inbound.c.received_at < before)
    return connection.execute(delete(inbound).where(*old)).rowcount


def senders(connection: Connection, account_id: int) -> list[str]:
    """The other addresses that somebody answers from."""
    query = select(sender.c.address_key).where(sender.c.account_id == account_id)
    return list(connection.scalars(query.order_by(sender.c.address_key)))


def add_sender(connection: Connection, account_id: int, address_key: str, now: datetime) -> None:
    """From now on that person may answer from that address as well."""
    if address_key not in senders(connection, account_id):
        row = {"account_id": account_id, "address_key": address_key, "at": now}
        connection.execute(insert(sender), row)


def drop_sender(connection: Connection, account_id: int, address_key: str) -> None:
    """Not from that address any more."""
    whose = (sender.c.account_id == account_id, sender.c.address_key == address_key)
    connection.execute(delete(sender).where(*whose))
