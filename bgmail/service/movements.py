"""Which of a person's matches moved lately, for those who watch."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bgmail.rules.side import Side
from bgmail.store import movements
from bgmail.store.engine import Store


@dataclass(frozen=True, slots=True)
class Movement:
    """A match with news: what it was after its last entry, made at `moved_at`."""

    id: str
    version: int
    head: int
    phase: str
    on_turn: Side | None
    moved_at: datetime


def moved_since(store: Store, account_id: int, since: datetime) -> list[Movement]:
    """The matches of a person with an entry after an instant, the oldest first."""
    with store.read() as connection:
        rows = movements.moved_since(connection, account_id, since)
    return [
        Movement(
            row.id,
            row.version,
            row.head,
            row.phase,
            None if row.on_turn is None else Side(row.on_turn),
            row.moved_at,
        )
        for row in rows
    ]
