"""The statements on ties between people, and on how many matches somebody plays."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, delete, exists, func, or_, select

from bgmail.rules.match import Phase
from bgmail.store.matches import match, table
from bgmail.store.tables import AccountRow, TieRow
from bgmail.store.upserts import put

account, tie = table(AccountRow), table(TieRow)
BLOCK = "block"
_RUNNING = [phase.value for phase in Phase if phase not in (Phase.INVITED, Phase.OVER)]
_OTHER_MATCH = match.c.id != bindparam("but")
_BUSY = select(
    select(func.count())
    .where(match.c.white_id == bindparam("id"), match.c.phase.in_([*_RUNNING, "invited"]), _OTHER_MATCH)
    .scalar_subquery()
    + select(func.count())
    .where(match.c.black_id == bindparam("id"), match.c.phase.in_(_RUNNING), _OTHER_MATCH)
    .scalar_subquery()
)
"""An inviter is White: what somebody offered counts, what was offered to them doesn't."""


def add(connection: Connection, account_id: int, kind: str, other_id: int, now: datetime) -> None:
    """Keeps a tie; one that is there already stays."""
    put(connection, tie, {"account_id": account_id, "kind": kind, "other_id": other_id, "at": now})


def drop(connection: Connection, account_id: int, kinds: Iterable[str], other_id: int) -> None:
    """Unties two people in these kinds."""
    these = (tie.c.account_id == account_id, tie.c.kind.in_(list(kinds)), tie.c.other_id == other_id)
    connection.execute(delete(tie).where(*these))


def drop_all(connection: Connection, account_id: int) -> None:
    """Every tie of a person and to that person."""
    connection.execute(delete(tie).where(or_(tie.c.account_id == account_id, tie.c.other_id == account_id)))


def count(connection: Connection, account_id: int, kind: str) -> int:
    """How many ties of a kind somebody has."""
    these = (tie.c.account_id == account_id, tie.c.kind == kind)
    return connection.scalar(select(func.count()).select_from(tie).where(*these)) or 0


def mine(connection: Connection, account_id: int) -> list[Any]:
    """All ties of a person with the handles of the others, by handle."""
    query = (
        select(tie.c.kind, tie.c.at, account.c.id, account.c.handle, account.c.is_bot)
        .join(account, account.c.id == tie.c.other_id)
        .where(tie.c.account_id == account_id)
        .order_by(account.c.handle_key, tie.c.kind)
    )
    return list(connection.execute(query).all())


def towards(connection: Connection, account_id: int, other_id: int) -> frozenset[str]:
    """The kinds of ties of one person to another."""
    query = select(tie.c.kind).where(tie.c.account_id == account_id, tie.c.other_id == other_id)
    return frozenset(connection.scalars(query))


def blocks(connection: Connection, one: int, other: int) -> frozenset[int]:
    """Which of the two has blocked the other."""
    either = or_(
        and_(tie.c.account_id == one, tie.c.other_id == other),
        and_(tie.c.account_id == other, tie.c.other_id == one),
    )
    return frozenset(connection.scalars(select(tie.c.account_id).where(tie.c.kind == BLOCK, either)))


def apart(one: Any, other: Any) -> Any:
    """The condition that either of two people, columns or ids, has blocked the other."""
    there = and_(tie.c.account_id == one, tie.c.other_id == other)
    back = and_(tie.c.account_id == other, tie.c.other_id == one)
    return exists().where(tie.c.kind == BLOCK, or_(there, back))


def quiet(reader_id: int, author: Any) -> Any:
    """The condition that a reader has muted or blocked an author, a column or an id."""
    return exists().where(
        tie.c.account_id == reader_id, tie.c.kind.in_(("mute", BLOCK)), tie.c.other_id == author
    )


def locked(connection: Connection, ids: Iterable[int]) -> dict[int, Row[Any]]:
    """The accounts, held until the transaction ends: who counts on them waits for the other who does."""
    query = select(account).where(account.c.id.in_(list(ids))).order_by(account.c.id)
    return {row.id: row for row in connection.execute(query.with_for_update(key_share=True))}


def busy(connection: Connection, account_id: int, but: str = "") -> int:
    """How many matches somebody plays or offers, without the match `but`."""
    return connection.scalar(_BUSY, {"id": account_id, "but": but}) or 0
