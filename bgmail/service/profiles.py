"""What a person's page tells of them: results over all finished matches, how soon they reply, when they were here."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from bgmail.ledger.replies import Step, reply_times, usual
from bgmail.rules.side import Side
from bgmail.service import names
from bgmail.service.accounts import Account, account_of
from bgmail.service.errors import NotFound
from bgmail.service.ties import Kind
from bgmail.service.vacations import Vacation, vacation_of
from bgmail.store import people, profiles, vacations
from bgmail.store.engine import Store

NOBODY = 0
LOOKED_BACK = timedelta(days=90)
MOST_TURNS = 200
"""Reply times are told of the latest turns."""


@dataclass(frozen=True, slots=True)
class Record:
    """How finished matches ended, and how many run; `on_time` of the lost ones were lost on time."""

    won: int = 0
    lost: int = 0
    on_time: int = 0
    running: int = 0

    @property
    def finished(self) -> int:
        return self.won + self.lost

    def __add__(self, other: Record) -> Record:
        return Record(
            self.won + other.won,
            self.lost + other.lost,
            self.on_time + other.on_time,
            self.running + other.running,
        )


@dataclass(frozen=True, slots=True)
class Profile:
    """One person as a reader sees them. `between` is the person's record against the reader, `ties` the reader's.

    `away` is the vacation that the person is on.
    """

    account: Account
    seen_at: datetime | None
    people: Record
    machines: Record
    between: Record
    ties: frozenset[Kind]
    away: Vacation | None = None

    @property
    def all(self) -> Record:
        return self.people + self.machines


def profile(store: Store, handle: str, now: datetime, reader_id: int | None = None) -> Profile:
    """The profile of a handle, in any case, by two queries, or three of somebody who may be on vacation.

    A look-alike of the name is not it. Raises NotFound.
    """
    reader = reader_id or NOBODY
    with store.read() as connection:
        found = profiles.person(connection, names.handle_key(handle), reader)
        if not found or not names.same(found[0].handle, handle):
            raise NotFound("no_such_person", handle=handle)
        rows = profiles.record(connection, found[0].id, reader)
        away = vacations.at(connection, found[0].id, now) if found[0].rests else None
    record = {bool(row.is_bot): Record(row.won, row.lost, row.on_time, row.running) for row in rows}
    return Profile(
        account=account_of(found[0]),
        seen_at=found[0].seen_at,
        people=record.get(False, Record()),
        machines=record.get(True, Record()),
        between=Record(sum(row.won_here for row in rows), sum(row.lost_here for row in rows)),
        ties=frozenset(Kind(row.tie_kind) for row in found if row.tie_kind),
        away=vacation_of(away) if away else None,
    )


def named(store: Store, handle: str) -> Account:
    """The account of a handle, in any case, by one query. A look-alike of the name is not it. Raises NotFound."""
    with store.read() as connection:
        found = people.by_handle(connection, names.handle_key(handle))
    if found is None or not names.same(found.handle, handle):
        raise NotFound("no_such_person", handle=handle)
    return account_of(found)


def reply_time(store: Store, account_id: int, now: datetime) -> timedelta | None:
    """The median time that somebody took for a turn lately; None where too few are known.

    Lately: the last 200 turns at most, of the last 90 days. What the server did for them doesn't count.
    """
    with store.read() as connection:
        rows = profiles.turns(connection, account_id, now - LOOKED_BACK)
    taken: list[int] = []
    for _, entries in groupby(rows, key=lambda row: str(row.match_id)):
        log = list(entries)
        steps = (Step(row.at, Side.named(row.seat) if row.seat else None, row.via, row.kind) for row in log)
        taken += reply_times(steps, Side(log[0].own))
    return usual(taken[-MOST_TURNS:])
