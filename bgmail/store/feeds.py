"""The statements on the secret addresses of people's calendars and feeds."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, select, update

from bgmail.store.matches import table
from bgmail.store.people import account
from bgmail.store.tables import FeedRow
from bgmail.store.upserts import put

feed = table(FeedRow)
_OF = select(feed).where(feed.c.account_id == bindparam("id"))
_WITH_OWNER: Any = (
    select(*account.c, feed.c.mark, feed.c.made_at, feed.c.read_at)
    .join_from(feed, account, feed.c.account_id == account.c.id)
    .where(feed.c.account_id == bindparam("id"))
)


def of(connection: Connection, account_id: int) -> Row[Any] | None:
    """The address that is valid for somebody now."""
    return connection.execute(_OF, {"id": account_id}).one_or_none()


def with_owner(connection: Connection, account_id: int) -> Any | None:
    """The same with the columns of its owner's account."""
    return connection.execute(_WITH_OWNER, {"id": account_id}).one_or_none()


def keep(connection: Connection, account_id: int, mark: str, now: datetime) -> None:
    """Makes an address, in place of the one before."""
    put(connection, feed, {"account_id": account_id, "mark": mark, "made_at": now, "read_at": None})


def note_reading(connection: Connection, account_id: int, now: datetime) -> None:
    """The address was read now."""
    connection.execute(update(feed).where(feed.c.account_id == account_id).values(read_at=now))


def drop(connection: Connection, account_id: int) -> None:
    """Ends somebody's address, if there is one."""
    connection.execute(delete(feed).where(feed.c.account_id == account_id))
