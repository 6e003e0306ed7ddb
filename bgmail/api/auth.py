"""Who asks: a personal token in the Authorization header, or a browser's session with proof that our own
page sent it.
"""

from __future__ import annotations

from dataclasses import dataclass

from flask import current_app, g, request

from bgmail.api.limits import Buckets
from bgmail.api.problems import SignInNeeded, TooMany
from bgmail.service import logins
from bgmail.service.accounts import Account
from bgmail.world import world

LONGEST_TOKEN = 200
_BAD_TOKEN = "This token is not valid: it may have been revoked. Make a new one in your settings."  # noqa:
S105


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who may use the API."""

    account: Account

    @property
    def account_id(self) -> int:
        return self.account.id


def admit() -> Caller:
    """Who asks. Raises SignInNeeded, or TooMany when they ask too often."""
    header = request.headers.get("Authorization")
    account = _session() if header is None else _token(header)
    buckets: Buckets = current_app.extensions["bgmail.api.buckets"]
    wait = buckets.take(account.id)
    if wait:
        raise TooMany(wait)
    g.api_caller = Caller(account)
    return caller()


def caller() -> Caller:
    """Who was admitted to this request."""
    admitted: Caller = g.api_caller
    return admitted


def _token(header: str) -> Account:
    scheme, _, token = header.partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token:
        raise SignInNeeded("bad_authorization", "Send the header Authorization: Bearer TOKEN.")
    here = world()
    account = logins.by_token(here.store, token, here.now()) if len(token) <= LONGEST_TOKEN else None
    if account is None:
        raise SignInNeeded("bad_token", _BAD_TOKEN)
    return account


def _session() -> Account:
    raise SignInNeeded("no_token", "Send a personal token: Authorization: Bearer TOKEN.")
