"""Mails that came in, and the other addresses that somebody may answer from."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, Index, LargeBinary, UniqueConstraint
from sqlmodel import Field

from bgmail.store.tables.base import Table, index_of_some


class InboundRow(Table, table=True):
    """A mail that our receiver has accepted for one address of ours, as it came.

    One mail and address is kept once (`digest` is of its bytes). `match_id` is what the address is for: while such a
    mail waits, the time of that match isn't called. `due_at` is when it may next be handled, None once it was, and
    `outcome` what came of it then; its bytes go with that. `fingerprint`, of the mail as its writer made it and of the
    address, makes sure that copies act once.
    """

    __tablename__ = "inbound"
    id: int | None = Field(default=None, primary_key=True)
    digest: str
    token: str
    match_id: str
    sender: str | None = None
    received_at: datetime
    raw: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    attempts: int = 0
    due_at: datetime | None
    outcome: str = ""
    fingerprint: str | None = Field(default=None, unique=True)
    __table_args__ = (
        UniqueConstraint("digest", "token"),
        Index("ix_inbound_received_at", "received_at"),
        *(
            index_of_some(f"ix_inbound_{column}", column, where="due_at IS NOT NULL")
            for column in ("due_at", "match_id")
        ),
    )


class SenderRow(Table, table=True):
    """Another address that somebody answers from, besides the one their letters go to."""

    __tablename__ = "sender"
    account_id: int = Field(primary_key=True, foreign_key="account.id")
    address_key: str = Field(primary_key=True)
    at: datetime
