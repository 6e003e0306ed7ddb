"""Where a list goes on, in the address of its next page."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from bgmail import timing

_MARK = re.compile(r"([0-9]{1,17})-([A-Za-z0-9_-]{1,64})")


def written(mark: tuple[datetime, str]) -> str:
    """The mark of the last match of a page."""
    return f"{timing.to_microseconds(mark[0])}-{mark[1]}"


def read(text: str | None) -> tuple[datetime, str] | None:
    """What a page's address says; None for the first page, and for what is no mark."""
    found = _MARK.fullmatch(text or "")
    if found is None:
        return None
    try:
        return timing.from_microseconds(int(found[1])).astimezone(UTC), found[2]
    except (ValueError, OverflowError):
        return None
