"""A person's own weekend and night: at which their clocks stand still wherever a match allows it.

A change counts from the next turn of each match, so that nobody can stop a clock that runs out, and there is one in
seven days, so that a weekend can't be carried along through the week.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import orjson

from bgmail.service.errors import NotFound, Refused
from bgmail.store import people
from bgmail.store.engine import Store
from bgmail.timing import NO_CALENDAR, Calendar
from bgmail.timing import calendar as calendars

BETWEEN_CHANGES = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Weekly:
    """What somebody chose, and when last; None = never."""

    calendar: Calendar = NO_CALENDAR
    changed_at: datetime | None = None

    def changes_at(self, now: datetime) -> datetime | None:
        """When it can be changed next; None = now."""
        if self.changed_at is None or self.changed_at + BETWEEN_CHANGES <= now:
            return None
        return self.changed_at + BETWEEN_CHANGES


def of(store: Store, account_id: int) -> Weekly:
    """What a person has chosen. Raises NotFound."""
    with store.read() as connection:
        row = people.by_id(connection, account_id)
    if row is None:
        raise NotFound("no_account")
    return Weekly(_read(row.calendar), row.calendar_at)


def choose(store: Store, account_id: int, wish: Calendar, now: datetime) -> None:
    """From the next turn of each match on this counts; the same again is no change.

    Raises Refused("calendar_soon", at=...) within seven days of a change, NotFound.
    """
    wish = wish.only(weekends=True, nights=True)
    with store.write() as connection:
        people.hold(connection, account_id)
        row = people.by_id(connection, account_id)
        if row is None:
            raise NotFound("no_account")
        had = Weekly(_read(row.calendar), row.calendar_at)
        if wish == had.calendar:
            return
        if soonest := had.changes_at(now):
            raise Refused("calendar_soon", at=soonest)
        kept = orjson.dumps(calendars.to_json(wish)).decode() if wish.rests else None
        people.change(connection, account_id, calendar=kept, calendar_at=now)


def _read(kept: str | None) -> Calendar:
    return calendars.from_json(orjson.loads(kept)) if kept else NO_CALENDAR
