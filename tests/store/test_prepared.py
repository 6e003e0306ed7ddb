"""What runs prepared reads and writes the same values as the statement would by SQLAlchemy's own way."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import Text, bindparam, cast, insert, select

from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.prepared import Prepared
from bgmail.store.schema import ensure_schema
from bgmail.store.tables import AccountRow

ACCOUNT = table(AccountRow)
COLUMNS = (
    "handle",
    "handle_key",
    "created_at",
    "seen_at",
    "is_bot",
    "epoch",
    "time_zone",
    "locale",
    "is_staff",
    "auto_vacation",
    "rests",
    "orders",
)
ADD = Prepared(insert(ACCOUNT), COLUMNS)
FIND = select(ACCOUNT).where(ACCOUNT.c.handle == bindparam("handle"))
INSTANTS = (
    datetime(2026, 11, 30, 5, 6, 7, 89, tzinfo=UTC),
    datetime(1999, 12, 31, 23, 59, 59, tzinfo=UTC),
    datetime(2026, 3, 29, 2, 30, 0, 123_456, tzinfo=timezone(timedelta(hours=5, minutes=45))),
)


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    store = Store(database_url)
    ensure_schema(store)
    yield store
    store.close()


def alice(created_at: datetime) -> dict[str, object]:
    plain = {
        "is_bot": False,
        "epoch": 0,
        "time_zone": "UTC",
        "locale": "en",
        "is_staff": True,
    } | dict.fromkeys(("auto_vacation", "rests", "orders"), False)
    return {**plain, "handle": "alice", "handle_key": "alice", "created_at": created_at, "seen_at": None}


@pytest.mark.parametrize("instant", INSTANTS)
def test_instants_are_kept_as_sqlalchemy_keeps_them(store: Store, instant: datetime) -> None:
    kept = select(cast(ACCOUNT.c.created_at, Text))
    with store.write() as connection:
        connection.execute(insert(ACCOUNT), alice(instant))
        usual = connection.scalar(kept)
        connection.execute(ACCOUNT.delete())
        ADD.change(connection, alice(instant))
        assert connection.scalar(kept) == usual


@pytest.mark.parametrize("instant", INSTANTS)
def test_a_row_is_read_as_sqlalchemy_reads_it(store: Store, instant: datetime) -> None:
    with store.write() as connection:
        connection.execute(insert(ACCOUNT), alice(instant))
        (row,) = Prepared(FIND).rows(connection, handle="alice")
        assert row == dict(connection.execute(FIND, {"handle": "alice"}).mappings().one())
    assert row["created_at"] == instant
    assert row["created_at"].utcoffset() == timedelta(0)
    assert row["seen_at"] is None


def test_an_instant_without_its_time_zone_is_refused(store: Store) -> None:
    with store.write() as connection, pytest.raises(ValueError, match=r"time ?zone"):
        ADD.change(connection, alice(datetime(2026, 11, 30)))  # noqa: DTZ001
