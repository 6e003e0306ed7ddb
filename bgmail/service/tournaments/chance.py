"""What a tournament's secret decides: once people have entered, the server can choose nothing more.

Its SHA-256 is shown before anybody enters, the secret itself when the tournament is over. Everything here is an
HMAC-SHA256 of the secret over words that anybody can put together then.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

from bgmail.service.ids import ALPHABET, LENGTH


def match_id(secret: bytes, tournament: str, key: str, first: int, second: int, attempt: int) -> str:
    """The id of a match: the first 12 bytes over "id|<tournament>|<key>|<first>|<second>|<attempt>", each modulo 32 a
    letter of the alphabet of ids. `attempt` counts from 0."""
    drawn = _drawn(secret, f"id|{tournament}|{key}|{first}|{second}|{attempt}")
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in drawn[:LENGTH])


def game_secret(secret: bytes, match: str) -> bytes:
    """The secret of the first game of a match: over the id of the match."""
    return _drawn(secret, match)


def lot(secret: bytes, nonces: Iterable[str]) -> str:
    """The lot of a field, in hex: over "lot|" and the nonces of its entries by number, one after the other."""
    return _drawn(secret, "lot|" + "".join(nonces)).hex()


def seeding_lot(secret: bytes, nonces: Iterable[str]) -> str:
    """The lot by which entries are seeded: as `lot`, over "seeds|"."""
    return _drawn(secret, "seeds|" + "".join(nonces)).hex()


def drawn(lot_: str, number: int) -> str:
    """The lot of one entry: the smaller, the better. SHA-256 of the lot, "|" and the number, as formats draw it."""
    return hashlib.sha256(f"{lot_}|{number}".encode()).hexdigest()


def _drawn(secret: bytes, text: str) -> bytes:
    return hmac.digest(secret, text.encode(), "sha256")
