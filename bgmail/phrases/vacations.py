"""Words about vacation: why one can't be taken, and how long one lasts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from bgmail.phrases.times import instant
from bgmail.phrases.translate import gettext, lazy_gettext

VACATIONS: Mapping[str, Any] = {
    "no_vacation": lazy_gettext("There is no such vacation of yours."),
    "vacation_past": lazy_gettext("A vacation can't begin in the past: leave its beginning empty for now."),
    "vacation_far": lazy_gettext("A vacation begins within %(most)s days."),
    "vacation_backwards": lazy_gettext("A vacation ends after it begins, and not in the past."),
    "vacation_planned": lazy_gettext("You have planned %(most)s vacations. Take one of them back first."),
    "vacation_overlaps": lazy_gettext(
        "You have another vacation then. Change that one, or choose other days."
    ),
    "vacation_used_up": lazy_gettext("No vacation is left for you in %(year)s."),
    "vacation_over": lazy_gettext("That vacation is over."),
}


def too_long(farthest: datetime, zone: ZoneInfo) -> str:
    """Why a vacation can't last as long as was wished."""
    return gettext(
        "Your days don't last so long: a vacation that begins then ends on %(when)s at the latest.",
        when=instant(farthest, zone, farthest),
    )
