"""The statements on what came back of letters: reports about attempts, and addresses that are in trouble."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, exists, select, update
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite

from bgmail.store.errands import errand
from bgmail.store.matches import table
from bgmail.store.notices import FAILED, READY, SENT, delivery, notice
from bgmail.store.prepared import Prepared
from bgmail.store.tables import ReportRow, TroubleRow
from bgmail.store.upserts import put

RETURNED = "returned"
"""What became of an attempt that seemed to arrive, and came back."""
ALL = ""
"""A trouble that is about every letter to an address."""

report, trouble = table(ReportRow), table(TroubleRow)

_STOPPED = Prepared(
    select(trouble.c.address_key).where(
        trouble.c.address_key == bindparam("key"),
        trouble.c.about == ALL,
        trouble.c.stopped_at.is_not(None),
    )
)
_ATTEMPTS = (
    select(delivery, notice.c.kind, notice.c.account_id)
    .join(notice, notice.c.id == delivery.c.notice_id)
    .where(delivery.c.channel == "mail")
    .order_by(delivery.c.id.desc())
)


def is_stopped(connection: Connection, key: str) -> bool:
    """Whether no letters go to the mailbox of this key any more."""
    return _STOPPED.scalar(connection, key=key) is not None


def attempts_named(connection: Connection, notice_id: int, message_id: str) -> Sequence[Row[Any]]:
    """The attempts to bring a letter of this name, each with its notice's kind and reader, the latest first."""
    query = _ATTEMPTS.where(delivery.c.notice_id == notice_id, delivery.c.message_id == message_id)
    return connection.execute(query).all()


def attempts_of(connection: Connection, errand_id: int) -> Sequence[Row[Any]]:
    """The attempts to do an errand, each with its notice's kind and reader, the latest first."""
    return connection.execute(_ATTEMPTS.where(delivery.c.errand_id == errand_id)).all()


def note(connection: Connection, values: Mapping[str, Any]) -> bool:
    """Keeps a report about an attempt; False when one of its sort is there already."""
    insert = insert_postgresql if connection.dialect.name == "postgresql" else insert_sqlite
    kept = insert(report).values(**values).on_conflict_do_nothing().returning(report.c.id)
    return connection.scalar(kept) is not None


def found(connection: Connection, key: str, about: str) -> Row[Any] | None:
    """What is known of the trouble with an address."""
    query = select(trouble).where(trouble.c.address_key == key, trouble.c.about == about)
    return connection.execute(query).one_or_none()


def stopped(connection: Connection, key: str) -> Sequence[Row[Any]]:
    """All troubles with an address that keep letters from it, the oldest first."""
    query = select(trouble).where(trouble.c.address_key == key, trouble.c.stopped_at.is_not(None))
    return connection.execute(query.order_by(trouble.c.stopped_at, trouble.c.about)).all()


def stop(connection: Connection, values: Mapping[str, Any]) -> None:
    """No letters (of a kind) go to an address from now on."""
    put(connection, trouble, values)


def start(connection: Connection, key: str, about: str, now: datetime) -> None:
    """They go there again. What comes back of attempts before `now` is old news."""
    which = (trouble.c.address_key == key, trouble.c.about == about)
    connection.execute(update(trouble).where(*which).values(stopped_at=None, again_at=now))


def start_all(connection: Connection, now: datetime) -> int:
    """Every address is written to again; how many that were."""
    dead = (trouble.c.about == ALL, trouble.c.stopped_at.is_not(None))
    return connection.execute(update(trouble).where(*dead).values(stopped_at=None, again_at=now)).rowcount


def forget(connection: Connection, key: str) -> None:
    """Nothing is known of an address any more."""
    connection.execute(delete(trouble).where(trouble.c.address_key == key))


def send_back(connection: Connection, attempt: Row[Any], said: str, *, replan: bool) -> None:
    """An attempt has come back: it failed after all. `replan`: other ways are looked for."""
    connection.execute(
        update(delivery).where(delivery.c.id == attempt.id).values(outcome=RETURNED, error=said)
    )
    connection.execute(
        update(errand).where(errand.c.id == attempt.errand_id, errand.c.state == SENT).values(state=FAILED)
    )
    others = exists().where(errand.c.notice_id == attempt.notice_id, errand.c.state == SENT)
    connection.execute(
        update(notice)
        .where(notice.c.id == attempt.notice_id, notice.c.state == SENT, ~others)
        .values(state=READY if replan else FAILED)
    )
