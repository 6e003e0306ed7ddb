"""The statements on forecasts of tournaments."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, or_, select
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite

from bgmail.store.matches import table
from bgmail.store.tables import TournamentForecastRow
from bgmail.store.tournaments import tournament

forecast = table(TournamentForecastRow)
_INSERT: dict[str, Any] = {"sqlite": insert_sqlite, "postgresql": insert_postgresql}


def due(connection: Connection, before: datetime) -> str | None:
    """A running tournament without a forecast, or with one from before that instant."""
    found: str | None = connection.scalar(
        select(tournament.c.id)
        .join(forecast, forecast.c.tournament_id == tournament.c.id, isouter=True)
        .where(
            tournament.c.state == "running", or_(forecast.c.made_at.is_(None), forecast.c.made_at <= before)
        )
        .order_by(tournament.c.created_at)
        .limit(1)
    )
    return found


def keep(connection: Connection, tournament_id: str, finish_at: datetime | None, now: datetime) -> None:
    """Writes a forecast down, over the one there is; None = there was none to be made."""
    values = {"finish_at": finish_at, "made_at": now}
    written = _INSERT[connection.dialect.name](forecast).values(tournament_id=tournament_id, **values)
    connection.execute(written.on_conflict_do_update(index_elements=["tournament_id"], set_=values))


def of(connection: Connection, tournament_id: str) -> datetime | None:
    """When a tournament is expected to be over; None where nobody knows."""
    found: datetime | None = connection.scalar(
        select(forecast.c.finish_at).where(forecast.c.tournament_id == tournament_id)
    )
    return found
