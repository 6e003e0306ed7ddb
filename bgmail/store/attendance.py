"""Rows of who is at the board."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, delete, func, select, update

from bgmail.store.matches import action, match, table
from bgmail.store.tables import AttendanceRow
from bgmail.store.upserts import put

_row = table(AttendanceRow)


def seen_at(connection: Connection, match_id: str, side: int) -> datetime | None:
    """When a side was last heard of; None = never."""
    here = select(_row.c.seen_at).where(_row.c.match_id == match_id, _row.c.side == side)
    found: datetime | None = connection.scalar(here)
    return found


def note(connection: Connection, match_id: str, side: int, now: datetime, leaves_at: datetime | None) -> None:
    """A side is heard of now."""
    values = {"match_id": match_id, "side": side, "seen_at": now, "leaves_at": leaves_at}
    put(connection, _row, values)


def absent(connection: Connection, now: datetime, most: int) -> Sequence[tuple[str, int, datetime]]:
    """Matches in which the side on turn may have been away for too long, that side, and when it was last heard of."""
    gone = (
        select(_row.c.match_id, _row.c.side, _row.c.seen_at)
        .join(match, match.c.id == _row.c.match_id)
        .where(_row.c.leaves_at.is_not(None), _row.c.leaves_at <= now, match.c.on_turn == _row.c.side)
        .order_by(_row.c.leaves_at)
        .limit(most)
    )
    return [(row.match_id, row.side, row.seen_at) for row in connection.execute(gone)]


def put_off(connection: Connection, match_id: str, side: int, until: datetime | None) -> None:
    """Looks at an absence again later, or not any more."""
    mine = (_row.c.match_id == match_id, _row.c.side == side)
    connection.execute(update(_row).where(*mine).values(leaves_at=until))


def times_given(connection: Connection, match_id: str, needle: str) -> int:
    """How many `pause` entries of a log hold a piece of text in their data."""
    given = select(func.count()).where(
        action.c.match_id == match_id,
        action.c.kind == "pause",
        action.c.data.contains(needle, autoescape=True),
    )
    return connection.scalar(given) or 0


def forget_ended(connection: Connection) -> int:
    """Drops the rows of matches that are over; how many."""
    over = select(match.c.id).where(match.c.id == _row.c.match_id, match.c.finished_at.is_not(None))
    return connection.execute(delete(_row).where(over.exists())).rowcount
