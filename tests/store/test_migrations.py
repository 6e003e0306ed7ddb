"""An upgrade with data in place: what a new column repeats is filled in for the rows that are there."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from bgmail.store import schema
from bgmail.store.engine import Store


@pytest.fixture
def old(database_url: str) -> Iterator[Store]:
    """A database of the version before people had ties."""
    store = Store(database_url)
    with store.write() as connection:
        schema.migrate(connection, "0002")
    yield store
    store.close()


def test_each_file_is_numbered_by_its_revision_and_the_last_is_the_newest() -> None:
    scripts = ScriptDirectory(str(schema.MIGRATIONS))
    assert {script.revision for script in scripts.walk_revisions()} == schema.known()
    assert scripts.get_heads() == [schema.newest()]


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


def test_matches_that_ended_before_there_were_ratings_wait_for_theirs(database_url: str) -> None:
    store = Store(database_url)
    with store.write() as connection:
        schema.migrate(connection, "0022")
    _end_matches(store)
    schema.upgrade(store)
    with store.read() as connection:
        found = connection.execute(
            text("SELECT match_id, pace, due FROM rating_change ORDER BY match_id")
        ).all()
    store.close()
    assert [tuple(row) for row in found] == [("quick", "live", True), ("slow", "correspondence", True)]


def _end_matches(store: Store) -> None:
    """Four that are over, of which two were played for the rating, and one that runs."""
    at = "2026-03-02 12:00:00.000000"
    people = (
        "INSERT INTO account (handle, handle_key, epoch, time_zone, locale, is_bot, is_staff, created_at, "
    )
    people += (
        "auto_vacation, rests, orders) VALUES (:name, :name, 0, 'UTC', 'en', :no, :no, :at, :no, :no, :no)"
    )
    match = "INSERT INTO match (id, phase, length, version, head, rolls, rules, head_hash, state, clock, created_at, "
    match += "started_at, moved_at, finished_at, rated, imported, public, orders, white_id, black_id) VALUES (:id, "
    match += "'over', 7, 1, 1, 0, 'club', '', '{}', :clock, :at, :at, :at, :over, :rated, :imported, :yes, 0, 1, 2)"
    with store.write() as connection:
        for name in ("alice", "bob"):
            connection.execute(text(people), {"name": name, "at": at, "no": False})
        for id_, bank, rated, imported, over in (
            ("slow", 7200, True, False, at),
            ("quick", 7199, True, False, at),
            ("friendly", 7200, False, False, at),
            ("foreign", 7200, True, True, at),
            ("runs", 7200, True, False, None),
        ):
            clock = json.dumps({"control": {"per_turn": 1, "bank": bank, "untimed": False}})
            told = {"id": id_, "clock": clock, "at": at, "rated": rated, "imported": imported}
            connection.execute(text(match), {**told, "over": over, "yes": True})


def test_logs_and_secrets_stay_as_they_are_when_their_tables_are_made_anew(database_url: str) -> None:
    store = Store(database_url)
    with store.write() as connection:
        schema.migrate(connection, "0025")
    _add_match(store, "one", "play", None)
    _add_match(store, "two", "play", None)
    with store.write() as connection:
        for match_id, seq, key in (("two", 1, "k"), ("one", 2, None), ("one", 1, "k")):
            connection.execute(
                text(ENTRY), {"match": match_id, "seq": seq, "text": f"{match_id} {seq}", "key": key}
            )
            connection.execute(
                text("INSERT INTO secret VALUES (:match, :game, :secret)"),
                {"match": match_id, "game": seq, "secret": match_id.encode()},
            )
    assert schema.upgrade(store) == ("0025", schema.newest())
    with store.read() as connection:
        log = connection.execute(
            text("SELECT match_id, seq, key, text FROM action ORDER BY match_id, seq")
        ).all()
        secrets = connection.execute(
            text("SELECT match_id, game, secret FROM secret ORDER BY match_id, game")
        ).all()
    assert [tuple(row) for row in log] == [
        ("one", 1, "k", "one 1"),
        ("one", 2, None, "one 2"),
        ("two", 1, "k", "two 1"),
    ]
    assert [(row.match_id, row.game, bytes(row.secret)) for row in secrets] == [
        ("one", 1, b"one"),
        ("one", 2, b"one"),
        ("two", 1, b"two"),
    ]
    with pytest.raises(IntegrityError), store.write() as connection:
        connection.execute(text(ENTRY), {"match": "one", "seq": 3, "text": "one 3", "key": "k"})
    with pytest.raises(IntegrityError), store.write() as connection:
        connection.execute(text(ENTRY), {"match": "nobody's", "seq": 1, "text": "", "key": None})
    store.close()


ENTRY = (
    "INSERT INTO action (match_id, seq, version, at, seat, via, kind, data, text, hash, key) VALUES "
    "(:match, :seq, 1, 1, 'white', 'api', 'play', '{}', :text, '', :key)"
)
