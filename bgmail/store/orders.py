"""The statements on standing orders and prepared replies; a match without any is played without one of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, or_, select, update

from bgmail.store.matches import match, table
from bgmail.store.prepared import Prepared
from bgmail.store.tables import AccountRow, PreparedReplyRow, StandingOrderRow
from bgmail.store.upserts import put

EVERYWHERE = ""
"""The match id of orders for all matches."""
_order, _reply, _account = table(StandingOrderRow), table(PreparedReplyRow), table(AccountRow)
_ORDERS = Prepared(
    select(*_order.c, _account.c.time_zone)
    .join(_account, _account.c.id == _order.c.account_id)
    .where(
        or_(_order.c.account_id == bindparam("white"), _order.c.account_id == bindparam("black")),
        or_(_order.c.match_id == bindparam("id"), _order.c.match_id == EVERYWHERE),
    )
)
_REPLIES = Prepared(select(_reply).where(_reply.c.match_id == bindparam("id")).order_by(_reply.c.id))


def of_match(
    connection: Connection, match_id: str, white: int | None, black: int | None
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The standing orders that two people gave for a match and for all, and the replies that they prepared in it."""
    orders = _ORDERS.rows(connection, id=match_id, white=white, black=black)
    return orders, _REPLIES.rows(connection, id=match_id)


def find(connection: Connection, account_id: int, match_id: str) -> Row[Any] | None:
    """What somebody ordered for one match, or for all by the id `EVERYWHERE`."""
    mine = (_order.c.account_id == account_id, _order.c.match_id == match_id)
    return connection.execute(select(_order).where(*mine)).one_or_none()


def mine(connection: Connection, account_id: int) -> Sequence[Row[Any]]:
    """All that somebody ordered."""
    query = select(_order).where(_order.c.account_id == account_id).order_by(_order.c.match_id)
    return connection.execute(query).all()


def replies_of(connection: Connection, account_id: int, match_id: str | None = None) -> Sequence[Row[Any]]:
    """The replies that somebody keeps ready, in one match or in all, as they were prepared."""
    query = select(_reply).where(_reply.c.account_id == account_id)
    query = query.order_by(_reply.c.at, func.length(_reply.c.steps), _reply.c.id)
    return connection.execute(query.where(_reply.c.match_id == match_id) if match_id else query).all()


def keep_for_all(connection: Connection, account_id: int, values: Mapping[str, Any]) -> None:
    """Keeps orders for all matches, and says in the account that there are any."""
    put(connection, _order, {**_FRESH, "account_id": account_id, "match_id": EVERYWHERE, **values})
    connection.execute(update(_account).where(_account.c.id == account_id).values(orders=True))


def keep_for_match(connection: Connection, account_id: int, match_id: str, values: Mapping[str, Any]) -> None:
    """Changes orders for one match; what isn't named stays."""
    mine = (_order.c.account_id == account_id, _order.c.match_id == match_id)
    if connection.execute(update(_order).where(*mine).values(**values)).rowcount == 0:
        row = {**_FRESH, "account_id": account_id, "match_id": match_id, **values}
        connection.execute(insert(_order), row)


def mark(connection: Connection, match_id: str) -> int:
    """Says in the match that something was ordered for it, and gives its version: a play under way begins again."""
    query = update(match).where(match.c.id == match_id).values(orders=match.c.orders + 1)
    connection.execute(query)
    return connection.scalar(select(match.c.version).where(match.c.id == match_id)) or 0


def add_reply(
    connection: Connection,
    reply_id: int,
    match_id: str,
    account_id: int,
    version: int,
    steps: str,
    at: datetime,
) -> None:
    """Keeps one reply."""
    bound = {"match_id": match_id, "account_id": account_id, "version": version}
    connection.execute(insert(_reply), {"id": reply_id, **bound, "steps": steps, "at": at})


def is_kept(connection: Connection, reply_id: int) -> bool:
    """Whether there is a reply of that id."""
    return connection.scalar(select(_reply.c.id).where(_reply.c.id == reply_id)) is not None


def move_reply(connection: Connection, reply_id: int, version: int, steps: str) -> None:
    """A part of what had to happen has happened."""
    connection.execute(update(_reply).where(_reply.c.id == reply_id).values(version=version, steps=steps))


def drop_replies(connection: Connection, reply_ids: Iterable[int]) -> None:
    """Forgets replies."""
    connection.execute(delete(_reply).where(_reply.c.id.in_(list(reply_ids))))


_FRESH: Mapping[str, Any] = {"double_on_dance": False, "day": "", "turns": 0, "unfit": 0}
