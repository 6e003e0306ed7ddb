"""The ways in: by password, by a mailed link, by a reset. Unknown people are answered like known ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row

from bgmail.service import addresses, names, passwords
from bgmail.service.accounts import Account, account_of, owe_proof
from bgmail.service.allowances import (
    LETTER_ADDRESS,
    LETTER_CLIENT,
    PASSWORD_ACCOUNT,
    SIGN_IN_CLIENT,
    SIGN_IN_NAME,
    SIGN_IN_NAME_DAILY,
    Claim,
    give_back,
    take,
)
from bgmail.service.errors import Refused
from bgmail.service.logins import Means, digest
from bgmail.service.notices import Kind, fact, owe
from bgmail.store import bounces, people
from bgmail.store.engine import Store

LINK_LIFETIME = timedelta(hours=2)
"""How long a mailed link lets somebody in: mail may take its time."""
MEMORY = timedelta(days=1)
"""How long a used link is remembered, well past its lifetime."""


@dataclass(frozen=True, slots=True)
class EntryClaim:
    """What a sign-in or reset link says: this account, unless everything was ended since."""

    account_id: int
    epoch: int

    @classmethod
    def read(cls, payload: Any) -> EntryClaim:
        """The claim in a token's payload. Raises Refused for anything else."""
        if isinstance(payload, list) and len(payload) == 2 and all(type(part) is int for part in payload):
            return cls(*payload)
        raise Refused("link_dead")

    def payload(self) -> list[int]:
        """What the letter's writer signs."""
        return [self.account_id, self.epoch]


def sign_in(store: Store, name: str, password: str, client: str, now: datetime) -> Account:
    """Who has this handle or proven address, and this password.

    Raises Refused("sign_in_failed") for anything else, after the same work, and TooOften.
    """
    name = name.strip()
    claims = sign_in_claims(name, client)
    take(store, claims, now)
    with store.read() as connection:
        row = _named(connection, name)
    if not passwords.matches(row.password_hash if row else None, password) or row is None:
        raise Refused("sign_in_failed")
    give_back(store, claims)
    if passwords.outdated(row.password_hash):
        with store.write() as connection:
            people.change(connection, row.id, password_hash=passwords.hashed(password))
    return _let_in(row)


def ask_for_link(store: Store, kind: Kind, address: str, client: str, now: datetime) -> None:
    """Owes a letter with a link of `kind` (SIGN_IN or RESET) to who has proven this address, if anybody has.

    The caller can't tell which. An address that only waits for its proof gets the letter that proves it.
    Raises Refused for what is no address, and TooOften, for known and unknown addresses alike.
    """
    address = addresses.clean(address)
    take(store, [(LETTER_CLIENT, client), (LETTER_ADDRESS, addresses.key(address))], now)
    with store.write() as connection:
        row = people.by_email(connection, addresses.key(address))
        if row is not None and account_of(row).active:
            owe(connection, [_link_fact(kind, row, now)])
        elif row is None:
            for waiting in people.waiting_for_proof(connection, address):
                owe_proof(connection, account_of(waiting), address, now)


def look(store: Store, claim: EntryClaim, token: str) -> Account:
    """Whom a link would let in, without using it. Raises Refused (link_dead, link_used, shut_out)."""
    with store.read() as connection:
        return _judge(connection, claim, token)


def enter_by_link(store: Store, claim: EntryClaim, token: str, now: datetime) -> Account:
    """Uses a sign-in link: it works once. Raises Refused as `look`."""
    with store.write() as connection:
        account = _judge(connection, claim, token)
        _spend(connection, token, now)
        _arrives(connection, account, now)
    return account


def reset(store: Store, claim: EntryClaim, token: str, password: str, now: datetime) -> Account:
    """Uses a reset link: a new password, and everything that let anybody in before is ended.

    Raises Refused as `look`, and for a password that can't be.
    """
    account = look(store, claim, token)
    passwords.judge(password, account.handle, account.email)
    hashed = passwords.hashed(password)
    with store.write() as connection:
        account = _judge(connection, claim, token)
        _spend(connection, token, now)
        _arrives(connection, account, now)
        people.change(connection, account.id, password_hash=hashed)
        for means in Means:
            people.end_logins(connection, account.id, means.value)
        people.next_epoch(connection, account.id)
    return account


def change_password(
    store: Store, account: Account, old: str, new: str, now: datetime, *, session_id: int
) -> None:
    """Sets or changes the password of who is signed in by `session_id`; their other sessions end.

    `old` isn't asked of somebody who has none. Raises Refused (wrong old, unfit new) and TooOften.
    """
    confirm_password(store, account, old, now)
    passwords.judge(new, account.handle, account.email)
    hashed = passwords.hashed(new)
    with store.write() as connection:
        people.change(connection, account.id, password_hash=hashed)
        people.end_logins(connection, account.id, Means.SESSION.value, but=session_id)
        people.next_epoch(connection, account.id)


def confirm_password(store: Store, account: Account, password: str, now: datetime) -> None:
    """Makes sure that the person at the keyboard knows the password, if there is one.

    Raises Refused("password_wrong") and TooOften.
    """
    with store.read() as connection:
        row = people.by_id(connection, account.id)
    if row is None or row.password_hash is None:
        return
    claims = [(PASSWORD_ACCOUNT, str(account.id))]
    take(store, claims, now)
    if not passwords.matches(row.password_hash, password):
        raise Refused("password_wrong")
    give_back(store, claims)


def sign_in_claims(name: str, client: str) -> Sequence[Claim]:
    """What one try to sign in counts against."""
    who = addresses.key(name) if "@" in name else names.handle_key(name)
    return [(SIGN_IN_NAME, who), (SIGN_IN_NAME_DAILY, who), (SIGN_IN_CLIENT, client)]


def _named(connection: Connection, name: str) -> Row[Any] | None:
    """The account of a typed handle or address."""
    if "@" not in name:
        row = people.by_handle(connection, names.handle_key(name))
        return row if row and names.same(row.handle, name) else None
    try:
        return people.by_email(connection, addresses.key(addresses.clean(name)))
    except Refused:
        return None


def _let_in(row: Row[Any]) -> Account:
    account = account_of(row)
    if not account.active:
        raise Refused("shut_out")
    return account


def _link_fact(kind: Kind, row: Row[Any], now: datetime) -> dict[str, Any]:
    claim = EntryClaim(row.id, row.epoch).payload()
    return fact(kind, now, account_id=row.id, address=row.email, which=now.isoformat(), data={"claim": claim})


def _judge(connection: Connection, claim: EntryClaim, token: str) -> Account:
    if people.was_spent(connection, digest(token)):
        raise Refused("link_used")
    row = people.by_id(connection, claim.account_id)
    if row is None:
        raise Refused("link_dead")
    account = _let_in(row)
    if account.epoch != claim.epoch:
        raise Refused("link_dead")
    return account


def _arrives(connection: Connection, account: Account, now: datetime) -> None:
    """Who opens a letter's link gets letters, whatever came back before."""
    if account.email is not None:
        bounces.start(connection, addresses.key(account.email), bounces.ALL, now)


def _spend(connection: Connection, token: str, now: datetime) -> None:
    if not people.spend(connection, digest(token), now + MEMORY):
        raise Refused("link_used")
