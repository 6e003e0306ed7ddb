"""The times in which the service was away."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import UniqueConstraint
from sqlmodel import Field

from bgmail.store.tables.base import Table, index_of_some


class OutageRow(Table, table=True):
    """A span that counts in no match. Rows are added, never changed or deleted, but for `renewed_to`: the last match
    whose stored deadline was renewed for it ("" = none yet, None = all of them were).

    `why` is "down", "mail" or "restored"; one span a reason begins at one instant, so that of several processes that
    note it one does. `told` is all of it as one text, which matches read along with their own row.
    """

    __tablename__ = "outage"
    id: int | None = Field(default=None, primary_key=True)
    why: str
    from_at: datetime
    until_at: datetime
    noted_at: datetime
    told: str
    renewed_to: str | None = ""
    __table_args__ = (
        UniqueConstraint("why", "from_at"),
        index_of_some("ix_outage_to_renew", "id", where="renewed_to IS NOT NULL"),
    )
