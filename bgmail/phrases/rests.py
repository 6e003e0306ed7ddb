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


def clock_time(minute: int) -> str:
    """A minute of the day as clocks show it: "08:00"."""
    return f"{minute // 60:02}:{minute % 60:02}"


def allowed(what: Allowed) -> str:
    """What stops the clocks of a match, as its terms say it; "" where nothing does."""
    kinds = [
        name
        for name, on in (
            (gettext("weekends"), what.weekends),
            (gettext("nights"), what.nights),
            (gettext("vacation"), what.vacation),
        )
        if on
    ]
    return gettext("clocks rest: %(kinds)s", kinds=", ".join(kinds)) if kinds else ""


def paused(rest: Pause, zone: ZoneInfo, now: datetime, *, lasting: bool = False) -> str:
    """Until when a clock stands still: "paused until Mon 1 Jun 00:00", on a page "tomorrow 00:00".

    `lasting` is for texts that may be read at any time.
    """
    until = (instant if lasting else moment)(rest.until, zone, now)
    return gettext("paused until %(instant)s", instant=until)


def why(rest: Pause) -> str:
    """Why it stands still, in a word."""
    return str(WHY[rest.why])
