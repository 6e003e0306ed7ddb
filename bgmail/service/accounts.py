"""Accounts: who somebody is, and how an account comes about and ends."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection, Row
from sqlalchemy.exc import IntegrityError

from bgmail.phrases.languages import ENGLISH, LANGUAGES
from bgmail.service import addresses, names, passwords
from bgmail.service.allowances import (
    INVITATION_ACCOUNT,
    INVITATION_ADDRESS,
    LETTER_ADDRESS,
    LETTER_CLIENT,
    take,
)
from bgmail.service.errors import Forbidden, NotFound, Refused
from bgmail.service.notices import Kind, fact, owe
from bgmail.store import bounces, people
from bgmail.store.engine import Store


@dataclass(frozen=True, slots=True)
class Account:
    """A person as the rest of the program sees one.

    `email` is proven; `new_email` waits for its proof, and is all that a new account has. `epoch` is what a
    mailed link that lets somebody in must name.
    """

    id: int
    handle: str
    email: str | None
    new_email: str | None
    has_password: bool
    time_zone: str
    locale: str
    is_bot: bool
    is_staff: bool
    created_at: datetime
    epoch: int
    active: bool

    @property
    def verified(self) -> bool:
        """Whether letters can reach this person: an address is proven."""
        return self.email is not None


@dataclass(frozen=True, slots=True)
class Application:
    """What somebody who signs up says, as typed. `time_zone` is the browser's guess, `locale` the page's."""

    handle: str
    email: str
    password: str = field(repr=False)
    time_zone: str = "UTC"
    locale: str = ENGLISH


def account_of(row: Row[Any]) -> Account:
    """The account of a row of `bgmail.store.people`."""
    return Account(
        id=row.id,
        handle=row.handle,
        email=row.email,
        new_email=row.new_email,
        has_password=row.password_hash is not None,
        time_zone=row.time_zone,
        locale=row.locale,
        is_bot=row.is_bot,
        is_staff=row.is_staff,
        created_at=row.created_at,
        epoch=row.epoch,
        active=row.banned_at is None and row.closed_at is None,
    )


def by_id(store: Store, account_id: int) -> Account:
    """Raises NotFound."""
    return _found(store, lambda connection: people.by_id(connection, account_id))


def by_handle(store: Store, handle: str) -> Account:
    """The account of that name, in any case; a look-alike of the name is not it. Raises NotFound."""
    found = _found(store, lambda connection: people.by_handle(connection, names.handle_key(handle)), handle)
    if not names.same(found.handle, handle):
        raise NotFound("no_such_person", handle=handle)
    return found


def by_email(store: Store, address: str) -> Account:
    """The account that has proven this address. Raises NotFound."""
    return _found(store, lambda connection: people.by_email(connection, addresses.key(address)))


def require_active(store: Store, account_id: int) -> Account:
    """The account; raises Forbidden("shut_out") for one that is banned or closed, NotFound for none."""
    account = by_id(store, account_id)
    if not account.active:
        raise Forbidden("shut_out")
    return account


def allow_letter_to(store: Store, account: Account, address: str, now: datetime) -> None:
    """Lets somebody invite an address by mail: a stranger's mailbox isn't written to by just anybody, or often.

    Raises Refused("unverified") for who has no proven address, Refused("email_returned") where letters to it come back,
    and TooOften.
    """
    if not account.verified:
        raise Refused("unverified")
    with store.read() as connection:
        if bounces.is_stopped(connection, addresses.key(address)):
            raise Refused("email_returned", address=addresses.shown(address))
    take(store, [(INVITATION_ACCOUNT, str(account.id)), (INVITATION_ADDRESS, addresses.key(address))], now)


def sign_up(store: Store, wish: Application, client: str, now: datetime) -> Account:
    """Makes an account whose address is still to be proven, and owes the letter that proves it.

    An address that belongs to somebody already gets a letter that says so instead: the answer is the same
    for both, so it tells a stranger nothing. Raises Refused (handle, address, password) and TooOften.
    """
    handle, email = names.clean(wish.handle), addresses.clean(wish.email)
    names.refuse_reserved(handle)
    passwords.judge(wish.password, handle, email)
    _refuse_taken(store, handle)
    take(store, [(LETTER_CLIENT, client), (LETTER_ADDRESS, addresses.key(email))], now)
    values = _values(handle, now, wish.time_zone, wish.locale)
    values |= {"password_hash": passwords.hashed(wish.password), "new_email": email}
    with store.write() as connection:
        account = _add(connection, values)
        owe_proof(connection, account, email, now)
    return account


def create(
    store: Store, handle: str, email: str | None, password: str | None, now: datetime, *, is_bot: bool = False
) -> Account:
    """Makes an account on an operator's word: the address counts as proven.

    Reserved names and short passwords are allowed. Raises Refused (handle, address, password).
    """
    values = _values(names.clean(handle), now) | {"is_bot": is_bot}
    if email is not None:
        values |= _proven(addresses.clean(email), now)
    if password is not None:
        passwords.check(password)
        values["password_hash"] = passwords.hashed(password)
    with store.write() as connection:
        return _add(connection, values)


def join(
    store: Store, handle: str, email: str, now: datetime, *, time_zone: str = "UTC", locale: str = ENGLISH
) -> Account:
    """Makes an account without a password for someone who opened a letter sent to `email`.

    Raises Refused ("address_taken" when somebody has proven that address: they have to sign in).
    """
    handle, email = names.clean(handle), addresses.clean(email)
    names.refuse_reserved(handle)
    with store.write() as connection:
        bounces.forget(connection, addresses.key(email))
        return _add(connection, _values(handle, now, time_zone, locale) | _proven(email, now))


def owe_proof(connection: Connection, account: Account, address: str, now: datetime) -> None:
    """Owes the letter that lets its reader prove `address`, or tells its owner who they are here already."""
    owner = people.by_email(connection, addresses.key(address))
    if owner is None:
        claim = [account.id, address]
        owed = fact(Kind.VERIFY, now, account_id=account.id, address=address, data={"claim": claim})
    else:
        tried = {"tried": account.handle}
        owed = fact(Kind.ALREADY_MEMBER, now, account_id=owner.id, address=address, data=tried)
    owe(connection, [owed | {"which": now.isoformat()}])


def ban(store: Store, account_id: int, now: datetime) -> None:
    """Shuts a person out: sessions, tokens and mailed links are dead from the next request on.

    Matches and offers are ended by `bgmail.service.departures`, by the scheduler if need be.
    """
    with store.write() as connection:
        people.change(connection, account_id, banned_at=now, leaving_at=now)
        people.end_logins(connection, account_id, "session")
        people.end_logins(connection, account_id, "api")
        people.next_epoch(connection, account_id)


def unban(store: Store, account_id: int) -> None:
    """Lets a person sign in again; what ended stays ended."""
    with store.write() as connection:
        people.change(connection, account_id, banned_at=None, leaving_at=None)


def set_staff(store: Store, account_id: int, *, is_staff: bool) -> None:
    """Lets a person see how the installation fares, or no more."""
    with store.write() as connection:
        people.change(connection, account_id, is_staff=is_staff)


def set_time_zone(store: Store, account_id: int, name: str) -> None:
    """Raises Refused for a zone that nobody knows."""
    if name not in time_zones():
        raise Refused("time_zone", zone=name)
    with store.write() as connection:
        people.change(connection, account_id, time_zone=name)


def set_language(store: Store, account_id: int, code: str) -> None:
    """The language of a person's pages and letters. Raises Refused for one that isn't spoken here."""
    if code not in LANGUAGES:
        raise Refused("language", language=code)
    with store.write() as connection:
        people.change(connection, account_id, locale=code)


@cache
def time_zones() -> tuple[str, ...]:
    """The zones of the IANA data base that people live in, and UTC, in order."""
    areas = ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian")
    known = zoneinfo.available_timezones()
    return ("UTC", *sorted(zone for zone in known if zone.startswith((*areas, "Pacific")) and "/" in zone))


def _found(store: Store, find: Callable[[Connection], Row[Any] | None], handle: str = "") -> Account:
    with store.read() as connection:
        row = find(connection)
    if row is None:
        raise NotFound("no_such_person", handle=handle)
    return account_of(row)


def _refuse_taken(store: Store, handle: str) -> None:
    with store.read() as connection:
        if people.by_handle(connection, names.handle_key(handle)) is not None:
            raise Refused("handle_taken", handle=handle)


def _values(handle: str, now: datetime, time_zone: str = "UTC", locale: str = ENGLISH) -> dict[str, Any]:
    zone = time_zone if time_zone in time_zones() else "UTC"
    key = names.handle_key(handle)
    return {"handle": handle, "handle_key": key, "created_at": now, "time_zone": zone, "locale": locale}


def _proven(email: str, now: datetime) -> dict[str, Any]:
    return {"email": email, "email_key": addresses.key(email), "email_verified_at": now}


def _add(connection: Connection, values: dict[str, Any]) -> Account:
    """Two at once may want one name or address: the database decides."""
    try:
        with connection.begin_nested():
            account_id = people.add(connection, values)
    except IntegrityError as error:
        if people.by_handle(connection, values["handle_key"]) is not None:
            raise Refused("handle_taken", handle=values["handle"]) from error
        raise Refused("address_taken") from error
    row = people.by_id(connection, account_id)
    if row is None:
        raise NotFound("no_such_person", handle=values["handle"])
    return account_of(row)
