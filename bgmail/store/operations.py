"""What an operator wants to know at a glance, each by one statement over an index."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, case, func, select

from bgmail.store.bounces import report, trouble
from bgmail.store.errands import errand
from bgmail.store.inbound import inbound
from bgmail.store.notices import READY, delivery, notice
from bgmail.store.webhooks import ON, webhook


def backlog(connection: Connection) -> Sequence[Row[Any]]:
    """A row a channel: how many errands wait, the oldest of them, and when the first is due."""
    query = select(
        errand.c.channel,
        func.count().label("waiting"),
        func.min(errand.c.created_at).label("oldest"),
        func.min(errand.c.due_at).label("due"),
    )
    found = query.where(errand.c.due_at.is_not(None)).group_by(errand.c.channel).order_by(errand.c.channel)
    return connection.execute(found).all()


def unplanned(connection: Connection) -> tuple[int, datetime | None]:
    """How many facts nobody has planned for yet, and since when the oldest of them is owed."""
    row = connection.execute(
        select(func.count(), func.min(notice.c.created_at)).where(notice.c.state == READY)
    ).one()
    return row[0], row[1]


def attempts(connection: Connection, day: datetime, hour: datetime) -> Sequence[Row[Any]]:
    """A row a channel and outcome: how many attempts began since `day`, and of those since `hour`."""
    latest = func.sum(case((delivery.c.started_at >= hour, 1), else_=0))
    query = select(
        delivery.c.channel,
        func.coalesce(delivery.c.outcome, "").label("outcome"),
        func.count().label("in_day"),
        latest.label("in_hour"),
    )
    since = query.where(delivery.c.started_at >= day)
    counted = since.group_by(delivery.c.channel, delivery.c.outcome)
    return connection.execute(counted.order_by(delivery.c.channel, "outcome")).all()


def reports(connection: Connection, since: datetime) -> dict[str, int]:
    """How many reports of each sort came since an instant."""
    query = select(report.c.sort, func.count()).where(report.c.at >= since).group_by(report.c.sort)
    return {row[0]: row[1] for row in connection.execute(query.order_by(report.c.sort))}


def stopped(connection: Connection) -> int:
    """How many addresses get no letters, or not all."""
    return connection.scalar(select(func.count()).where(trouble.c.stopped_at.is_not(None))) or 0


def webhooks_off(connection: Connection) -> int:
    """How many webhooks are switched off."""
    return connection.scalar(select(func.count()).select_from(webhook).where(webhook.c.state != ON)) or 0


def mail_waiting(connection: Connection) -> tuple[int, datetime | None]:
    """How many mails that came in are still to be handled, and since when the oldest waits."""
    query = select(func.count(), func.min(inbound.c.received_at)).where(inbound.c.due_at.is_not(None))
    row = connection.execute(query).one()
    return row[0], row[1]
