"""Ratings in words: numbers as people write them, and why a match counts for nobody's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bgmail.phrases.translate import gettext, lazy_gettext
from bgmail.rating import Rating

MINUS = "−"
_PACES: Mapping[str, Any] = {
    "correspondence": lazy_gettext("correspondence"),
    "live": lazy_gettext("live"),
}
_WHY: Mapping[str, Any] = {
    "machine": lazy_gettext("Not rated: a machine played in it."),
    "annulled": lazy_gettext("Not rated: the match was annulled."),
    "nobody": lazy_gettext("Not rated: nobody won."),
    "no_play": lazy_gettext("Not rated: the loser never did anything in this match."),
    "absent": lazy_gettext(
        "Not rated: in the same absence another match was lost on time already, and that one counted."
    ),
    "failed": lazy_gettext("Not rated: this server can't read the match. Its operator is told."),
}


def pace_name(pace: str) -> str:
    """What the matches of a pace are called: "correspondence", "live"."""
    return str(_PACES[pace])


def number(rating: Rating) -> str:
    """A rating as people write it: "1512"; "1512?" where it is only a first guess."""
    return f"{whole(rating.value)}{'?' if rating.is_provisional else ''}"


def whole(value: float) -> str:
    """A rating without fractions."""
    return str(round(value))


def gain(before: float, after: float) -> str:
    """What a match changed, between the whole numbers that people see: "+8", "−5", "±0"."""
    change = round(after) - round(before)
    return f"+{change}" if change > 0 else f"{MINUS}{-change}" if change < 0 else "±0"


def step(before: float, after: float) -> str:
    """A rating before and after a match: "1512 → 1520"."""
    return f"{whole(before)} → {whole(after)}"


def why_not(reason: str | None) -> str:
    """Why a match counts for nobody's rating; "" where it does. None: that isn't known yet."""
    if reason is None:
        return gettext("The ratings follow in a moment.")
    return str(_WHY.get(reason, ""))
