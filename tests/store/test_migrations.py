"""An upgrade with data in place: what a new column repeats is filled in for the rows that are there."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from alembic import command
from sqlalchemy import text

from bgmail.store import schema
from bgmail.store.engine import Store


@pytest.fixture
def old(database_url: str) -> Iterator[Store]:
    """A database of the version before people had ties."""
    store = Store(database_url)
    config = schema._config()
    with store.write() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0002")
    yield store
    store.close()


def _add_match(store: Store, match_id: str, phase: str, result: object) -> None:
    values = {
        "id": match_id,
        "phase": phase,
        "state": json.dumps({"result": result}),
        "no": False,
        "yes": True,
    }
    columns = (
        "length, version, head, rolls, rules, head_hash, clock, created_at, moved_at, rated, imported, public"
    )
    with store.write() as connection:
        connection.execute(
            text(
                f"INSERT INTO match (id, phase, state, {columns}) VALUES (:id, :phase, :state, 7, 1, 1, 0, 'club', "
                "'', '{}', '2026-03-02 12:00', '2026-03-02 12:00', :no, :no, :yes)"
            ),
            values,
        )


def test_finished_matches_get_the_columns_that_are_counted(old: Store) -> None:
    _add_match(old, "won", "over", [1, "timeout", [0, 4]])
    _add_match(old, "nobody", "over", [None, "declined", None])
    _add_match(old, "runs", "play", None)
    assert schema.upgrade(old) == ("0002", schema.newest())
    with old.read() as connection:
        found = connection.execute(text("SELECT id, winner, ending FROM match ORDER BY id")).all()
    assert [tuple(row) for row in found] == [
        ("nobody", None, "declined"),
        ("runs", None, None),
        ("won", 1, "timeout"),
    ]
