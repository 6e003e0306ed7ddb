"""Instants that clients send."""

from __future__ import annotations

from datetime import datetime

from bgmail.api.problems import Malformed
from bgmail.timing import utc


def instant(text: str | None, name: str) -> datetime | None:
    """An RFC 3339 instant. Raises Malformed."""
    if text is None:
        return None
    try:
        return utc(datetime.fromisoformat(text))
    except (ValueError, OverflowError) as error:
        raise Malformed(f"{name}: an instant like 2026-07-01T09:00:00Z, with its offset.") from error
