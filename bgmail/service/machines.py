"""A machine of this server: its account, the matches that wait for it, and its part in the dice.

It plays by the same rules and through the same door as people. Its nonces aren't chosen: they follow from
what is in the log, so that even its own operator can't steer the dice of a match against it.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from bgmail.service import accounts
from bgmail.service.accounts import Account
from bgmail.service.errors import NotFound, Refused
from bgmail.service.names import handle_key
from bgmail.service.views import MatchView
from bgmail.store import machines, matches, people
from bgmail.store.engine import Store

NONCE_LENGTH = 32
REST = timedelta(minutes=5)
"""How long a match rests in which its machine failed."""


def find(store: Store, names: tuple[str, ...]) -> Account | None:
    """The machine that goes by one of these names; None before it was made. People who go by one aren't it.

    It has no password and no address: nobody can sign in as it.
    """
    for name in names:
        with store.read() as connection:
            row = people.by_handle(connection, handle_key(name))
        if row is not None and row.is_bot and row.password_hash is None and row.email is None:
            return accounts.account_of(row)
    return None


def make(store: Store, names: tuple[str, ...], now: datetime) -> Account:
    """The machine by the first of its names that is free, made if need be. Raises Refused where none is."""
    for name in names:
        found = find(store, (name,))
        if found:
            return found
        try:
            return accounts.create(store, name, None, None, now, is_bot=True)
        except Refused:  # somebody goes by it, or another process was faster
            found = find(store, (name,))
            if found:
                return found
    raise Refused("handle_taken", handle=names[0])


def on_turn(store: Store, account_id: int, now: datetime) -> str | None:
    """The match that has waited longest for this machine; None when none does."""
    with store.read() as connection:
        return machines.on_turn(connection, account_id, now)


def offered(store: Store, account_id: int, now: datetime) -> str | None:
    """A match that somebody offered to this machine; None when nobody did."""
    with store.read() as connection:
        return machines.offered(connection, account_id, now)


def put_off(store: Store, match_id: str, now: datetime) -> None:
    """Lets one match rest in which the machine failed: the others go on."""
    with store.write() as connection:
        machines.put_off(connection, match_id, now, now + REST)


def nonce(store: Store, view: MatchView) -> str:
    """The machine's nonce for its next action: the first 32 hex digits of the SHA-256 of the ASCII text
    `machine|<match id>|<nonces of the log so far>`, which nobody can choose once the person's are in it.

    Raises NotFound for a match without a nonce: it was never offered.
    """
    with store.read() as connection:
        so_far = matches.nonces(connection, view.id)
    if not so_far:
        raise NotFound("no_match")
    return hashlib.sha256(f"machine|{view.id}|{so_far}".encode("ascii")).hexdigest()[:NONCE_LENGTH]
