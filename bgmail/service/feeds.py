"""The secret address under which programs read a person's turns and deadlines: made, renewed, ended, and read.

Whoever knows it may read, and nothing else; it is made by signing the mark that is kept here.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from hmac import compare_digest

from bgmail.service import matches
from bgmail.service.accounts import Account, account_of
from bgmail.service.allowances import HOUR, Limit, take
from bgmail.service.errors import NotFound, by_the_way
from bgmail.service.views import MatchView
from bgmail.store import feeds
from bgmail.store.engine import Store

READINGS = Limit("feed/account", 240, HOUR)
"""Ten programs that look every five minutes at both files."""
FRESH = timedelta(minutes=10)
"""How often a reading is noted: not each is a write to the row."""
MOST = 300


@dataclass(frozen=True, slots=True)
class Feed:
    """What the address of one person is made of, since when it is valid, and when a program last read it."""

    account_id: int
    mark: str
    made_at: datetime
    read_at: datetime | None


def of(store: Store, account_id: int) -> Feed | None:
    """The feed that a person has now; None for who wants none."""
    with store.read() as connection:
        row = feeds.of(connection, account_id)
    return Feed(row.account_id, row.mark, row.made_at, row.read_at) if row else None


def renew(store: Store, account_id: int, now: datetime) -> None:
    """Gives a person a new address; the one before is worth nothing from here on."""
    with store.write() as connection:
        feeds.keep(connection, account_id, secrets.token_urlsafe(12), now)


def stop(store: Store, account_id: int) -> None:
    """Ends a person's address; there may be none."""
    with store.write() as connection:
        feeds.drop(connection, account_id)


def enter(store: Store, account_id: int, mark: str, now: datetime) -> tuple[Account, Feed]:
    """Whose feed it is that a program reads by this address, and the feed; counts the reading.

    A reading says nothing about where its owner is. Raises NotFound for an address that was renewed or ended and
    for somebody who was shut out, TooOften.
    """
    with store.read() as connection:
        row = feeds.with_owner(connection, account_id)
    if row is None or not compare_digest(row.mark.encode(), mark.encode("utf-8", "surrogatepass")):
        raise NotFound("no_feed")
    owner = account_of(row)
    if not owner.active:
        raise NotFound("no_feed")
    with by_the_way("the reading of a feed"):
        take(store, [(READINGS, str(account_id))], now)
        if row.read_at is None or now - row.read_at >= FRESH:
            with store.write() as connection:
                feeds.note_reading(connection, account_id, now)
    return owner, Feed(account_id, row.mark, row.made_at, row.read_at)


def turns(store: Store, account_id: int) -> list[MatchView]:
    """The matches that wait for a person, the nearest deadline first, by one query."""
    return matches.mine(store, account_id, "my_turn", MOST)
