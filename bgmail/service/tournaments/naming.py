"""People in the logs of tournaments and their matches: these hold accounts, and who reads them is told what they are
called now.

So nobody is called by name there who has closed their account. Older entries hold handles: they are looked up too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from bgmail.service.names import handle_key
from bgmail.service.views import MatchView
from bgmail.store import people
from bgmail.store.engine import Store

PEOPLE = ("handle", "substitute", "instead_of")
"""The fields that hold an account, or a handle."""


def named(connection: Connection, logged: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The data of entries of the log, with present handles. At most one statement, however many there are."""
    held = {data[name] for data in logged for name in PEOPLE if name in data}
    if not held:
        return [dict(data) for data in logged]
    known = {one: handle_key(one) if isinstance(one, str) else one for one in held}
    ids = [one for one in known.values() if isinstance(one, int)]
    keys = [one for one in known.values() if isinstance(one, str)]
    handles: dict[int | str, str] = {}
    for row in people.handles(connection, ids, keys):
        handles[row.id] = handles[row.handle_key] = row.handle
    now = {one: handles.get(key, str(one)) for one, key in known.items()}
    return [{**data, **{name: now[data[name]] for name in PEOPLE if name in data}} for data in logged]


def author(store: Store, view: MatchView, held: int | str) -> int | str:
    """What somebody is called now whom the log of a match names. In a match that came from elsewhere that is nobody
    here: what the log holds."""
    with store.read() as connection:
        return author_in(connection, view, held)


def author_in(connection: Connection, view: MatchView, held: int | str) -> int | str:
    """The same on an open connection."""
    if view.tournament is None:
        return held
    ids, keys = ([held], []) if isinstance(held, int) else ([], [handle_key(held)])
    for row in people.handles(connection, ids, keys):
        return str(row.handle)
    return held
