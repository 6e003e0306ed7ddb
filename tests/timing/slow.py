"""Pauses a second time, minute by minute and with nothing clever: what the tests hold `bgmail.timing` against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

from bgmail.timing import NO_CALENDAR, Calendar

MINUTE = timedelta(minutes=1)
BEFORE = timedelta(days=3)

Span = tuple[datetime, datetime]


def minutes(start: datetime, calendar: Calendar = NO_CALENDAR, spans: Sequence[Span] = ()) -> Iterator[bool]:
    """Whether time counts, for each minute from `start` on. All instants are whole minutes.

    The latest time that the wall clock has shown decides, so that what has begun in an hour that comes twice does not
    begin again, and what has ended stays over.
    """
    zone = ZoneInfo(calendar.zone)
    at = start - BEFORE
    shown = at.astimezone(zone).replace(tzinfo=None)
    while True:
        shown = max(shown, at.astimezone(zone).replace(tzinfo=None))
        if at >= start:
            yield not (_rests(calendar, shown) or any(begin <= at < end for begin, end in spans))
        at += MINUTE


def _rests(calendar: Calendar, shown: datetime) -> bool:
    if shown.weekday() in calendar.weekend:
        return True
    if calendar.night is None:
        return False
    minute, (start, end) = shown.hour * 60 + shown.minute, calendar.night
    return start <= minute < end if start < end else minute >= start or minute < end


def elapsed(
    start: datetime, end: datetime, calendar: Calendar = NO_CALENDAR, spans: Sequence[Span] = ()
) -> timedelta:
    """The minutes that count between two instants."""
    return sum(islice(minutes(start, calendar, spans), max(0, (end - start) // MINUTE))) * MINUTE


def advance(
    start: datetime, duration: timedelta, calendar: Calendar = NO_CALENDAR, spans: Sequence[Span] = ()
) -> datetime:
    """The first instant at which `duration` (whole minutes) has counted."""
    at, left = start, duration
    for counts in minutes(start, calendar, spans):
        if not left:
            break
        at += MINUTE
        left -= MINUTE if counts else timedelta(0)
    return at.astimezone(UTC)
