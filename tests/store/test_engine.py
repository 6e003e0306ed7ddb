"""A write is there as a whole or not at all, also when SQLAlchemy never hears of its transaction."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import IntegrityError, OperationalError

from bgmail.store.engine import Store, driver
from bgmail.store.matches import table
from bgmail.store.prepared import Prepared
from bgmail.store.schema import ensure_schema
from bgmail.store.tables import AccountRow, LoginRow

ALICE, NOBODY = 1, 99
NOW = datetime(2026, 11, 30, tzinfo=UTC)
LOGIN = table(LoginRow)
COLUMNS = ("account_id", "kind", "digest", "name", "created_at", "used_at")
ADD = Prepared(insert(LOGIN), COLUMNS)
COUNT = Prepared(select(func.count()).select_from(LOGIN))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{tmp_path / 'bgmail.db'}")
    ensure_schema(store)
    with store.write() as connection:
        connection.execute(
            insert(table(AccountRow)),
            {"id": ALICE, "handle": "alice", "handle_key": "alice", "created_at": NOW},
        )
    yield store
    store.close()


def raw(connection: Connection) -> Any:
    return connection.connection.dbapi_connection


def add(connection: Connection, account_id: int = ALICE) -> None:
    ADD.change(connection, dict(zip(COLUMNS, (account_id, "api", "digest", "", NOW, NOW), strict=True)))


def count(store: Store) -> int:
    with store.read() as connection:
        assert not raw(connection).in_transaction, "the write before left its transaction open"
        return int(COUNT.scalar(connection))


def test_what_prepared_statements_wrote_is_kept(store: Store) -> None:
    with store.write() as connection:
        add(connection)
        assert not connection.in_transaction(), "SQLAlchemy knows nothing of it"
    assert count(store) == 1


def test_what_both_ways_wrote_is_kept_together(store: Store) -> None:
    with store.write() as connection:
        add(connection)
        connection.execute(LOGIN.update().values(name="bench"))
    with store.read() as connection:
        assert connection.scalar(select(LOGIN.c.name)) == "bench"


def test_a_block_that_raises_leaves_nothing(store: Store) -> None:
    def change_my_mind() -> None:
        with store.write() as connection:
            add(connection)
            raise ValueError("changed my mind")

    with pytest.raises(ValueError, match="changed my mind"):
        change_my_mind()
    assert count(store) == 0


def test_a_commit_that_the_database_refuses_leaves_nothing_and_is_told_as_sqlalchemy_tells_it(
    store: Store,
) -> None:
    def add_for_nobody() -> None:
        with store.write() as connection:
            raw(connection).execute("PRAGMA defer_foreign_keys=ON")
            add(connection, NOBODY)

    with pytest.raises(IntegrityError, match="FOREIGN KEY"):
        add_for_nobody()
    assert count(store) == 0


def test_after_a_commit_that_failed_the_thread_goes_on_with_its_connection(store: Store) -> None:
    """SQLAlchemy keeps such a transaction as an invalid one: all that the thread asked afterwards failed, for ever."""

    def add_for_nobody() -> None:
        with store.write() as connection:
            raw(connection).execute("PRAGMA defer_foreign_keys=ON")
            connection.execute(
                insert(LOGIN), dict(zip(COLUMNS, (NOBODY, "api", "x", "", NOW, NOW), strict=True))
            )

    with pytest.raises(IntegrityError, match="FOREIGN KEY"):
        add_for_nobody()
    with store.read() as connection:
        assert connection.scalar(select(func.count()).select_from(LOGIN)) == 0
    with store.write() as connection:
        add(connection)
    assert count(store) == 1


def test_a_database_that_somebody_else_holds_is_told_as_sqlalchemy_tells_it(store: Store) -> None:
    assert store.path is not None
    with store.read() as connection:
        raw(connection).execute("PRAGMA busy_timeout=1")
    with closing(driver().connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # past the gate, as no part of ours does
        with pytest.raises(OperationalError, match="locked"), store.write() as connection:
            add(connection)
    assert count(store) == 0
