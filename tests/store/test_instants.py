"""An instant is the same instant after its row was read, whatever zone it was written in and is asked for in."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import insert, select
from sqlalchemy.exc import StatementError

from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.tables import AccountRow

GIVEN = datetime.fromisoformat("2026-05-05T13:30:45-08:00")
account = table(AccountRow)


@pytest.fixture
def store(schema_url: str) -> Iterator[Store]:
    opened = Store(schema_url)
    yield opened
    opened.close()


def keep(store: Store, instant: datetime) -> None:
    with store.write() as connection:
        values = {"handle": "alice", "handle_key": "alice", "created_at": instant}
        connection.execute(insert(account), values)


def test_an_instant_written_in_another_zone_is_read_and_found_as_the_instant_it_is(store: Store) -> None:
    """The local wall clock was stored, and read back as if it were UTC."""
    keep(store, GIVEN)
    with store.read() as connection:
        read = connection.scalars(select(account.c.created_at)).one()
        assert (read, read.utcoffset()) == (datetime(2026, 5, 5, 21, 30, 45, tzinfo=UTC), timedelta(0))
        for now, is_over in (("23:30:44", False), ("23:30:45", True), ("23:30:46", True)):
            bound = datetime.fromisoformat(f"2026-05-05T{now}+02:00")
            found = connection.scalars(select(account.c.handle).where(account.c.created_at <= bound)).all()
            assert (found == ["alice"]) is is_over


def test_an_instant_without_a_zone_is_not_written(store: Store) -> None:
    with pytest.raises(StatementError):
        keep(store, GIVEN.replace(tzinfo=None))
