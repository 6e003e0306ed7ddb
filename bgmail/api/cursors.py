"""Where a list goes on: an opaque text that only this server has to understand."""

from __future__ import annotations

import base64
import binascii
import json
from datetime import UTC, datetime
from typing import Any

from bgmail import timing
from bgmail.api.problems import Malformed


def written(mark: tuple[datetime, str]) -> str:
    """The cursor after a match: an instant and the match's id."""
    return packed([timing.to_microseconds(mark[0]), mark[1]])


def read(text: str | None) -> tuple[datetime, str] | None:
    """What `written` wrote; None for the first page. Raises Malformed."""
    if text is None:
        return None
    at, match_id = unpacked(text, int, str)
    try:
        if "\0" in match_id:
            raise ValueError("not a cursor")
        match_id.encode()
        return timing.from_microseconds(at).astimezone(UTC), match_id
    except (ValueError, OverflowError) as error:
        raise _not_ours() from error


def packed(values: list[Any]) -> str:
    """Some plain values as a cursor."""
    text = json.dumps(values, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def unpacked(text: str, *kinds: type) -> list[Any]:
    """The values of `packed`, which are of these types. Raises Malformed."""
    try:
        values = json.loads(base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True))
        if not isinstance(values, list) or [type(value) for value in values] != list(kinds):
            raise ValueError("not a cursor")
    except (ValueError, TypeError, RecursionError, binascii.Error) as error:
        raise _not_ours() from error
    return values


def _not_ours() -> Malformed:
    return Malformed("cursor: not one of this server's.")
