"""The databases that other tests stand on, and the guards around every test."""

from __future__ import annotations

import socket
from datetime import UTC, datetime

import pytest
import sqlalchemy

from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.people import account
from bgmail.store.schema import newest, revision
from bgmail.store.tables import PulseRow
from tests.fixtures import network
from tests.fixtures.databases import Cluster

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def test_a_database_is_empty_and_takes_rows(database_url: str) -> None:
    engine = sqlalchemy.create_engine(database_url)
    with engine.begin() as connection:
        assert sqlalchemy.inspect(connection).get_table_names() == []
        connection.execute(sqlalchemy.text("CREATE TABLE match (id INTEGER)"))
        connection.execute(sqlalchemy.text("INSERT INTO match VALUES (7)"))
        assert connection.execute(sqlalchemy.text("SELECT id FROM match")).scalars().all() == [7]
    engine.dispose()


@pytest.mark.parametrize("time", ["first", "second"])
def test_every_test_has_the_present_schema_for_itself(schema_url: str, time: str) -> None:
    store = Store(schema_url)
    assert revision(store) == newest()
    with store.write() as connection:
        connection.execute(sqlalchemy.insert(table(PulseRow)), {"name": "scheduler", "at": NOW})
        alice = {"handle": "alice", "handle_key": "alice", "created_at": NOW}
        made = connection.execute(sqlalchemy.insert(account), alice).inserted_primary_key
    store.close()
    assert made == (1,), f"the {time} test found what another left"


CHANGES = [
    "CREATE TABLE left_behind (id INTEGER)",
    "DROP TABLE notice CASCADE",
    "ALTER TABLE account DROP COLUMN handle CASCADE",
    "ALTER TABLE account ADD CHECK (id > 0)",
    "CREATE INDEX more ON account (id)",
    "UPDATE alembic_version SET version_num = '0001'",
]


@pytest.mark.parametrize("change", ["", *CHANGES])
def test_a_database_whose_tables_were_changed_is_not_given_to_the_next_test(
    pg_cluster: Cluster, pg_template: str, change: str
) -> None:
    database = pg_cluster.create(pg_template)
    form = pg_cluster.form(database)
    if change:
        pg_cluster.run(change, database=database)
    assert (pg_cluster.emptied(database) == form) is not bool(change)
    pg_cluster.drop(database)


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1", "example.org"])
def test_another_machine_is_out_of_reach(host: str) -> None:
    with pytest.raises(network.NetworkRefused, match="tests talk to this machine only"):
        socket.create_connection((host, 25), timeout=1)
    assert network.ATTEMPTS.pop() == host


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_this_machine_can_be_reached(host: str) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection((host, server.getsockname()[1]), timeout=5) as connection,
    ):
        assert connection.getpeername() == server.getsockname()
