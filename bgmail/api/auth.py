"""Who asks: a personal token in the Authorization header, or a browser's session with proof that our own
page sent it.
"""

from __future__ import annotations

from dataclasses import dataclass

from flask import current_app, g, request
from flask_wtf.csrf import ValidationError  # type: ignore[import-untyped]

from bgmail import forms
from bgmail.api.limits import Buckets
from bgmail.api.problems import NoFormToken, SignInNeeded, TooMany
from bgmail.service import logins
from bgmail.service.accounts import Account
from bgmail.world import world

LONGEST_TOKEN = 200
CSRF_HEADER = "X-CSRFToken"
SAFE = ("GET", "HEAD", "OPTIONS")
_REVOKED = "This token is not valid: it may have been revoked. Make a new one in your settings."


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who may use the API."""

    account: Account

    @property
    def account_id(self) -> int:
        return self.account.id


def admit() -> Caller:
    """Who asks. Raises SignInNeeded, or TooMany when they ask too often."""
    header: str | None = request.environ.get("HTTP_AUTHORIZATION")
    account = _session() if header is None else _token(header)
    buckets: Buckets = current_app.extensions["bgmail.api.buckets"]
    wait = buckets.take(account.id if header is None else hash(header))
    if wait:
        raise TooMany(wait)
    g.api_caller = admitted = Caller(account)
    return admitted


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
        raise SignInNeeded("bad_token", _REVOKED)
    return account


def _session() -> Account:
    """The person whose browser asks. That the request is same-origin was checked before any view."""
    account: Account | None = g.get("account")
    if account is None:
        raise SignInNeeded("no_token", "Send a personal token: Authorization: Bearer TOKEN.")
    if request.method not in SAFE:
        try:
            forms.check(request.headers.get(CSRF_HEADER))
        except ValidationError as error:
            raise NoFormToken from error
    return account
