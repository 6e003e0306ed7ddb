"""Series of tournaments: leagues with their members, and knockouts that reopen when they are full."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, Text
from sqlmodel import Field

from bgmail.store.tables.base import Table, index_of_some


class SeriesRow(Table, table=True):
    """One series. `kind` is "league" or "standing"; `plan`, `conditions` and `digest` are those of each of its
    tournaments.

    `size` is how many play in a division, or in each knockout; `moves` how many go up and down between two divisions;
    with fewer than `least` members no season begins, nor before `starts_at`. `season` counts those that have begun (0 =
    none). `ended_at`: no other one begins. `rests_until`: the last try failed. `key` makes it safe to ask for one
    twice, and `body_digest` tells what was asked for.
    """

    __tablename__ = "series"
    id: int | None = Field(default=None, primary_key=True)
    kind: str
    name: str
    plan: str = Field(sa_column=Column(Text, nullable=False))
    conditions: str = Field(sa_column=Column(Text, nullable=False))
    digest: str
    size: int
    moves: int = 0
    least: int = 2
    starts_at: datetime | None = None
    season: int = 0
    created_by: int = Field(foreign_key="account.id")
    created_at: datetime
    ended_at: datetime | None = None
    rests_until: datetime | None = None
    key: str | None = None
    body_digest: str | None = None
    __table_args__ = (
        index_of_some("ix_series_goes_on", "id", where="ended_at IS NULL"),
        index_of_some("ix_series_key", "created_by", "key", where="key IS NOT NULL", unique=True),
    )


class MemberRow(Table, table=True):
    """Somebody who plays the seasons of a league until they leave it at `left_at`. `digest` is that of the conditions
    that they confirmed; `played` the last season that they were in, 0 = none yet."""

    __tablename__ = "series_member"
    series_id: int = Field(primary_key=True, foreign_key="series.id")
    account_id: int = Field(primary_key=True, foreign_key="account.id", index=True)
    digest: str
    joined_at: datetime
    left_at: datetime | None = None
    played: int = 0
    __table_args__ = ({"sqlite_with_rowid": False},)
