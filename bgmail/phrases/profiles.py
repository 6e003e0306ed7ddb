"""What a person's page says of them: shares, and when they were last seen, no more exactly than need be."""

from __future__ import annotations

from datetime import datetime, timedelta

from bgmail.phrases.times import lasting
from bgmail.phrases.translate import gettext

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
RECENT = timedelta(days=2)


def last_seen(seen_at: datetime | None, now: datetime) -> str:
    """When somebody was last here: "in the last week", "in the last month", "long ago"."""
    if seen_at is None:
        return gettext("not yet")
    away = now - seen_at
    if away < RECENT:
        return gettext("in the last two days")
    if away < 7 * DAY:
        return gettext("in the last week")
    return gettext("in the last month") if away < 30 * DAY else gettext("longer ago")


def replies(taken: timedelta | None) -> str:
    """How long somebody takes for a turn, rounded: "about 5 hours"; "" where it isn't known."""
    if taken is None:
        return ""
    if taken < HOUR:
        return gettext("within an hour")
    return gettext("about %(span)s", span=_rounded(taken))


def replying(taken: timedelta | None) -> str:
    """The same beside somebody's name: "replies in about 5 hours"."""
    if taken is None:
        return ""
    if taken < HOUR:
        return gettext("replies within an hour")
    return gettext("replies in about %(span)s", span=_rounded(taken))


def _rounded(taken: timedelta) -> str:
    whole = HOUR if taken < RECENT else DAY
    return lasting(whole * round(taken / whole))


def share(part: int, whole: int) -> str:
    """A part of a number of things in per cent: "4 %"; less than one of them isn't called none."""
    if not whole:
        return gettext("none")
    percent = 100 * part / whole
    if 0 < percent < 1:
        return gettext("less than 1 %%")
    return gettext("%(percent)s %%", percent=round(percent))
