"""Pauses in words: a weekend and a night, what a match allows, and until when a clock stands still."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from babel.dates import get_day_names

from bgmail.phrases.times import instant, moment
from bgmail.phrases.translate import gettext, lazy_gettext, locale
from bgmail.timing import Allowed, Calendar, Pause

WHY = {
    "weekend": lazy_gettext("weekend"),
    "night": lazy_gettext("night"),
    "vacation": lazy_gettext("vacation"),
    "outage": lazy_gettext("the server was away"),
}


def calendar(wish: Calendar) -> str:
    """A weekend and a night: "Sat, Sun, 22:00–08:00 (Europe/Berlin)"; "never" where there is neither."""
    if not wish.rests:
        return gettext("never")
    parts = [day_name(day) for day in sorted(wish.weekend)]
    if wish.night is not None:
        parts.append("–".join(clock_time(minute) for minute in wish.night))
    return f"{', '.join(parts)} ({wish.zone})"


def day_name(day: int) -> str:
    """A day of the week in short, 0 = Monday: "Sat"."""
    return str(get_day_names("abbreviated", locale=locale())[day])


def long_day_name(day: int) -> str:
    """A day of the week, 0 = Monday: "Saturday"."""
    return str(get_day_names("wide", context="stand-alone", locale=locale())[day])


def clock_time(minute: int) -> str:
    """A minute of the day as clocks show it: "08:00"."""
    return f"{minute // 60:02}:{minute % 60:02}"


def kinds(what: Allowed) -> str:
    """The kinds of pause that a match allows: "weekends, vacations"; "" for none."""
    names = (
        (gettext("weekends"), what.weekends),
        (gettext("vacations"), what.vacation),
        (gettext("nights"), what.nights),
    )
    return ", ".join(name for name, on in names if on)


def allowed(what: Allowed) -> str:
    """What stops the clocks of a match, as its terms say it: "clocks rest: weekends"; "" where nothing does."""
    named = kinds(what)
    return gettext("clocks rest: %(kinds)s", kinds=named) if named else ""


def paused(rest: Pause, zone: ZoneInfo, now: datetime) -> str:
    """Until when a clock stands still, for a page that is read now: "paused until tomorrow 00:00"."""
    return gettext("paused until %(instant)s", instant=moment(rest.until, zone, now))


def until(rest: Pause, zone: ZoneInfo, now: datetime, *, lasting: bool = False) -> str:
    """Up to when a clock stands still, and why: "tomorrow 00:00 (weekend)".

    `lasting` is for texts that may be read at any time: "Mon 1 Jun 00:00 (weekend)".
    """
    end = (instant if lasting else moment)(rest.until, zone, now)
    return f"{end} ({WHY[rest.why]})"
