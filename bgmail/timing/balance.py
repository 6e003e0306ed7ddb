"""How much vacation a calendar year has, what is left of it, and how far a vacation reaches.

A year is that of the zone in which its owner lived when the vacation was taken: it begins there on the first of January
at midnight. What is left of a year ends with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from bgmail.timing.instants import utc

YEARLY = timedelta(days=30)
"""What a calendar year has."""
NOTHING = timedelta(0)


@dataclass(frozen=True, slots=True)
class Taken:
    """A vacation that is used up, runs or is planned: from `start` up to `end`, counted in the years of `zone`."""

    start: datetime
    end: datetime
    zone: ZoneInfo

    def in_year(self, year: int) -> timedelta:
        """How much of it lies in a year."""
        begins, ends = bounds(year, self.zone)
        return max(NOTHING, min(self.end, ends) - max(self.start, begins))


def bounds(year: int, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """The instants, in UTC, at which a year begins in a zone and at which the next one does."""
    return midnight(date(year, 1, 1), zone), midnight(date(year + 1, 1, 1), zone)


def midnight(day: date, zone: ZoneInfo) -> datetime:
    """The instant, in UTC, at which a day begins in a zone: the first of two midnights; where there is none, when the
    clock has been put forward past it."""
    return datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)


def year_of(at: datetime, zone: ZoneInfo) -> int:
    """The year that an instant lies in."""
    return at.astimezone(zone).year


def remaining(taken: Iterable[Taken], year: int) -> timedelta:
    """What is left of a year after all that is taken; never less than nothing."""
    return max(NOTHING, YEARLY - sum((one.in_year(year) for one in taken), NOTHING))


def shares(start: datetime, end: datetime, zone: ZoneInfo) -> Iterator[tuple[int, timedelta]]:
    """The years that a vacation lies in, in order, each with how much of it does."""
    span = Taken(start, end, zone)
    for year in range(year_of(start, zone), year_of(end, zone) + 1):
        if span.in_year(year):
            yield year, span.in_year(year)


def reach(start: datetime, taken: Iterable[Taken], zone: ZoneInfo) -> datetime:
    """How far a vacation that starts at `start` can go: to where the year's balance is empty, or another one begins.

    One that is still going on at the new year goes on with what that year has. Where nothing is left it ends where it
    starts; so does one that would start within another.
    """
    start, others = utc(start), tuple(taken)
    if any(one.start <= start < one.end for one in others):
        return start
    wall = min((one.start for one in others if one.start > start and one.end > one.start), default=None)
    at = start
    while True:
        year = year_of(at, zone)
        turn, left = bounds(year, zone)[1], remaining(others, year)
        end = min(at + left, turn)
        if wall is not None and wall <= end:
            return wall
        if end < turn or remaining(others, year + 1) == NOTHING:
            return end
        at = turn
