"""The tables of push: the browsers that are told, and the key that our messages to them are signed by."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, LargeBinary
from sqlmodel import Field

from bgmail.store.tables.base import Table


class BrowserRow(Table, table=True):
    """A browser that wants to be told. Its push service takes messages at `endpoint`, sealed for `point` and `auth`.

    It belongs to the session of that browser (`login_id`) and ends with it: nobody is told in a browser that is signed
    out. `sent_at` is the last message that was taken, `failing_since` the first failure after it, with what was said
    last; until `rests_until` its service is left alone.
    """

    __tablename__ = "browser"
    id: int | None = Field(default=None, primary_key=True)
    account_id: int = Field(foreign_key="account.id", index=True)
    login_id: int = Field(foreign_key="login.id", ondelete="CASCADE", unique=True)
    endpoint: str = Field(unique=True)
    point: str
    auth: str
    name: str = ""
    created_at: datetime
    sent_at: datetime | None = None
    failing_since: datetime | None = None
    said: str = ""
    rests_until: datetime | None = None


class PushKeyRow(Table, table=True):
    """The private key of this installation, in the one row 1. Browsers subscribe to it, so it stays with them."""

    __tablename__ = "push_key"
    id: int = Field(primary_key=True)
    key: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    made_at: datetime
