"""What people want done for them: standing orders, and replies prepared for what an opponent may do."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, Text
from sqlmodel import Field

from bgmail.store.tables.base import Table


class StandingOrderRow(Table, table=True):
    """What somebody ordered for all matches (`match_id` "") or for one; None = as for all, or as it is by default.

    `most_a_day` 0 = any number. `answer` ("take", "pass") is for the next double alone. `day` and `turns` count the
    turns played for them in this match; `unfit` is the version at which prepared replies no longer fitted.
    """

    __tablename__ = "standing_order"
    account_id: int = Field(primary_key=True, foreign_key="account.id")
    match_id: str = Field(primary_key=True)
    auto_roll: bool | None = None
    bear_off: bool | None = None
    shut_out: bool | None = None
    most_a_day: int | None = None
    answer: str | None = None
    double_on_dance: bool = False
    day: str = ""
    turns: int = 0
    unfit: int = 0


class PreparedReplyRow(Table, table=True):
    """A reply kept ready: `steps` (JSON) are what has still to happen from `version` on, and the reply last."""

    __tablename__ = "prepared_reply"
    id: int | None = Field(default=None, primary_key=True)
    match_id: str = Field(foreign_key="match.id", index=True)
    account_id: int = Field(foreign_key="account.id", index=True)
    version: int
    steps: str = Field(sa_column=Column(Text, nullable=False))
    at: datetime
