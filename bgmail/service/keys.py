"""Idempotency keys: a request that is sent once more under its key is carried out once."""

from __future__ import annotations

from bgmail.service.errors import Refused

MOST_KEY_LENGTH = 100


def check_key(key: str | None) -> None:
    """Raises Refused unless the key is a short printable text, or missing."""
    if key is not None and not (0 < len(key) <= MOST_KEY_LENGTH and key.isprintable()):
        raise Refused("bad_key", most=MOST_KEY_LENGTH)
