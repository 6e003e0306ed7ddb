"""Mail for matches: kept the moment it is accepted, handled later, each once.

Until it is handled, the match that it is for waits: who answered in time is in time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row
from sqlalchemy.exc import IntegrityError

from bgmail.service import addresses
from bgmail.service.accounts import Account
from bgmail.service.allowances import DAY, Limit, TooOften, take
from bgmail.service.errors import Refused
from bgmail.service.matches import add_line
from bgmail.service.notices import owe
from bgmail.service.views import MatchView
from bgmail.store import inbound, people
from bgmail.store.engine import Store

CLAIM = timedelta(minutes=5)
"""How long a mail belongs to the worker that took it."""
AGAIN = timedelta(minutes=1)
MOST_ATTEMPTS = 5
"""So often a mail is tried that can't be handled; then it is given up, and holds up its match no more."""
MEMORY = timedelta(days=30)
HELP_ADDRESS = Limit("inbox/address", 2, DAY)
HELP_MATCH = Limit("inbox/match", 10, DAY)
MOST_SENDERS = 10


@dataclass(frozen=True, slots=True)
class Inbound:
    """A mail to be handled: the `token` of the address that it came to, and when our receiver accepted it.

    `sender` is the envelope's ("" = nobody, None = not known). `attempts` counts this one.
    """

    id: int
    token: str
    sender: str | None
    received_at: datetime
    raw: bytes
    attempts: int


@dataclass(frozen=True, slots=True)
class Line:
    """What is said in a match's chat by a mail."""

    view: MatchView
    author_id: int
    body: str


def keep(
    store: Store, raw: bytes, tokens: Mapping[str, str], now: datetime, sender: str | None = None
) -> int:
    """Keeps a mail for each of the addresses that it came to (token: match id); how many were new.

    When this returns, it stands on the disk.
    """
    digest = hashlib.sha256(raw).hexdigest()
    rows = [
        {
            "digest": digest,
            "token": token,
            "match_id": match_id,
            "sender": sender,
            "received_at": now,
            "raw": raw,
            "attempts": 0,
            "due_at": now,
            "outcome": "",
        }
        for token, match_id in tokens.items()
    ]
    with store.write() as connection:
        return inbound.keep(connection, rows)


def claim(store: Store, now: datetime) -> Inbound | None:
    """Takes the mail that waits longest; None when there is none."""
    with store.read() as connection:
        if not inbound.is_any_due(connection, now):
            return None
    with store.write() as connection:
        row = inbound.claim(connection, now, now + CLAIM)
    return _inbound(row) if row else None


def close(
    store: Store,
    mail: Inbound,
    outcome: str,
    now: datetime,
    *,
    fingerprint: str | None = None,
    facts: Iterable[dict[str, Any]] = (),
    line: Line | None = None,
) -> bool:
    """A mail has been handled: what it says in the chat, the letters it is answered by and its end are one step.

    False, and nothing is said or owed, when a copy of it had been handled before.
    """
    try:
        with store.write() as connection:
            if not inbound.close(connection, mail.id, outcome, fingerprint):
                return False
            owe(connection, facts)
            if line:
                add_line(connection, line.view, line.author_id, line.body, now)
    except IntegrityError:
        with store.write() as connection:
            inbound.close(connection, mail.id, "repeated", None)
        return False
    return True


def fail(store: Store, mail: Inbound, now: datetime) -> bool:
    """A mail could not be handled: again later, or given up. Whether it was given up."""
    given_up = mail.attempts >= MOST_ATTEMPTS
    with store.write() as connection:
        if given_up:
            inbound.close(connection, mail.id, "failed", None, mail.raw)
        else:
            inbound.put_off(connection, mail.id, now + AGAIN * mail.attempts)
    return given_up


def repeated(store: Store, fingerprint: str) -> bool:
    """Whether a copy of a mail has been handled."""
    with store.read() as connection:
        return inbound.is_known(connection, fingerprint)


def may_help(store: Store, token: str, account_id: int, match_id: str, now: datetime) -> bool:
    """Counts one letter that answers a mail; False when there were enough of them."""
    try:
        take(store, [(HELP_ADDRESS, token), (HELP_MATCH, f"{account_id} {match_id}")], now)
    except TooOften:
        return False
    return True


def forget_past(store: Store, now: datetime) -> int:
    """Forgets mails that were handled long ago; how many those were."""
    with store.write() as connection:
        return inbound.forget(connection, now - MEMORY)


def is_theirs(store: Store, account_id: int, own: str | None, address: str) -> bool:
    """Whether a person answers from this address: their own, or one they have named."""
    key = addresses.key(address)
    if own is not None and addresses.key(own) == key:
        return True
    with store.read() as connection:
        return key in inbound.senders(connection, account_id)


def senders(store: Store, account_id: int) -> list[str]:
    """The other addresses that a person answers from."""
    with store.read() as connection:
        return inbound.senders(connection, account_id)


def add_sender(store: Store, account: Account, address: str, now: datetime) -> None:
    """From now on what comes from this address is that person's too. Raises Refused for what is no address.

    Nobody has to prove it: the one who owns the account says so, and our relay vouches for the sender of each mail.
    """
    key = addresses.key(addresses.clean(address))
    if account.email is not None and addresses.key(account.email) == key:
        raise Refused("same_address")
    with store.write() as connection:
        people.hold(connection, account.id)
        if len(inbound.senders(connection, account.id)) >= MOST_SENDERS:
            raise Refused("too_many_senders", most=MOST_SENDERS)
        inbound.add_sender(connection, account.id, key, now)


def drop_sender(store: Store, account_id: int, address: str) -> None:
    """Not from there any more."""
    if not address.isprintable():  # PostgreSQL takes no NUL, and no address has one
        return
    with store.write() as connection:
        inbound.drop_sender(connection, account_id, addresses.key(address))


def _inbound(row: Row[Any]) -> Inbound:
    return Inbound(row.id, row.token, row.sender, row.received_at, bytes(row.raw), row.attempts)
