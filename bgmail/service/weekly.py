"""A person's own weekend and night: at which their clocks stand still wherever a match allows it.

A change counts from the next turn of each match, so that nobody can stop a clock that runs out, and there is one in
seven days, so that a weekend can't be carried along through the week.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import orjson

from bgmail.service.accounts import time_zones
from bgmail.service.choices import minute_of
from bgmail.service.errors import NotFound, Refused
from bgmail.store import people
from bgmail.store.engine import Store
from bgmail.timing import NO_CALENDAR, BadCalendar, Calendar
from bgmail.timing import calendar as calendars
from bgmail.timing.calendar import LONGEST_NIGHT

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


def wish(days: Iterable[str], night_from: str, night_to: str, zone: str) -> Calendar:
    """The calendar that somebody typed: days as numbers from 0 = Monday, times like 22:00 ("" and "" = no night).

    Raises Refused.
    """
    if zone not in time_zones():
        raise Refused("time_zone", zone=zone)
    start, end = minute_of(night_from), minute_of(night_to)
    if (start is None) != (end is None):
        raise Refused("night_half")
    weekend = frozenset(_day(day) for day in days)
    try:
        return Calendar(zone, weekend, None if start is None or end is None else (start, end))
    except BadCalendar as error:
        raise Refused(error.code, most_hours=LONGEST_NIGHT // 60) from error


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


def _day(text: str) -> int:
    if len(text) != 1 or text not in "0123456":
        raise Refused("weekend_day")
    return int(text)


def _read(kept: str | None) -> Calendar:
    return calendars.from_json(orjson.loads(kept)) if kept else NO_CALENDAR
