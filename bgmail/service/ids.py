"""The ids of matches: unique everywhere, and nothing can be guessed or misread in them."""

from __future__ import annotations

import secrets

ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
LENGTH = 12


def new_id() -> str:
    """A random id, without letters that look alike."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
