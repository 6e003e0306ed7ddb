"""When tournaments are expected to be over."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Field

from bgmail.store.tables.base import Table


class TournamentForecastRow(Table, table=True):
    """What a running tournament was last expected to take: it is over about `finish_at`, seen from `made_at`.

    `finish_at` None = the forecast failed, and is made anew in its time."""

    __tablename__ = "tournament_forecast"
    tournament_id: str = Field(primary_key=True, foreign_key="tournament.id")
    finish_at: datetime | None = None
    made_at: datetime
