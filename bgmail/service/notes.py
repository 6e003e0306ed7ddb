"""Notes of one's own on a match and on a person: only who wrote them ever reads them, and they are kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bgmail.service import accounts
from bgmail.service.errors import Refused
from bgmail.service.matches import visible
from bgmail.service.terms import has_controls
from bgmail.store import notes
from bgmail.store.engine import Store

MOST = 2000
"""So many characters a note has at most, a new line counting as one."""
NOBODY = 0


@dataclass(frozen=True, slots=True)
class Notes:
    """What somebody noted about a match and about a person; "" = nothing."""

    match: str = ""
    person: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """One note: on the match `match_id`, or on the person `handle`; the other one is None."""

    match_id: str | None
    handle: str | None
    body: str
    at: datetime


def read(store: Store, account_id: int, match_id: str = "", person_id: int | None = None) -> Notes:
    """The account's own notes on that match and on that person, by one query."""
    with store.read() as connection:
        return Notes(**notes.beside(connection, account_id, match_id, person_id or NOBODY))


def on_match(store: Store, account_id: int, match_id: str, body: str, now: datetime) -> None:
    """Keeps what the account notes about a match in place of what it noted before; "" takes that away.

    Anybody may take notes on a match that they may see. Raises NotFound for another, Refused for a text that
    is too long or has control characters: then nothing is changed.
    """
    seen = visible(store, match_id, account_id)
    _keep(store, "match", account_id, seen.id, body, now)


def on_person(store: Store, account_id: int, handle: str, body: str, now: datetime) -> None:
    """The same about a person. Raises NotFound for an unknown handle, Refused also for a note on oneself."""
    person = accounts.by_handle(store, handle)
    if person.id == account_id:
        raise Refused("note_on_oneself")
    _keep(store, "person", account_id, person.id, body, now)


def mine(store: Store, account_id: int) -> list[Note]:
    """All notes of an account, those on matches first, the oldest first."""
    with store.read() as connection:
        on_matches = notes.on_matches(connection, account_id)
        on_people = notes.on_people(connection, account_id)
    return [Note(row.match_id, None, row.body, row.at) for row in on_matches] + [
        Note(None, row.handle, row.body, row.at) for row in on_people
    ]


def _keep(store: Store, about: str, account_id: int, which: int | str, body: str, now: datetime) -> None:
    body = body.replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(body) > MOST or has_controls(body):
        raise Refused("note", most=MOST)
    with store.write() as connection:
        notes.keep(connection, about, account_id, which, body, now)
