"""What a match's log tells to those who look back: its entries without secrets, and where somebody left off."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, or_, select

from bgmail.store.engine import Store
from bgmail.store.matches import action, table
from bgmail.store.tables import VisitRow

UNTOLD = ("commit", "reveal")
"""What belongs to the proof of the dice and changes nothing on the board."""
FRAME = ("invite", "opening_roll", "double", "take", "game_over")
"""What score and cube follow from."""
_visit = table(VisitRow)
_TOLD = (
    select(action.c.seq, action.c.at, action.c.seat, action.c.via, action.c.kind, action.c.data)
    .where(
        action.c.match_id == bindparam("id"),
        action.c.kind.not_in(UNTOLD),
        or_(action.c.seq > bindparam("after"), action.c.kind.in_(FRAME)),
    )
    .order_by(action.c.seq)
)
_SEEN = select(_visit.c.seq).where(
    _visit.c.match_id == bindparam("id"), _visit.c.account_id == bindparam("who")
)


@dataclass(frozen=True, slots=True)
class Told:
    """One entry of a log, as far as it is told."""

    seq: int
    at: int
    seat: str | None
    via: str
    kind: str
    data: Mapping[str, Any]


def told(store: Store, match_id: str, after: int = 0) -> list[Told]:
    """The entries of a match, in order, by one query; up to `after` only those that score and cube follow from."""
    with store.read() as connection:
        rows = connection.execute(_TOLD, {"id": match_id, "after": after}).all()
    return [Told(row.seq, row.at, row.seat, row.via, row.kind, json.loads(row.data)) for row in rows]


def seen(store: Store, match_id: str, account_id: int) -> int | None:
    """Up to which entry somebody has seen a match on its page; None where they never did."""
    with store.read() as connection:
        return connection.scalar(_SEEN, {"id": match_id, "who": account_id})
