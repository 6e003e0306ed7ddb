"""What people are owed, what each channel still has to do for it, and what became of that."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, Index, Text, UniqueConstraint
from sqlmodel import Field

from bgmail.store.tables.base import Table, index_of_some


class NoticeRow(Table, table=True):
    """A fact owed to someone, written in the transaction that made it true.

    The unique key (person, match, address, kind, version, which) makes each fact once, and its order finds what
    is owed to a person about a match. `state` is "ready" until it is planned which channels tell it, then "planned",
    and in the end "sent" (by one of them at least), "gathered" (into a digest), "obsolete" or "failed". `due_at` is
    the instant before which no letter goes out: it means nothing to machines. Until `aside_until` one that made no
    sense holds up nobody.
    """

    __tablename__ = "notice"
    id: int | None = Field(default=None, primary_key=True)
    account_id: int | None = Field(default=None, foreign_key="account.id")
    address: str = ""  # for people without an account; the account's own address otherwise
    kind: str
    match_id: str = ""
    version: int = 0
    which: str = ""
    data: str = Field(default="{}", sa_column=Column(Text, nullable=False))
    state: str = "ready"
    created_at: datetime
    due_at: datetime | None
    aside_until: datetime | None = None
    __table_args__ = (
        UniqueConstraint(
            "account_id", "match_id", "address", "kind", "version", "which", name="uq_notice_fact"
        ),
        index_of_some(
            "uq_notice_fact_address",  # of people without an account each is another to the key above
            "address",
            "match_id",
            "kind",
            "version",
            "which",
            unique=True,
            where="account_id IS NULL",
        ),
        index_of_some("ix_notice_ready", "id", where="state = 'ready'"),
        Index("ix_notice_account_id_created_at_id", "account_id", "created_at", "id"),
    )


class ErrandRow(Table, table=True):
    """What one channel still has to do for a notice, or has done. `target` tells several of one person apart (0 = the
    one mailbox).

    `state` is "ready", "sent", "gathered", "obsolete" or "failed"; `due_at` is when it may next be tried (also while a
    sender has claimed it), None when it has ended. `asked`: its owner wants it sent once more, overtaken or not.
    `reason` is why it is obsolete; None where that was not written down.
    """

    __tablename__ = "errand"
    id: int | None = Field(default=None, primary_key=True)
    notice_id: int = Field(foreign_key="notice.id")
    channel: str
    target: int
    state: str = "ready"
    attempts: int = 0
    asked: bool = False
    created_at: datetime
    ended_at: datetime | None = None
    due_at: datetime | None
    reason: str | None = None
    __table_args__ = (
        UniqueConstraint("notice_id", "channel", "target"),
        index_of_some("ix_errand_due_at", "channel", "due_at", where="due_at IS NOT NULL"),
    )


class DeliveryRow(Table, table=True):
    """One attempt to bring a notice to its person by one channel, written before the attempt and completed after.

    `errand_id` is None for attempts older than errands.
    """

    __tablename__ = "delivery"
    id: int | None = Field(default=None, primary_key=True)
    notice_id: int = Field(foreign_key="notice.id", index=True)
    errand_id: int | None = Field(default=None, index=True)
    channel: str
    address: str
    message_id: str
    started_at: datetime = Field(index=True)
    ended_at: datetime | None = None
    outcome: str | None = None  # "sent" | "retry" | "refused" | "lost" | "returned"
    error: str = ""


class ReportRow(Table, table=True):
    """What somebody's mail server or provider reported of an attempt to bring a letter, each sort once."""

    __tablename__ = "report"
    id: int | None = Field(default=None, primary_key=True)
    delivery_id: int = Field(foreign_key="delivery.id")
    sort: str  # "failed" | "delayed" | "complaint"
    status: str = ""
    said: str = ""
    at: datetime = Field(index=True)
    __table_args__ = (UniqueConstraint("delivery_id", "sort"),)


class TroubleRow(Table, table=True):
    """Why letters don't go to an address: `about` is the kind that was complained about, "" = they come back.

    `stopped_at` is None once its owner wants them again, since `again_at`. The row is of the address: another one of
    the same person is in no trouble.
    """

    __tablename__ = "trouble"
    address_key: str = Field(primary_key=True)
    about: str = Field(primary_key=True)
    address: str
    status: str = ""
    said: str = ""
    stopped_at: datetime | None = None
    again_at: datetime | None = None


class ChoiceRow(Table, table=True):
    """How a person wants to be told of one kind of notice by one channel; who has no row gets it at once."""

    __tablename__ = "choice"
    account_id: int = Field(primary_key=True, foreign_key="account.id")
    kind: str = Field(primary_key=True)
    channel: str = Field(primary_key=True)
    mode: str  # "now" | "absence" | "digest" | "off"


class HoursRow(Table, table=True):
    """When a person doesn't want to be woken, and when the daily digest comes: minutes of the day in their zone.

    `quiet_from` and `quiet_to` are both None for no quiet hours.
    """

    __tablename__ = "hours"
    account_id: int = Field(primary_key=True, foreign_key="account.id")
    quiet_from: int | None = None
    quiet_to: int | None = None
    digest_at: int
