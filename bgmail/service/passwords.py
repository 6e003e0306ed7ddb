"""Passwords: what is accepted, and the one recipe that hashes them at sign-up, change and reset alike."""

from __future__ import annotations

import unicodedata
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from bgmail.service.errors import Refused

LEAST, MOST = 8, 200

_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""argon2id with the parameters of OWASP's password storage cheat sheet: 19 MiB, two passes, one lane."""


def judge(password: str, *known: str | None) -> None:
    """Raises Refused for a password that is too short, too long, or one of the `known` names of its owner.

    Every sign counts, blanks at the ends too, and any Unicode is welcome.
    """
    if len(password) < LEAST:
        raise Refused("password_short", least=LEAST)
    check(password)
    if password.casefold() in {name.casefold() for name in known if name} or len(set(password)) == 1:
        raise Refused("password_obvious")


def check(password: str) -> None:
    """Raises Refused for what can't be a password at all; an operator may give out short ones."""
    if not password:
        raise Refused("password_short", least=1)
    if len(password) > MOST:
        raise Refused("password_long", most=MOST)
    if any(0xD800 <= ord(sign) <= 0xDFFF for sign in password):
        raise Refused("password_encoding")


def hashed(password: str) -> str:
    """The argon2id hash of a password that `judge` let pass."""
    return _HASHER.hash(_bytes(password))


def matches(stored: str | None, password: str) -> bool:
    """Whether the password is the one behind the stored hash.

    Without a stored hash (nobody of that name, or nobody with a password) the same work is done in vain, so
    that the time of the answer tells nothing.
    """
    try:
        _HASHER.verify(stored or _nobody(), _bytes(password))
    except (VerificationError, InvalidHashError):
        return False
    return stored is not None


def outdated(stored: str) -> bool:
    """Whether the hash was made with other parameters than today's and should be made anew."""
    return _HASHER.check_needs_rehash(stored)


def _bytes(password: str) -> bytes:
    """The same bytes whichever keyboard composed the letters."""
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")


@cache
def _nobody() -> str:
    return _HASHER.hash("the password of nobody")
