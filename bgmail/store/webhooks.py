"""The statements on webhooks and the calls made there, and the claim of what is due: one call at a time for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, or_, select, update

from bgmail.store.errands import errand, with_notices
from bgmail.store.matches import table
from bgmail.store.prepared import Prepared
from bgmail.store.tables import WebhookCallRow, WebhookRow

ON = "on"
CHANNEL = "webhook"
KEPT = 100
"""So many calls of a webhook are kept to be looked at."""

webhook, call = table(WebhookRow), table(WebhookCallRow)
_ONE = select(webhook).where(webhook.c.id == bindparam("the_id"))
_LOCKED = _ONE.with_for_update()
_MINE = Prepared(
    select(webhook).where(webhook.c.account_id == bindparam("of_account")).order_by(webhook.c.id)
)
_HAS_ONE = Prepared(
    select(webhook.c.account_id).where(webhook.c.account_id == bindparam("of_account")).limit(1)
)
_FREE = or_(webhook.c.busy_until.is_(None), webhook.c.busy_until <= bindparam("now"))
_DUE = (errand.c.channel == CHANNEL, errand.c.due_at.is_not(None), errand.c.due_at <= bindparam("now"))
_IS_DUE = select(errand.c.id).where(*_DUE).limit(1)
_WAITING = (
    select(errand.c.target, func.min(errand.c.due_at).label("since"))
    .where(*_DUE)
    .group_by(errand.c.target)
    .subquery()
)
_FREE_ONES = (
    select(
        _WAITING.c.target.label("id"),
        _WAITING.c.since,
        webhook.c.host,
        webhook.c.account_id,
        webhook.c.failing_since.is_not(None).label("is_failing"),
    )
    .outerjoin(webhook, webhook.c.id == _WAITING.c.target)
    .where(_FREE)
    .subquery()
)
_IN_LINE = select(
    *_FREE_ONES.c,
    func.row_number()
    .over(
        partition_by=(_FREE_ONES.c.host, _FREE_ONES.c.account_id),
        order_by=(_FREE_ONES.c.since, _FREE_ONES.c.id),
    )
    .label("of_theirs"),
).subquery()
"""`of_theirs`: the how manieth of one person at one host it is."""
_AT_HOST = select(
    *_IN_LINE.c,
    func.row_number()
    .over(partition_by=_IN_LINE.c.host, order_by=(_IN_LINE.c.of_theirs, _IN_LINE.c.since, _IN_LINE.c.id))
    .label("of_host"),
).subquery()
_FEW_A_HOST = (
    select(
        *_AT_HOST.c,
        func.row_number()
        .over(partition_by=_AT_HOST.c.is_failing, order_by=(_AT_HOST.c.since, _AT_HOST.c.id))
        .label("of_sort"),
    )
    .where(_AT_HOST.c.of_host <= bindparam("a_host"))
    .subquery()
)
_CANDIDATES = (
    select(_FEW_A_HOST)
    .where(_FEW_A_HOST.c.of_sort <= bindparam("most"))
    .order_by(_FEW_A_HOST.c.since, _FEW_A_HOST.c.id)
)
"""Webhooks that something is due for and no call is made to, the longest waiting first; deleted ones as well."""
_HOLD = (
    update(webhook)
    .where(webhook.c.id == bindparam("the_id"), _FREE)
    .values(busy_until=bindparam("until"))
    .returning(webhook.c.id)
)
_TAKE = (
    update(errand)
    .where(
        errand.c.id
        == select(errand.c.id)
        .where(*_DUE, errand.c.target == bindparam("the_id"))
        .order_by(errand.c.due_at, errand.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)
        .scalar_subquery()
    )
    .values(due_at=bindparam("until"))
    .returning(*errand.c)
)
_OLDER = (
    select(call.c.id)
    .where(call.c.webhook_id == bindparam("the_id"))
    .order_by(call.c.id.desc())
    .limit(1)
    .offset(KEPT)
    .scalar_subquery()
)
_PRUNE = delete(call).where(call.c.webhook_id == bindparam("the_id"), call.c.id <= _OLDER)


def add(connection: Connection, values: Mapping[str, Any]) -> int:
    """A new webhook; its id."""
    key = connection.execute(insert(webhook), dict(values)).inserted_primary_key
    return int(key[0]) if key else 0


def count(connection: Connection, account_id: int) -> int:
    """How many webhooks somebody has."""
    return connection.scalar(select(func.count()).where(webhook.c.account_id == account_id)) or 0


def mine(connection: Connection, account_id: int) -> Sequence[Any]:
    """The webhooks of a person, the oldest first."""
    return _MINE.records(connection, of_account=account_id)


def has_one(connection: Connection, account_id: int) -> bool:
    """Whether somebody has a webhook, switched on or not."""
    return bool(_HAS_ONE.records(connection, of_account=account_id))


def one(connection: Connection, webhook_id: int) -> Row[Any] | None:
    """One webhook, whosever it is."""
    return connection.execute(_ONE, {"the_id": webhook_id}).one_or_none()


def locked(connection: Connection, webhook_id: int) -> Row[Any] | None:
    """One webhook, kept from being changed until the transaction ends."""
    return connection.execute(_LOCKED, {"the_id": webhook_id}).one_or_none()


def change(connection: Connection, webhook_id: int, **values: Any) -> None:
    """Gives a webhook these values."""
    connection.execute(update(webhook).where(webhook.c.id == webhook_id).values(**values))


def remove(connection: Connection, webhook_id: int) -> None:
    """Deletes a webhook with its calls, once a call that is being noted is."""
    locked(connection, webhook_id)
    connection.execute(delete(call).where(call.c.webhook_id == webhook_id))
    connection.execute(delete(webhook).where(webhook.c.id == webhook_id))


def remove_all(connection: Connection, account_id: int) -> None:
    """Deletes every webhook of a person."""
    for row in mine(connection, account_id):
        remove(connection, row.id)


def note(connection: Connection, values: Mapping[str, Any]) -> None:
    """Writes down a call that was made, and forgets the oldest ones."""
    connection.execute(insert(call), dict(values))
    connection.execute(_PRUNE, {"the_id": values["webhook_id"]})


def calls(connection: Connection, webhook_id: int, before: int | None, most: int) -> Sequence[Row[Any]]:
    """The calls of a webhook, the newest first; with `before`, only those older than that one."""
    query = select(call).where(call.c.webhook_id == webhook_id).order_by(call.c.id.desc()).limit(most)
    return connection.execute(query if before is None else query.where(call.c.id < before)).all()


def last_sent(connection: Connection, webhook_id: int, errand_id: int) -> str | None:
    """What was last sent on an errand, as it was; None when nothing was, or it is forgotten."""
    query = select(call.c.sent).where(call.c.webhook_id == webhook_id, call.c.errand_id == errand_id)
    return connection.scalar(query.order_by(call.c.id.desc()).limit(1))


def one_call(connection: Connection, webhook_id: int, call_id: int) -> Row[Any] | None:
    """One call of a webhook."""
    return connection.execute(
        select(call).where(call.c.webhook_id == webhook_id, call.c.id == call_id)
    ).one_or_none()


def is_any_due(connection: Connection, now: datetime) -> bool:
    """Whether a call is due: asked without a write, as nearly always none is."""
    return connection.scalar(_IS_DUE, {"now": now}) is not None


def candidates(connection: Connection, now: datetime, a_host: int, most: int) -> Sequence[Row[Any]]:
    """Webhooks with something due and no call under way: `id`, `host`, `account_id` (None = deleted), `is_failing`.

    So many `a_host` at most, everybody's first one there before anybody's second; and at most `most` of those that fail
    and of those that don't. So however long the line of some is, it hides nobody else.
    """
    values = {"now": now, "a_host": a_host, "most": most}
    return connection.execute(_CANDIDATES, values).all()


def claim(
    connection: Connection, webhook_ids: Iterable[int], now: datetime, until: datetime
) -> list[tuple[Row[Any], Row[Any]]]:
    """Takes the longest due errand of each of these webhooks, with its notice, for nobody else until `until`.

    A webhook that somebody else took meanwhile is left out.
    """
    taken = []
    for webhook_id in sorted(webhook_ids):  # who takes several does so in one order
        values = {"the_id": webhook_id, "now": now, "until": until}
        held = connection.execute(_HOLD, values).one_or_none()
        if held is None and one(connection, webhook_id) is not None:
            continue
        row = connection.execute(_TAKE, values).one_or_none()
        if row is None:
            release(connection, webhook_id)
        else:
            taken.append(row)
    return with_notices(connection, taken)


def is_busy(connection: Connection, webhook_id: int) -> bool:
    """Whether a call counts as under way."""
    row = one(connection, webhook_id)
    return row is not None and row.busy_until is not None


def release(connection: Connection, webhook_id: int) -> None:
    """No call is under way any more."""
    change(connection, webhook_id, busy_until=None)
