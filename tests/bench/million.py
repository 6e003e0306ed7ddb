"""A database with a million matches, made by a handful of statements: the table at which the sweep is measured."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import insert, select

from bgmail import timing
from bgmail.store.engine import Store, driver
from bgmail.store.matches import action, match, table
from bgmail.store.schema import ensure_schema
from bgmail.store.tables import AccountRow
from tests.bench.queue_page import NOW, pattern, person

MILLION = 1_000_000
PEOPLE = 5_000
LATE = timedelta(hours=1)
"""The due ones have been so for an hour at most."""
AHEAD = timedelta(days=4)
"""The others are looked at within so much time."""
APART = 10
"""One in so many of the others has the end of a log and secrets too: the due ones lie scattered among them."""

CHANGED = {
    "id": "printf('b%09d%07d', r, n)",
    "white_id": ":first + n % (:people - 1)",
    "black_id": ":first + n % (:people - 1) + 1",
    "clock": "json_set(source.clock, '$.since', (:due + r % :spread - :lasts) * 1000000)",
    "moved_at": "strftime('%Y-%m-%d %H:%M:%S', :due + r % :spread - :lasts, 'unixepoch') || '.000000'",
    "deadline_at": "strftime('%Y-%m-%d %H:%M:%S', :due + r % :spread, 'unixepoch') || '.000000'",
    "due_at": "strftime('%Y-%m-%d %H:%M:%S', :due + r % :spread, 'unixepoch') || '.000000'",
}
"""What differs from the pattern: ids in no order, and each its own second."""
COPIES = f"""
WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < :count),
mixed(n, r) AS MATERIALIZED (SELECT n, abs(random()) % 1000000007 FROM counted),
sorted(n, r) AS MATERIALIZED (SELECT n, r FROM mixed ORDER BY r, n)
INSERT INTO match ({", ".join(column.name for column in match.c)})
SELECT {", ".join(CHANGED.get(column.name, f"source.{column.name}") for column in match.c)}
FROM sorted CROSS JOIN match AS source ON source.id = :pattern
"""
LOGGED = [column.name for column in action.c if column.name != "match_id"]
SECRETS = """
INSERT INTO secret (match_id, game, secret)
SELECT match.id, source.game, randomblob(32) FROM match JOIN secret AS source ON source.match_id = :pattern
WHERE match.id <> :pattern AND (match.due_at < :now OR match.rowid % :apart = 0) ORDER BY match.id, source.game
"""
LOGS = f"""
INSERT INTO action (match_id, {", ".join(LOGGED)})
SELECT match.id, {", ".join(f"source.{name}" for name in LOGGED)}
FROM match JOIN action AS source ON source.match_id = :pattern AND source.seq = match.head
WHERE match.id <> :pattern AND (match.due_at < :now OR match.rowid % :apart = 0) ORDER BY match.id
"""


@cache
def _folder() -> TemporaryDirectory[str]:
    """Where the databases of this run are, until it ends."""
    return TemporaryDirectory(prefix="bgmail-bench-")


@cache
def store_with(matches: int, due: int) -> Store:
    """So many running matches, some of them due at NOW; the same database for whoever asks again in one run."""
    url = f"sqlite:///{Path(_folder().name) / f'{matches}.db'}"
    store = Store(url)
    ensure_schema(store)
    _, view = pattern(store)
    with store.write() as connection:
        connection.execute(insert(table(AccountRow)), [person(number) for number in range(PEOPLE)])
        first = connection.scalar(
            select(table(AccountRow).c.id).where(table(AccountRow).c.handle == "player0")
        )
    store.close()
    lasts = (timing.deadline(view.clock) or NOW) - (view.clock.since or NOW)
    values = {
        "pattern": view.id,
        "first": first,
        "people": PEOPLE,
        "lasts": seconds(lasts),
        "apart": APART,
        "now": f"{NOW:%Y-%m-%d %H:%M:%S}",
    }
    with closing(driver().connect(store.path, isolation_level=None)) as connection:
        fill(connection, values, matches, due)
    return Store(url)


def fill(connection: Any, values: dict[str, Any], matches: int, due: int) -> None:
    """The copies of the pattern. Nobody else is there and nothing is lost: so no log beside it and no waiting."""
    for pragma in ("journal_mode=OFF", "synchronous=OFF", "cache_size=-200000"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("BEGIN")
    indexes = without_indexes(connection)
    for count, since, spread in ((due, NOW - LATE, LATE), (matches - due, NOW + LATE, AHEAD)):
        copies = {"count": count, "due": int(since.timestamp()), "spread": seconds(spread)}
        connection.execute(COPIES, values | copies)
    for statement in (*indexes, SECRETS, LOGS):
        connection.execute(statement, values if ":" in statement else {})
    connection.execute("COMMIT")


def seconds(span: timedelta) -> int:
    """Whole seconds."""
    return span // timedelta(seconds=1)


def without_indexes(connection: Any) -> list[str]:
    """Drops the indexes of matches, and tells how to make them again: in one go they take seconds."""
    ask = (
        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'match' AND sql IS NOT NULL"
    )
    found = connection.execute(ask).fetchall()
    for name, _ in found:
        connection.execute(f'DROP INDEX "{name}"')
    return [statement for _, statement in found]
