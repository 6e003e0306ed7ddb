"""Whether the person at the keyboard is the account's owner, before something that can't be taken back."""

from __future__ import annotations

from datetime import datetime, timedelta

from bgmail.service import logins
from bgmail.service.accounts import Account
from bgmail.service.entrance import confirm_password
from bgmail.service.errors import Refused
from bgmail.store.engine import Store

FRESH = timedelta(minutes=30)
"""So long after coming in by a mailed link somebody without a password is believed to read that mailbox."""


def came_in_lately(store: Store, account: Account, login_id: int | None, now: datetime) -> bool:
    """Whether this session has just been opened."""
    sessions = logins.sessions(store, account.id, now)
    return any(one.id == login_id and now - one.created_at < FRESH for one in sessions)


def confirm(store: Store, account: Account, login_id: int | None, password: str, now: datetime) -> None:
    """Asks for the password, or of somebody who has none for a session that a mailed link opened a moment ago.

    Raises Refused (password_wrong, sign_in_again) and TooOften.
    """
    if account.has_password:
        confirm_password(store, account, password, now)
    elif not came_in_lately(store, account, login_id, now):
        raise Refused("sign_in_again")
