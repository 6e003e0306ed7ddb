"""What was sent to one person: notices with their errands and attempts, a page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, or_, select

from bgmail.store.errands import errand
from bgmail.store.notices import delivery, notice


def notices(connection: Connection, account_id: int, before: int | None, most: int) -> Sequence[Row[Any]]:
    """The notices to a person, the newest first, from before one of them on; none where that isn't theirs.

    By their instants, of which pages show the dates: what is written down later may have happened earlier.
    """
    at, id_ = notice.c.created_at, notice.c.id
    query = select(notice).where(notice.c.account_id == account_id)
    if before is not None:
        then = select(at).where(id_ == before, notice.c.account_id == account_id).scalar_subquery()
        query = query.where(at <= then, or_(at < then, id_ < before))
    return connection.execute(query.order_by(at.desc(), id_.desc()).limit(most)).all()


def errands(connection: Connection, notice_ids: Sequence[int]) -> Sequence[Row[Any]]:
    """What the channels had, or still have, to do for them."""
    return connection.execute(
        select(errand).where(errand.c.notice_id.in_(notice_ids)).order_by(errand.c.id)
    ).all()


def attempts(connection: Connection, notice_ids: Sequence[int], most: int) -> Sequence[Row[Any]]:
    """What was tried for them last, oldest first; of each errand at most so many, and how many there are (`of`)."""
    theirs = (delivery.c.notice_id, delivery.c.errand_id)
    found = (
        select(
            delivery,
            func.row_number().over(partition_by=theirs, order_by=delivery.c.id.desc()).label("nth"),
            func.count().over(partition_by=theirs).label("of"),
        )
        .where(delivery.c.notice_id.in_(notice_ids))
        .subquery()
    )
    return connection.execute(select(found).where(found.c.nth <= most).order_by(found.c.id)).all()
