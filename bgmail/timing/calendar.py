"""The part of a week at which a player's clock stands still: days of the weekend and hours of the night, by the wall
clock of a zone.

A wall time means the first instant at which the clock of the zone shows it; one that a change of the clock skips is
the instant of that change, and of one that comes twice the first counts. So a weekend that begins in winter time and
ends in summer time is an hour shorter, as it is on the wall.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import count
from typing import Literal, cast
from zoneinfo import ZoneInfo

DAY = 24 * 60
MOST_DAYS = 2
LONGEST_NIGHT = 12 * 60
ONE_DAY, ONE_SECOND = timedelta(days=1), timedelta(seconds=1)

Why = Literal["weekend", "night"]
CalendarSpan = tuple[datetime, datetime, Why]


class BadCalendar(ValueError):
    """A calendar that nobody can have; `code` is for other rooms, that have their own words for it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Calendar:
    """The weekend and the night of one player.

    `zone` names a time zone. `weekend` holds at most two days of the week, 0 = Monday to 6 = Sunday. `night` is from
    one minute of the local day up to another, that one no longer included, past midnight where the end is earlier; it
    lasts twelve hours at most, so that some of every week counts. Raises BadCalendar.
    """

    zone: str = "UTC"
    weekend: frozenset[int] = frozenset()
    night: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        _zone(self.zone)
        if len(self.weekend) > MOST_DAYS:
            raise BadCalendar("weekend_long", f"a weekend has {MOST_DAYS} days at most")
        if any(type(day) is not int or not 0 <= day <= 6 for day in self.weekend):
            raise BadCalendar("weekend_day", f"days of the week are 0 to 6: {sorted(self.weekend)}")
        if self.night is not None:
            _check_night(*self.night)

    @property
    def rests(self) -> bool:
        """Whether it ever stops a clock."""
        return bool(self.weekend) or self.night is not None

    def only(self, *, weekends: bool, nights: bool) -> Calendar:
        """What is left of it where just these are allowed; `NO_CALENDAR` where nothing is."""
        weekend = self.weekend if weekends else frozenset()
        night = self.night if nights else None
        return Calendar(self.zone, weekend, night) if weekend or night else NO_CALENDAR

    def spans(self, after: datetime) -> Iterator[CalendarSpan]:
        """The spans [start, end) in UTC that end after an instant, by their starts; they may touch or overlap.

        Without an end, except that a calendar which never rests has none.
        """
        if not self.rests:
            return
        day = after.astimezone(_zone(self.zone)).date() - ONE_DAY  # last night may still last
        for week in count((day.toordinal() - 1) // 7):
            for span in _week(self, week):
                if span[1] > after:
                    yield span


def to_json(calendar: Calendar) -> dict[str, object]:
    """A calendar as logs and rows keep it: `zone`, `weekend` as a sorted list, `night` as two minutes or None."""
    night = None if calendar.night is None else list(calendar.night)
    return {"zone": calendar.zone, "weekend": sorted(calendar.weekend), "night": night}


def from_json(value: Mapping[str, object]) -> Calendar:
    """The calendar that `to_json` wrote. Raises KeyError, TypeError, or BadCalendar (a ValueError)."""
    night = cast("list[int] | None", value["night"])
    zone, weekend = cast(str, value["zone"]), cast("list[int]", value["weekend"])
    return _kept(zone, False, *weekend) if night is None else _kept(zone, True, night[0], night[1], *weekend)


@lru_cache(maxsize=1024, typed=True)
def _kept(zone: str, has_night: bool, *numbers: int) -> Calendar:
    """Rows of many matches hold the same few calendars. Within a tuple the cache would take True for 1."""
    if has_night:
        return Calendar(zone, frozenset(numbers[2:]), (numbers[0], numbers[1]))
    return Calendar(zone, frozenset(numbers))


@lru_cache(maxsize=4096)
def _week(calendar: Calendar, number: int) -> tuple[CalendarSpan, ...]:
    """The spans that begin on the seven days of a week, which are asked for again and again; empty ones left out."""
    zone, monday = _zone(calendar.zone), date.fromordinal(number * 7 + 1)
    days = (monday + after * ONE_DAY for after in range(7))
    return tuple(span for day in days for span in _day(calendar, day, zone) if span[0] < span[1])


def _day(calendar: Calendar, day: date, zone: ZoneInfo) -> Iterator[CalendarSpan]:
    if day.weekday() in calendar.weekend:
        yield _instant(day, 0, zone), _instant(day + ONE_DAY, 0, zone), "weekend"
    if calendar.night is not None:
        start, end = calendar.night
        over = day if start < end else day + ONE_DAY
        yield _instant(day, start, zone), _instant(over, end, zone), "night"


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise BadCalendar("zone", f"there is no time zone called {name!r}") from error


def _check_night(start: int, end: int) -> None:
    if any(type(minute) is not int or not 0 <= minute < DAY for minute in (start, end)):
        raise BadCalendar("night_minute", f"a day has the minutes 0 to {DAY - 1}: {start} to {end}")
    if start == end:
        raise BadCalendar("night_empty", "a night that begins when it ends has no length")
    if (end - start) % DAY > LONGEST_NIGHT:
        raise BadCalendar("night_long", f"a night lasts {LONGEST_NIGHT // 60} hours at most")


def _instant(day: date, minute: int, zone: ZoneInfo) -> datetime:
    """The first instant, in UTC, at which the wall clock shows this minute of this day or has just skipped it."""
    wall = datetime.combine(day, time(minute // 60, minute % 60))
    found = wall.replace(tzinfo=zone).astimezone(UTC)
    if _shown(found, zone) == wall:
        return found
    before = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)
    return _change(before, found, wall, zone)


def _change(before: datetime, after: datetime, wall: datetime, zone: ZoneInfo) -> datetime:
    """Where, between two instants, the clock jumps past a wall time. Clocks are changed at whole seconds."""
    while after - before > ONE_SECOND:
        middle = before + (after - before) // ONE_SECOND // 2 * ONE_SECOND
        before, after = (before, middle) if _shown(middle, zone) >= wall else (middle, after)
    return after


def _shown(instant: datetime, zone: ZoneInfo) -> datetime:
    return instant.astimezone(zone).replace(tzinfo=None)


NO_CALENDAR = Calendar()
