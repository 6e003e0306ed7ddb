"""Whole matches as they are stored, for those who read all of one: export, import, audit and restore."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, insert, select

from bgmail.store import matches
from bgmail.store.engine import Store
from bgmail.store.matches import action, match, secret, table
from bgmail.store.tables import ImportRow

PAGE = 200
names = table(ImportRow)


@dataclass(frozen=True, slots=True)
class Book:
    """One match: its row with the handles, its log's rows in order, its unpublished secrets by game.

    `names` are White's and Black's in an imported match, else None.
    """

    row: Mapping[str, Any]
    actions: Sequence[Row[Any]]
    secrets: dict[int, bytes]
    names: tuple[str, str] | None


@contextmanager
def snapshot(store: Store) -> Iterator[Connection]:
    """A connection whose statements all see one moment."""
    with store.read() as connection:
        if not store.is_sqlite:
            connection = connection.execution_options(isolation_level="REPEATABLE READ")  # noqa: PLW2901
        yield connection


def open_book(store: Store, match_id: str) -> Book | None:
    """All of one match at one moment; None where there is none."""
    with snapshot(store) as connection:
        found = matches.view_with_secrets(connection, match_id)
        if found is None:
            return None
        rows = connection.execute(select(action).where(action.c.match_id == match_id).order_by(action.c.seq))
        return Book(found[0], rows.all(), found[1], names_of(connection, match_id))


def names_of(connection: Connection, match_id: str) -> tuple[str, str] | None:
    """The names that an imported match came with; None for a match of our own."""
    named = connection.execute(select(names).where(names.c.match_id == match_id)).one_or_none()
    return (named.white, named.black) if named else None


def ids(store: Store) -> Iterator[str]:
    """The ids of all matches, in order, a page at a time: matches made meanwhile may be among them."""
    last = ""
    while True:
        query = select(match.c.id).where(match.c.id > last).order_by(match.c.id).limit(PAGE)
        with store.read() as connection:
            found = connection.scalars(query).all()
        yield from found
        if len(found) < PAGE:
            return
        last = found[-1]


def strays(store: Store) -> list[str]:
    """The ids of matches whose row is gone while entries or secrets of theirs are left."""
    found: set[str] = set()
    with store.read() as connection:
        for rows in (action, secret):
            missing = rows.c.match_id.not_in(select(match.c.id))
            found |= set(connection.scalars(select(rows.c.match_id).where(missing).distinct()))
    return sorted(found)


def add_names(connection: Connection, match_id: str, white: str, black: str) -> None:
    """Keeps the names that an imported match came with."""
    connection.execute(insert(names), {"match_id": match_id, "white": white, "black": black})


__all__ = ["Book", "add_names", "ids", "names_of", "open_book", "secret", "snapshot", "strays"]
