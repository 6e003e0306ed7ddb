"""A tournament held for the time of one transaction: what is done at the desk is one entry of its log."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
from sqlalchemy import Connection, Row

from bgmail.ledger.entry import canonical
from bgmail.service.errors import Forbidden, KeyReused, NotFound, Refused
from bgmail.service.keys import check_key
from bgmail.service.terms import has_controls
from bgmail.service.tournaments.views import EntryState, State, Tournament, commands, tournament_of
from bgmail.store import people
from bgmail.store import tournaments as rows
from bgmail.store.engine import Store

MOST_REASON = 500


@dataclass(frozen=True, slots=True)
class Wish:
    """A command as somebody gives it: `data` is what it needs beside its name.

    `reason` is kept in the log; `key` makes the command safe to repeat.
    """

    command: str
    data: Mapping[str, Any]
    reason: str = ""
    key: str | None = None

    @property
    def digest(self) -> str:
        """Tells two commands with one key apart."""
        told = canonical({"command": self.command, "data": dict(self.data), "reason": self.reason})
        return hashlib.sha256(told.encode()).hexdigest()


class Desk:
    """The tournament as it is now, and the ways to change it. Nobody else changes it until the transaction ends."""

    def __init__(self, connection: Connection, row: Row[Any], now: datetime) -> None:
        self.connection, self.row, self.now = connection, row, now
        self.tournament: Tournament = tournament_of(row)
        self.head: int = row.head

    @property
    def id(self) -> str:
        """The tournament's."""
        return self.tournament.id

    def entries(self) -> list[Row[Any]]:
        """All entries as rows, by number."""
        return list(rows.entries(self.connection, self.id))

    def secret(self) -> bytes:
        """The tournament's secret, which nobody is shown before the end."""
        found = rows.secret_of(self.connection, self.id)
        if found is None:
            raise Refused("tournament_state", state=self.tournament.state.value)
        return found

    def require(self, *states: State) -> None:
        """Raises Refused("tournament_state") unless it is in one of these."""
        if self.tournament.state not in states:
            raise Refused("tournament_state", state=self.tournament.state.value)

    def change(self, **values: Any) -> None:
        """Sets columns of the tournament's row."""
        rows.change(self.connection, self.id, **values)

    def wake(self) -> None:
        """The job is to look at it at once."""
        rows.wake(self.connection, [self.id], self.now)

    def note(
        self,
        author_id: int | None,
        wish: Wish,
        also: Mapping[str, Any] | None = None,
        *,
        kept: Mapping[str, Any] | None = None,
    ) -> int:
        """Writes down what was done, with what came of it; the number of that entry. `kept` stands there instead of the
        data of the wish, where that is nobody else's business."""
        self.head += 1
        data = {**(wish.data if kept is None else kept), **(also or {})}
        rows.note(
            self.connection,
            {
                "tournament_id": self.id,
                "seq": self.head,
                "at": self.now,
                "author_id": author_id,
                "command": wish.command,
                "reason": wish.reason,
                "data": orjson.dumps(data, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS).decode(),
                "key": wish.key,
                "body_digest": wish.digest if wish.key else None,
            },
        )
        self.change(head=self.head)
        return self.head

    def was_done(self, wish: Wish) -> bool:
        """Whether this very command was carried out before. Raises KeyReused where another had its key."""
        known = rows.by_key(self.connection, self.id, wish.key) if wish.key else None
        if known is not None and known.body_digest != wish.digest:
            raise KeyReused("key_reused")
        return known is not None


@contextmanager
def at_desk(store: Store, tournament_id: str, now: datetime, person: int | None = None) -> Iterator[Desk]:
    """A tournament, held, and with it the account of a `person` who comes in: they don't leave meanwhile. Raises
    NotFound; Forbidden("shut_out") where they have left."""
    with store.write() as connection:
        if person is not None:
            people.hold(connection, person)
            _active(connection, person)
        row = rows.hold(connection, tournament_id)
        if row is None:
            raise NotFound("no_tournament")
        yield Desk(connection, row, now)


def _active(connection: Connection, account_id: int) -> Any:
    who = people.by_id(connection, account_id)
    if who is None or who.banned_at is not None or who.closed_at is not None:
        raise Forbidden("shut_out")
    return who


def may_command(desk: Desk, account_id: int) -> None:
    """Its organisers and the staff do. Raises Forbidden, and NotFound where the others may not know of it."""
    if commands(desk.connection, desk.id, _active(desk.connection, account_id)):
        return
    if desk.tournament.state is State.DRAFT:
        raise NotFound("no_tournament")
    raise Forbidden("not_organiser")


def entry_at(desk: Desk, wish: Wish, *states: EntryState) -> Row[Any]:
    """The entry that a command names by its number. Raises Refused("no_entry") for none, or one in another state."""
    number = wish.data.get("entry")
    found = [row for row in desk.entries() if row.number == number and type(number) is int]
    if not found or found[0].state not in states:
        raise Refused("no_entry")
    return found[0]


def reasoned(wish: Wish) -> None:
    """Raises Refused("reason_needed") where nobody says why."""
    if not wish.reason.strip():
        raise Refused("reason_needed")


def check_wish(wish: Wish) -> None:
    """Raises Refused for a key, a reason or a number that nobody can keep."""
    check_key(wish.key)
    try:
        _ = wish.digest
    except ValueError as error:
        raise Refused("condition", field=wish.command) from error
    if len(wish.reason) > MOST_REASON or has_controls(wish.reason):
        raise Refused("reason", most=MOST_REASON)
