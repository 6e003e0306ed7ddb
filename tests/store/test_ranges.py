"""What is asked for again and again is found by a range of an index: it costs what is due, not what there ever was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from bgmail.store import errands, notices, ratings
from bgmail.store.engine import Store
from bgmail.store.schema import ensure_schema


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    store = Store(f"sqlite:///{tmp_path}/bgmail.db")
    ensure_schema(store)
    with store.read() as connection:
        yield connection
    store.close()


def plan(connection: Connection, statement: Any) -> list[str]:
    """How SQLite goes about a statement whose parameters it doesn't know."""
    text = str(statement.compile(dialect=connection.dialect, compile_kwargs={"render_postcompile": True}))
    rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", (None,) * text.count("?"))
    return [row[3] for row in rows]


def test_facts_that_are_new_are_found_among_those_that_are_ready(connection: Connection) -> None:
    assert plan(connection, notices._UNPLANNED) == ["SCAN notice USING INDEX ix_notice_ready"]


def test_what_somebody_is_still_to_be_told_of_a_match_is_found_by_the_match(connection: Connection) -> None:
    person, address = (
        plan(connection, one._statement)[0]
        for one in (notices._STILL_TO_TELL_PERSON, notices._STILL_TO_TELL_ADDRESS)
    )
    assert "(account_id=? AND match_id=? AND address=?)" in person
    assert "match_id=?" in address


def test_errands_that_are_due_are_found_by_their_channel_and_time(connection: Connection) -> None:
    (due,) = plan(connection, errands._IS_DUE)
    assert "ix_errand_due_at (channel=? AND due_at>? AND due_at<?)" in due


def test_what_is_to_be_rated_and_what_went_before_are_found_by_their_place(connection: Connection) -> None:
    assert plan(connection, ratings._DUE._statement) == [
        "SCAN rating_change USING INDEX ix_rating_change_due"
    ]
    for statements in (ratings._BEFORE, ratings._AFTER):
        for seat, one in zip(ratings.SEATS, statements, strict=True):
            (found,) = plan(connection, one._statement)
            assert f"ix_rating_change_{seat} ({seat}_id=? AND pace=? AND " in found
