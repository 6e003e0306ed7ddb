"""Who looks at a page, and in which zone."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from flask import g

from bgmail.service.accounts import Account
from bgmail.web import boards
from bgmail.web.scene import Reader

UTC = ZoneInfo("UTC")


def signed_in() -> Account | None:
    """The account of the browser's session."""
    account: Account | None = g.get("account")
    return account


def zone_of(account: Account | None) -> ZoneInfo:
    """The zone that instants are told in; UTC for a stranger."""
    return ZoneInfo(account.time_zone) if account else UTC


def reader() -> Reader:
    """The one who asks for this page."""
    account = signed_in()
    return Reader(account.id if account else None, zone_of(account), boards.chosen())
