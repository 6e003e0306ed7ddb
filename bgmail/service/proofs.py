"""Proof that an address is somebody's: a new account's first address, and a change to another one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.exc import IntegrityError

from bgmail.service import addresses
from bgmail.service.accounts import Account, account_of, by_id, owe_proof
from bgmail.service.allowances import LETTER_ADDRESS, LETTER_CLIENT, take
from bgmail.service.entrance import confirm_password
from bgmail.service.errors import Forbidden, Refused
from bgmail.service.notices import Kind, fact, owe
from bgmail.store import bounces, people
from bgmail.store.engine import Store

PROOF_LIFETIME = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class AddressClaim:
    """What a verification link says: who opens it reads the mail of `address`."""

    account_id: int
    address: str

    @classmethod
    def read(cls, payload: Any) -> AddressClaim:
        """The claim in a token's payload. Raises Refused for anything else."""
        match payload:
            case [int() as account_id, str() as address]:
                return cls(account_id, address)
        raise Refused("link_dead")


def look(store: Store, claim: AddressClaim) -> tuple[Account, bool]:
    """The account that a link speaks of, and whether the address is proven already.

    Raises Refused("link_dead") when the account has moved on to another address, or is shut out.
    """
    with store.read() as connection:
        row = people.by_id(connection, claim.account_id)
    if row is None:
        raise Refused("link_dead")
    account = account_of(row)
    if not account.active:
        raise Refused("shut_out")
    if claim.address not in (account.email, account.new_email):
        raise Refused("link_dead")
    return account, account.new_email != claim.address


def prove(store: Store, claim: AddressClaim, now: datetime, *, signed_in: int | None = None) -> Account:
    """Gives the account its proven address; a second time changes nothing.

    An account that had another address moves only while its owner is `signed_in` (an account id), and the old
    address is told. Raises Refused (link_dead, address_taken), Forbidden("sign_in_first").
    """
    account, proven = look(store, claim)
    if proven:
        return account
    if account.email is not None and signed_in != account.id:
        raise Forbidden("sign_in_first")
    try:
        with store.write() as connection:
            people.prove(connection, account.id, claim.address, addresses.key(claim.address), now)
            bounces.forget(connection, addresses.key(claim.address))
            if account.email is not None:
                owe(connection, [_farewell(account, account.email, claim.address, now)])
                people.next_epoch(connection, account.id)
    except IntegrityError as error:
        raise Refused("address_taken") from error
    return by_id(store, account.id)


def propose(
    store: Store, account: Account, address: str, password: str, now: datetime, *, client: str
) -> str:
    """Asks for a proof of a new address, which counts once it is proven; returns it as it will be written to.

    Raises Refused (no address, the present one, wrong password) and TooOften.
    """
    address = addresses.clean(address)
    if account.email is not None and addresses.key(account.email) == addresses.key(address):
        raise Refused("same_address")
    confirm_password(store, account, password, now)
    _owe_letter(store, account, address, client, now)
    return address


def ask_again(store: Store, account: Account, client: str, now: datetime) -> None:
    """Sends the letter with the proof once more. Raises Refused (nothing to prove) and TooOften."""
    if account.new_email is None:
        raise Refused("nothing_to_prove")
    _owe_letter(store, account, account.new_email, client, now)


def withdraw(store: Store, account: Account) -> None:
    """Keeps the proven address: the proposed one's link is dead. Raises Refused when there is no other."""
    if account.email is None:
        raise Refused("only_address")
    with store.write() as connection:
        people.change(connection, account.id, new_email=None)


def _owe_letter(store: Store, account: Account, address: str, client: str, now: datetime) -> None:
    take(store, [(LETTER_CLIENT, client), (LETTER_ADDRESS, addresses.key(address))], now)
    with store.write() as connection:
        people.change(connection, account.id, new_email=address)
        owe_proof(connection, account, address, now)


def _farewell(account: Account, old: str, new: str, now: datetime) -> dict[str, Any]:
    data = {"old": old, "new": new}
    which = now.isoformat()
    return fact(Kind.ADDRESS_CHANGED, now, account_id=account.id, address=old, which=which, data=data)
