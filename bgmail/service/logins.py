"""Sessions of a browser and personal tokens for programs. Only the SHA-256 of a secret is kept."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import Row

from bgmail.service.accounts import Account, account_of
from bgmail.service.board_preferences import BoardPreference
from bgmail.service.errors import NotFound, Refused, by_the_way
from bgmail.store import feeds, people, ties
from bgmail.store.engine import Store

IDLE = timedelta(days=60)
LONGEST = timedelta(days=365)
FRESH = timedelta(minutes=10)
"""How often a use is noted: not each request is a write."""
MOST_TOKENS = 50
MOST_NAME = 80
TOKEN_PREFIX = "bgm_"


class Means(StrEnum):
    """What lets somebody in."""

    SESSION = "session"
    TOKEN = "api"


@dataclass(frozen=True, slots=True)
class Login:
    """One session or token, without its secret."""

    id: int
    name: str
    created_at: datetime
    used_at: datetime
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class Entered:
    """Who came in, and by which session or token. `board`: how they want boards, None where they never chose.

    `troubled`: something keeps letters from their address.
    """

    account: Account
    login_id: int
    board: BoardPreference | None = None
    troubled: bool = False


def new_secret() -> str:
    """A secret that nobody can guess: 256 bits, safe in a cookie, a header and an address."""
    return secrets.token_urlsafe(32)


def open_session(store: Store, account_id: int, name: str, secret: str, now: datetime) -> None:
    """Lets the browser that holds `secret` in: idle for 60 days at most, a year in all.

    `name` says which browser it is. Raises Refused for an account that is shut out.
    """
    _open(store, account_id, Means.SESSION, secret, _row(_tidy(name), now, now + LONGEST))


def by_session(store: Store, secret: str, now: datetime) -> Entered | None:
    """Whose session it is; None when it ended, ran out, or its owner is shut out."""
    return _enter(store, Means.SESSION, secret, now)


def sessions(store: Store, account_id: int, now: datetime) -> list[Login]:
    """The sessions that still let somebody in, the latest used first."""
    return [login for login in _list(store, account_id, Means.SESSION) if _alive(login, Means.SESSION, now)]


def end_session(store: Store, account_id: int, login_id: int) -> None:
    """Ends one session of this person. Raises NotFound."""
    _end(store, account_id, Means.SESSION, login_id)


def sign_out(store: Store, secret: str) -> None:
    """Ends the session of the browser that holds `secret`."""
    with store.write() as connection:
        people.end_digest(connection, digest(secret))


def sign_out_everywhere(store: Store, account_id: int) -> None:
    """Ends all that lets anybody in as this person: sessions, tokens, mailed links to sign in or reset.

    Tokens and the address of the feeds too, because this is what one presses when somebody else may have been inside.
    """
    with store.write() as connection:
        for means in Means:
            people.end_logins(connection, account_id, means.value)
        feeds.drop(connection, account_id)
        people.next_epoch(connection, account_id)


def create_token(store: Store, account_id: int, name: str, now: datetime) -> str:
    """A new personal token for programs, told this once. Raises Refused (name, too many, shut out)."""
    name = _tidy(name)
    if not name:
        raise Refused("token_name")
    token = TOKEN_PREFIX + new_secret()
    _open(store, account_id, Means.TOKEN, token, _row(name, now, None))
    return token


def by_token(store: Store, token: str, now: datetime) -> Account | None:
    """Whose token it is; None when it was revoked or its owner is shut out."""
    entered = _enter(store, Means.TOKEN, token, now)
    return entered.account if entered else None


def tokens(store: Store, account_id: int) -> list[Login]:
    """The tokens of a person, the latest used first."""
    return _list(store, account_id, Means.TOKEN)


def revoke_token(store: Store, account_id: int, login_id: int) -> None:
    """Ends one token of this person. Raises NotFound."""
    _end(store, account_id, Means.TOKEN, login_id)


def forget_past(store: Store, now: datetime) -> int:
    """Deletes sessions that ran out, used links past their time, limits whose window ended; how many rows."""
    with store.write() as connection:
        return people.forget_past(connection, now)


def digest(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _row(name: str, now: datetime, end: datetime | None) -> dict[str, Any]:
    return {"name": name, "created_at": now, "used_at": now, "expires_at": end}


def _open(store: Store, account_id: int, means: Means, secret: str, row: dict[str, Any]) -> None:
    whose = {"account_id": account_id, "kind": means.value, "digest": digest(secret)}
    with store.write() as connection:
        owner = ties.locked(connection, [account_id]).get(account_id)
        if owner is None or not account_of(owner).active:
            raise Refused("shut_out")
        if means is Means.TOKEN and len(people.logins(connection, account_id, means.value)) >= MOST_TOKENS:
            raise Refused("too_many_tokens", most=MOST_TOKENS)
        people.add_login(connection, row | whose)


def _enter(store: Store, means: Means, secret: str, now: datetime) -> Entered | None:
    with store.read() as connection:
        row = people.by_digest(connection, means.value, digest(secret))
    if row is None:
        return None
    account = account_of(row)
    if not account.active or not _alive(row, means, now):
        return None
    if now - row.used_at >= FRESH:
        _note_use(store, means, row.login_id, account.id, now)
    if means is not Means.SESSION:
        return Entered(account, row.login_id)
    return Entered(account, row.login_id, BoardPreference.of(row), bool(row.troubled))


def _note_use(store: Store, means: Means, login_id: int, account_id: int, now: datetime) -> None:
    with by_the_way("the use of a login"), store.write() as connection:
        people.touch_login(connection, login_id, now)
        if means is Means.SESSION:  # a program that uses a token is nobody who looks
            people.seen(connection, account_id, now)


def _alive(login: Login | Row[Any], means: Means, now: datetime) -> bool:
    if means is Means.SESSION and now - login.used_at >= IDLE:
        return False
    return login.expires_at is None or now < login.expires_at


def _list(store: Store, account_id: int, means: Means) -> list[Login]:
    with store.read() as connection:
        rows = people.logins(connection, account_id, means.value)
    return [Login(row.id, row.name, row.created_at, row.used_at, row.expires_at) for row in rows]


def _end(store: Store, account_id: int, means: Means, login_id: int) -> None:
    with store.write() as connection:
        if not people.end_login(connection, account_id, means.value, login_id):
            raise NotFound("no_login")


def _tidy(name: str) -> str:
    """A name without control characters, not longer than a line."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in name).split())[:MOST_NAME]
