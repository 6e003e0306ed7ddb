"""The statements on errands: plan them, claim those of a channel that are due, put them off, or end them.

A claim moves `due_at` ahead while a sender works: no lock outlives a statement, and what a dead sender held comes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, case, delete, exists, insert, null, select, update
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite

from bgmail.store.matches import table
from bgmail.store.notices import FAILED, OBSOLETE, PLANNED, READY, SENT, delivery, notice
from bgmail.store.prepared import Prepared
from bgmail.store.tables import ErrandRow

LOST = "lost"
GATHERED = "gathered"
"""It goes along in a digest, or was taken over by another errand of its kind."""

errand = table(ErrandRow)
_COLUMNS = [column.name for column in errand.c if column.name not in ("id", "ended_at", "reason")]
_ADD = {
    "sqlite": Prepared(insert_sqlite(errand).on_conflict_do_nothing(), _COLUMNS),
    "postgresql": Prepared(insert_postgresql(errand).on_conflict_do_nothing(), _COLUMNS),
}
_MINE = errand.c.channel == bindparam("of_channel")
_DUE = select(errand.c.id).where(_MINE, errand.c.due_at.is_not(None), errand.c.due_at <= bindparam("now"))
_IS_DUE = _DUE.limit(1)
_CLAIM = (
    update(errand)
    .where(
        errand.c.id.in_(
            _DUE.order_by(errand.c.due_at, errand.c.id)
            .limit(bindparam("most"))
            .with_for_update(skip_locked=True)
            .scalar_subquery()
        )
    )
    .values(due_at=bindparam("until"))
    .returning(*errand.c)
)
_END = Prepared(
    update(errand)
    .where(errand.c.id == bindparam("the_id"), errand.c.state == READY)
    .values(state=bindparam("as_state"), due_at=null(), ended_at=bindparam("at"), reason=bindparam("because"))
)
_OTHERS = exists().where(errand.c.notice_id == bindparam("the_notice"), errand.c.state == READY)
_PLANNED = Prepared(
    update(notice)
    .where(notice.c.id == bindparam("the_notice"), notice.c.state == READY)
    .values(
        state=case(
            *(
                (exists().where(errand.c.notice_id == notice.c.id, errand.c.state == state), then)
                for state, then in ((READY, PLANNED), (SENT, SENT), (FAILED, FAILED))
            ),
            else_=OBSOLETE,
        )
    )
)
_NOTICE_SENT = Prepared(
    update(notice).where(notice.c.id == bindparam("the_notice")).values(state=SENT, due_at=null())
)
_NOTICE_ENDED = Prepared(
    update(notice)
    .where(notice.c.id == bindparam("the_notice"), notice.c.state == PLANNED, ~_OTHERS)
    .values(state=bindparam("as_state"), due_at=null())
)
_FINISH = Prepared(
    update(delivery)
    .where(delivery.c.errand_id == bindparam("the_id"), delivery.c.outcome.is_(None))
    .values(ended_at=bindparam("at"), outcome=bindparam("how"), error=bindparam("said"))
)


def plan(connection: Connection, notice_id: int, rows: Iterable[Mapping[str, Any]]) -> None:
    """Writes the errands of a notice; one that is there already stays as it is. Without any the notice is obsolete.

    One that is planned anew, because its letter came back, is as its errands are when there is no other way.
    """
    errands = list(rows)
    add(connection, errands)
    _PLANNED.change(connection, {"the_notice": notice_id})


def add(connection: Connection, rows: Iterable[Mapping[str, Any]]) -> None:
    """Writes errands; one that is there already stays as it is."""
    _ADD[connection.dialect.name].change_each(connection, rows)


def is_any_due(connection: Connection, channel: str, now: datetime) -> bool:
    """Whether there is something to claim: asked without a write, as nearly always nothing is."""
    return connection.scalar(_IS_DUE, {"of_channel": channel, "now": now}) is not None


def claim(
    connection: Connection, channel: str, now: datetime, until: datetime, most: int
) -> list[tuple[Row[Any], Row[Any]]]:
    """Takes the errands of a channel that are longest due, for nobody else until `until`; each with its notice."""
    values = {"of_channel": channel, "now": now, "until": until, "most": most}
    rows = sorted(connection.execute(_CLAIM, values).all(), key=lambda row: row.id)
    return with_notices(connection, rows)


def with_notices(connection: Connection, rows: Sequence[Row[Any]]) -> list[tuple[Row[Any], Row[Any]]]:
    """Errands with the notices they are for."""
    if not rows:
        return []
    wanted = {row.notice_id for row in rows}
    found = connection.execute(select(notice).where(notice.c.id.in_(wanted)))
    notices = {row.id: row for row in found}
    return [(row, notices[row.notice_id]) for row in rows]


def begin(connection: Connection, attempts: Iterable[Mapping[str, Any]]) -> None:
    """Writes down attempts before they are made. One that was cut off earlier may have arrived, or not: LOST."""
    rows = [{"error": "", **attempt} for attempt in attempts]
    if not rows:
        return
    again = delivery.c.errand_id.in_([row["errand_id"] for row in rows])
    connection.execute(update(delivery).where(again, delivery.c.outcome.is_(None)).values(outcome=LOST))
    connection.execute(insert(delivery), rows)


def finish(connection: Connection, errand_id: int, at: datetime, outcome: str, said: str) -> None:
    """Writes down how the attempt under way went: "sent", "retry" or "refused", and what was said."""
    _FINISH.change(connection, {"the_id": errand_id, "at": at, "how": outcome, "said": said})


def end(
    connection: Connection,
    errand_id: int,
    notice_id: int,
    state: str,
    at: datetime,
    reason: str | None = None,
) -> None:
    """Nothing more is to be done: SENT, GATHERED, OBSOLETE (with the reason) or FAILED; the notice follows its last
    errand."""
    _END.change(connection, {"the_id": errand_id, "as_state": state, "at": at, "because": reason})
    if state == SENT:
        _NOTICE_SENT.change(connection, {"the_notice": notice_id})
    else:
        _NOTICE_ENDED.change(connection, {"the_notice": notice_id, "as_state": state})


def put_off(connection: Connection, errand_id: int, until: datetime, attempts: int) -> None:
    """It is to be tried again, not before `until`."""
    connection.execute(
        update(errand)
        .where(errand.c.id == errand_id, errand.c.state == READY)
        .values(due_at=until, attempts=attempts)
    )


def give_back(connection: Connection, errand_ids: Sequence[int], now: datetime) -> None:
    """What was claimed and not tried: anybody may have it, and nothing is written down of it."""
    connection.execute(
        delete(delivery).where(delivery.c.errand_id.in_(errand_ids), delivery.c.outcome.is_(None))
    )
    connection.execute(
        update(errand).where(errand.c.id.in_(errand_ids), errand.c.state == READY).values(due_at=now)
    )


def again(connection: Connection, errand_id: int, now: datetime) -> None:
    """It is to be done once more, though it has ended."""
    connection.execute(
        update(errand)
        .where(errand.c.id == errand_id)
        .values(state=READY, attempts=0, asked=True, created_at=now, due_at=now, ended_at=None, reason=None)
    )


def hold(connection: Connection, held: str) -> None:
    """Sets aside all that is still to be done, under the state `held`."""
    connection.execute(update(errand).where(errand.c.state == READY).values(state=held, due_at=None))


def release(connection: Connection, held: str, now: datetime) -> None:
    """Takes up again what was set aside."""
    connection.execute(update(errand).where(errand.c.state == held).values(state=READY, due_at=now))


def whose_is_due(connection: Connection, channel: str, now: datetime) -> int | None:
    """The account that has waited longest for what is due in a channel; None when nothing is."""
    query = _DUE.with_only_columns(notice.c.account_id).join(notice, notice.c.id == errand.c.notice_id)
    values = {"of_channel": channel, "now": now}
    return connection.scalar(query.order_by(errand.c.due_at, errand.c.id).limit(1), values)


def gather(connection: Connection, channel: str, account_id: int, now: datetime) -> list[int]:
    """Ends all that is due to one person in a channel, as GATHERED; the ids of the notices."""
    theirs = select(notice.c.id).where(notice.c.account_id == account_id)
    rows = connection.execute(
        update(errand)
        .where(errand.c.channel == channel, errand.c.due_at <= now, errand.c.notice_id.in_(theirs))
        .where(errand.c.state == READY)
        .values(state=GATHERED, due_at=None, ended_at=now)
        .returning(errand.c.notice_id)
    )
    found = sorted(row.notice_id for row in rows)  # all who end notices take them in one order
    for notice_id in found:
        _NOTICE_ENDED.change(connection, {"the_notice": notice_id, "as_state": GATHERED})
    return found
