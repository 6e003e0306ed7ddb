"""Which of a person's matches moved lately."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Connection, Row, bindparam, or_, select

from bgmail.store.matches import match

_MOVED = (
    select(match.c.id, match.c.version, match.c.head, match.c.phase, match.c.on_turn, match.c.moved_at)
    .where(
        or_(match.c.white_id == bindparam("person"), match.c.black_id == bindparam("person")),
        match.c.moved_at > bindparam("since"),
    )
    .order_by(match.c.moved_at, match.c.id)
)


def moved_since(connection: Connection, account_id: int, since: datetime) -> Sequence[Row[Any]]:
    """The matches of a person with an entry after an instant, the oldest first."""
    rows = connection.execute(_MOVED, {"person": account_id, "since": since}).all()
    return cast(Sequence[Row[Any]], rows)
