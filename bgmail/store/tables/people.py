"""Accounts, how they come in, what they choose for their board, and whom they follow, mute or block."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, Index, Text
from sqlmodel import Field

from bgmail.store.tables.base import Table, index_of_some


class AccountRow(Table, table=True):
    """A person (or a marked machine). `handle_key` and `email_key` are the folded forms that must be unique.

    `email` is an address that its owner has proven; `new_email` is one that waits for its proof. `epoch` counts
    up when everything that lets people in is ended: mailed links carry it and die with it. `leaving_at` is set while
    the matches and offers of somebody shut out are still to be ended; `most_matches` (None = any number) is how many
    matches somebody wants at a time. `auto_vacation`: a vacation begins by itself when their time runs out; `rests`:
    a vacation may hold a deadline of theirs, so there is something to look up before time is called. `calendar` is the
    JSON of `bgmail.timing.calendar`, None = no weekend and no night, and `calendar_at` when it was last changed.
    `orders` tells that there are standing orders for all matches. A closed account keeps its `handle_key`: nobody else
    gets the name.
    """

    __tablename__ = "account"
    id: int | None = Field(default=None, primary_key=True)
    handle: str
    handle_key: str = Field(unique=True)
    email: str | None = None
    email_key: str | None = Field(default=None, unique=True)
    email_verified_at: datetime | None = None
    new_email: str | None = None
    epoch: int = 0
    password_hash: str | None = None
    time_zone: str = "UTC"
    locale: str = "en"
    is_bot: bool = False
    is_staff: bool = False
    created_at: datetime
    seen_at: datetime | None = None
    banned_at: datetime | None = None
    closed_at: datetime | None = None
    leaving_at: datetime | None = None
    most_matches: int | None = None
    auto_vacation: bool = False
    rests: bool = False
    calendar: str | None = Field(default=None, sa_column=Column(Text, nullable=True))
    calendar_at: datetime | None = None
    orders: bool = False
    __table_args__ = (
        index_of_some("ix_account_leaving_at", "leaving_at", where="leaving_at IS NOT NULL"),
        Index("ix_account_handle_look", "handle_key", postgresql_ops={"handle_key": "text_pattern_ops"}),
    )


class LoginRow(Table, table=True):
    """A session of the browser or a personal API token: only the SHA-256 of the secret is kept."""

    __tablename__ = "login"
    id: int | None = Field(default=None, primary_key=True)
    account_id: int = Field(foreign_key="account.id", index=True)
    kind: str  # "session" | "api"
    digest: str = Field(unique=True)
    name: str = ""
    created_at: datetime
    used_at: datetime
    expires_at: datetime | None = None


class BoardPreferenceRow(Table, table=True):
    """How a person wants boards; who has no row has chosen nothing. `bgmail.service.board_preferences` says what."""

    __tablename__ = "board_preference"
    account_id: int = Field(primary_key=True, foreign_key="account.id")
    theme: str
    checkers: str
    home_left: bool
    home_top: bool
    upright: str
    numbers: bool
    pips: bool
    motion: bool
    click: str
    ask_double: bool
    ask_take: bool
    ask_pass: bool


class FeedRow(Table, table=True):
    """The secret address under which programs read somebody's turns: `mark` is what is signed in it.

    Another mark makes another address, and the one before is dead.
    """

    __tablename__ = "feed"
    account_id: int = Field(primary_key=True, foreign_key="account.id")
    mark: str
    made_at: datetime
    read_at: datetime | None = None


class TieRow(Table, table=True):
    """What one person wants of another: "follow", "mute" or "block". Nobody but `account_id` gets to know."""

    __tablename__ = "tie"
    account_id: int = Field(primary_key=True, foreign_key="account.id")
    kind: str = Field(primary_key=True)
    other_id: int = Field(primary_key=True, foreign_key="account.id", index=True)
    at: datetime


class SpentRow(Table, table=True):
    """A signed link that works once (reset, sign-in, address check), remembered until it would expire anyway."""

    __tablename__ = "spent"
    digest: str = Field(primary_key=True)
    expires_at: datetime
