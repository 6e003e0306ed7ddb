"""Spans and instants in words: two units at most, rounded down so that nobody is promised too much."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from babel.dates import format_datetime

from bgmail.phrases.translate import gettext, locale, ngettext
from bgmail.timing import TimeLeft

MINUTE, HOUR, DAY = 60, 3600, 86_400
SAME_YEAR = timedelta(days=300)
FEW_MINUTES = 10 * MINUTE
A_WHILE = timedelta(days=14)


def span(duration: timedelta) -> str:
    """A duration: "6 d 4 h", "21 h 40 min", "12 min", "2 min 5 s", "0 s". Nothing is less than 0 s."""
    return _told(duration, _SHORT) or gettext("0 s")


def lasting(duration: timedelta) -> str:
    """The same for a sentence, where units are words: "6 days 4 hours", "1 minute", "0 seconds"."""
    return _told(duration, _LONG) or ngettext("%(num)s second", "%(num)s seconds", 0)


def about(duration: timedelta) -> str:
    """A duration in its largest unit alone: "6 d", "21 h", "2 min", "0 s"."""
    seconds = max(0, int(duration.total_seconds()))
    unit = next((unit for unit in (DAY, HOUR, MINUTE) if seconds >= unit), 1)
    return span(timedelta(seconds=seconds - seconds % unit))


def last_play(at: datetime, zone: ZoneInfo, now: datetime) -> str:
    """When something was last played, for a list: "last play 4 d ago", after two weeks the day alone."""
    if now - at < A_WHILE:
        return gettext("last play %(span)s ago", span=about(now - at))
    return day(at, zone)


def instant(at: datetime, zone: ZoneInfo, now: datetime) -> str:
    """An instant for a text that may be read at any time: "Thu 10 Dec 22:20", with the year if it is far."""
    far = abs(at - now) > SAME_YEAR
    # The order of day, month and time, in the letters of Unicode's date patterns, is the translators' as well.
    return _format(at, zone, gettext("EEE d MMM y HH:mm") if far else gettext("EEE d MMM HH:mm"))


def day(at: datetime, zone: ZoneInfo) -> str:
    """A day: "10 Dec 2026"."""
    return _format(at, zone, gettext("d MMM y"))


def moment(at: datetime, zone: ZoneInfo, now: datetime) -> str:
    """An instant for a page that is read now: "today 18:20", "tomorrow 18:20", or the day."""
    days = (at.astimezone(zone).date() - now.astimezone(zone).date()).days
    time = _format(at, zone, gettext("HH:mm"))
    if days == 0:
        return gettext("today %(time)s", time=time)
    if days == 1:
        return gettext("tomorrow %(time)s", time=time)
    if days == -1:
        return gettext("yesterday %(time)s", time=time)
    return instant(at, zone, now)


def zone_name(at: datetime, zone: ZoneInfo) -> str:
    """How the reader's zone is called at that instant: "Europe/Berlin (UTC+1)", or just "UTC"."""
    offset = at.astimezone(zone).utcoffset() or timedelta()
    if zone.key == "UTC":
        return "UTC"
    minutes = int(offset.total_seconds()) // 60
    sign, (hours, rest) = "-" if minutes < 0 else "+", divmod(abs(minutes), 60)
    return f"{zone.key} (UTC{sign}{hours}{f':{rest:02}' if rest else ''})"


def time_left(left: TimeLeft, *, running: bool) -> str:
    """What a side has left: "21 h 40 min, then 3 d bank" on the clock, "bank 3 d" off it."""
    if left.bank is None:
        return gettext("no clock")
    bank = span(left.bank)
    if not running or not left.turn:
        return gettext("bank %(span)s", span=bank)
    if not left.bank:
        return span(left.turn)
    return gettext("%(turn)s, then %(bank)s bank", turn=span(left.turn), bank=bank)


def _format(at: datetime, zone: ZoneInfo, pattern: str) -> str:
    # Babel's own zone arithmetic is avoided: the value is in the reader's zone already.
    return format_datetime(at.astimezone(zone).replace(tzinfo=None), pattern, locale=locale())


Unit = Callable[[int], str]


def _told(duration: timedelta, units: Mapping[int, Unit]) -> str:
    """The largest unit and the next, as far as they aren't zero; minutes alone where there are many."""
    seconds = max(0, int(duration.total_seconds()))
    if FEW_MINUTES <= seconds < HOUR:
        seconds -= seconds % MINUTE
    parts = []
    for unit, next_one in ((DAY, HOUR), (HOUR, MINUTE), (MINUTE, 1), (1, 0)):
        if seconds >= unit:
            parts = [(unit, seconds // unit), (next_one, seconds % unit // (next_one or 1))]
            break
    return " ".join(units[unit](count) for unit, count in parts if count)


_SHORT: Mapping[int, Unit] = {
    DAY: lambda count: gettext("%(n)s d", n=count),
    HOUR: lambda count: gettext("%(n)s h", n=count),
    MINUTE: lambda count: gettext("%(n)s min", n=count),
    1: lambda count: gettext("%(n)s s", n=count),
}
_LONG: Mapping[int, Unit] = {
    DAY: lambda count: ngettext("%(num)s day", "%(num)s days", count),
    HOUR: lambda count: ngettext("%(num)s hour", "%(num)s hours", count),
    MINUTE: lambda count: ngettext("%(num)s minute", "%(num)s minutes", count),
    1: lambda count: ngettext("%(num)s second", "%(num)s seconds", count),
}
