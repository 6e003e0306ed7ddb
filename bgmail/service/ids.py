"""The ids of matches: unique everywhere, and nothing can be guessed or misread in them. And numbers of what others must
not count."""

from __future__ import annotations

import secrets

ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
LENGTH = 12


def new_id() -> str:
    """A random id, without letters that look alike."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def new_number() -> int:
    """A random number for a row. By numbers that follow on each other its owner could tell what others keep."""
    return secrets.randbelow(2**31 - 1) + 1
