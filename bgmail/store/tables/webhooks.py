"""The tables of webhooks: where somebody wants to be told, and how the calls there went."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, Index, Text
from sqlmodel import Field

from bgmail.store.tables import metadata
from bgmail.store.tables.base import Table

__all__ = ["WebhookCallRow", "WebhookRow", "metadata"]


class WebhookRow(Table, table=True):
    """An address that events are sent to. `events` are their names with blanks between; `match_id` None = all matches.

    `state` is "on", "paused" by its owner, or switched off by us as "gone" or "failing". Calls are signed by `secret`,
    until `old_until` by `old_secret` too. `failing_since` is the first failure since the last call that was taken,
    `given_up` counts what was given up since. `busy_until`: a call is under way, so no other one is made.
    """

    __tablename__ = "webhook"
    id: int | None = Field(default=None, primary_key=True)
    account_id: int = Field(foreign_key="account.id", index=True)
    name: str = ""
    url: str
    host: str
    flavour: str
    events: str
    match_id: str | None = None
    secret: str
    old_secret: str | None = None
    old_until: datetime | None = None
    state: str = "on"
    created_at: datetime
    failing_since: datetime | None = None
    given_up: int = 0
    last_at: datetime | None = None
    taken_at: datetime | None = None
    busy_until: datetime | None = None


class WebhookCallRow(Table, table=True):
    """One call as its owner may look at it: what was sent, how it went ("taken" or why not), what was answered.

    `seconds` is how long it took, `status` None where there was no answer. Only the latest calls are kept.
    """

    __tablename__ = "webhook_call"
    id: int | None = Field(default=None, primary_key=True)
    webhook_id: int = Field(foreign_key="webhook.id")
    errand_id: int
    message_id: str
    event: str
    at: datetime
    seconds: float
    outcome: str
    status: int | None = None
    sent: str = Field(sa_column=Column(Text, nullable=False))
    answered: str = Field(default="", sa_column=Column(Text, nullable=False))
    __table_args__ = (Index("ix_webhook_call_webhook_id_id", "webhook_id", "id"),)
