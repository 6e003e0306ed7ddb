"""How strong people are, and what each rated match did to that."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index
from sqlmodel import Field

from bgmail.store.tables.base import Table, index_of_some


class RatingRow(Table, table=True):
    """Somebody's rating at a pace ("correspondence" or "live") after the last match that counted, at `rated_at`; who
    has no row has none. The deviation has grown since: `bgmail.rating.grown`.

    `listed_until` is when the rating becomes too old or too unsure for the list, None where it is that already.
    """

    __tablename__ = "rating"
    account_id: int = Field(primary_key=True, foreign_key="account.id")
    pace: str = Field(primary_key=True)
    value: float
    deviation: float
    volatility: float
    won: int
    lost: int
    level: int
    rated_at: datetime
    listed_until: datetime | None = None
    __table_args__ = (
        index_of_some("ix_rating_listed", "pace", "value", "account_id", where="listed_until IS NOT NULL"),
    )


class RatingChangeRow(Table, table=True):
    """What one finished match that was played for the rating did to both, or why it did nothing.

    It is written with the end of the match, `due`, and filled in by the job. `reason` is "" where the match counts,
    None before it was looked at. `score` is White's: 1, 0.5 or 0. `weight` is the length that it weighs by, `on_time`
    the seat that lost on time. The `before` are the values before, all else is as the match left it; the counts are
    of matches that counted, this one among them. `revised_at` is when any of it changed after it had been known.
    """

    __tablename__ = "rating_change"
    match_id: str = Field(primary_key=True, foreign_key="match.id")
    pace: str
    finished_at: datetime
    white_id: int = Field(foreign_key="account.id")
    black_id: int = Field(foreign_key="account.id")
    due: bool = True
    reason: str | None = None
    on_time: str | None = None
    score: float | None = None
    weight: int | None = None
    white_before: float | None = None
    white_value: float | None = None
    white_deviation: float | None = None
    white_volatility: float | None = None
    white_won: int | None = None
    white_lost: int | None = None
    white_level: int | None = None
    black_before: float | None = None
    black_value: float | None = None
    black_deviation: float | None = None
    black_volatility: float | None = None
    black_won: int | None = None
    black_lost: int | None = None
    black_level: int | None = None
    made_at: datetime | None = None
    revised_at: datetime | None = None
    __table_args__ = (
        Index("ix_rating_change_white", "white_id", "pace", "finished_at", "match_id"),
        Index("ix_rating_change_black", "black_id", "pace", "finished_at", "match_id"),
        index_of_some("ix_rating_change_due", "finished_at", "match_id", where="due"),
    )
