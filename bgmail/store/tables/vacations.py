"""The times in which somebody's clocks stand still because they said so."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field

from bgmail.store.tables.base import Table, index_of_some


class VacationRow(Table, table=True):
    """One vacation, planned, going on or past. It lasts from `from_at` up to `until_at`: to where its owner wants it to
    end (`wished_until`; None = open-ended), or to where the balance of the year does, counted in `zone`.

    `automatic`: it began by itself, at a deadline. `with_play`: its owner's next play ends it. `ended_at` is set once
    it is over, and known to be. Whatever the logs of matches have to be told makes another `wave`; `told` is the last
    one that is in all of them. `key` and `body_digest` make the wish for it safe to repeat.
    """

    __tablename__ = "vacation"
    id: int | None = Field(default=None, primary_key=True)
    account_id: int = Field(foreign_key="account.id")
    from_at: datetime
    until_at: datetime
    wished_until: datetime | None = None
    zone: str
    automatic: bool = False
    with_play: bool = False
    made_at: datetime
    ended_at: datetime | None = None
    wave: int = 1
    told: int = 0
    key: str | None = None
    body_digest: str | None = None
    __table_args__ = (
        UniqueConstraint("account_id", "key"),
        Index("ix_vacation_account_id_from_at", "account_id", "from_at"),
        index_of_some("ix_vacation_until_at", "until_at", where="ended_at IS NULL"),
        index_of_some("ix_vacation_untold", "id", where="told < wave"),
    )
