"""The statements on notes: each names the one who wrote them, so that nobody reads another's."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, literal, select, union_all

from bgmail.store.matches import table
from bgmail.store.tables import AccountRow, MatchNoteRow, PersonNoteRow
from bgmail.store.upserts import put

on_match, on_person = table(MatchNoteRow), table(PersonNoteRow)
_account = table(AccountRow)
_ABOUT = {"match": (on_match, "match_id"), "person": (on_person, "person_id")}
_BESIDE = union_all(
    select(literal("match").label("about"), on_match.c.body).where(
        on_match.c.author_id == bindparam("author"), on_match.c.match_id == bindparam("match")
    ),
    select(literal("person").label("about"), on_person.c.body).where(
        on_person.c.author_id == bindparam("author"), on_person.c.person_id == bindparam("person")
    ),
)
_ON_MATCHES = (
    select(on_match.c.match_id, on_match.c.body, on_match.c.at)
    .where(on_match.c.author_id == bindparam("author"))
    .order_by(on_match.c.at, on_match.c.match_id)
)
_ON_PEOPLE = (
    select(_account.c.handle, on_person.c.body, on_person.c.at)
    .join_from(on_person, _account, _account.c.id == on_person.c.person_id)
    .where(on_person.c.author_id == bindparam("author"))
    .order_by(on_person.c.at, on_person.c.person_id)
)


def beside(connection: Connection, author_id: int, match_id: str, person_id: int) -> dict[str, str]:
    """What somebody noted about a match ("match") and about a person ("person"), by one query."""
    rows = connection.execute(_BESIDE, {"author": author_id, "match": match_id, "person": person_id})
    return {row.about: row.body for row in rows}


def keep(
    connection: Connection, about: str, author_id: int, which: int | str, body: str, now: datetime
) -> None:
    """The one note that somebody has on a match or a person; an empty one is taken away."""
    kind, key = _ABOUT[about]
    if body:
        put(connection, kind, {"author_id": author_id, key: which, "body": body, "at": now})
    else:
        connection.execute(delete(kind).where(kind.c.author_id == author_id, kind.c[key] == which))


def on_matches(connection: Connection, author_id: int) -> list[Any]:
    """(match_id, body, at) of all notes on matches, the oldest first."""
    return list(connection.execute(_ON_MATCHES, {"author": author_id}))


def on_people(connection: Connection, author_id: int) -> list[Any]:
    """(handle, body, at) of all notes on people, the oldest first."""
    return list(connection.execute(_ON_PEOPLE, {"author": author_id}))
