"""What was done lately in several matches at once, for lists."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import and_, bindparam, select

from bgmail.ledger.latest import Act
from bgmail.rules.side import Side
from bgmail.store.engine import Store
from bgmail.store.matches import action, match

BACK = 16
"""So many of the newest entries are looked at: two turns, each with a double, and a game that ends in between."""
ROLLS = frozenset({"roll", "opening_roll"})
TOLD = frozenset({"play", "double", "take", "resign", "decline_resignation"}) | ROLLS
_LATELY = (
    select(action.c.match_id, action.c.seat, action.c.kind, action.c.data)
    .select_from(
        match.join(action, and_(action.c.match_id == match.c.id, action.c.seq > match.c.head - BACK))
    )
    .where(match.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(action.c.match_id, action.c.seq)
)


def acts(store: Store, match_ids: Sequence[str]) -> dict[str, list[Act]]:
    """What was done in each of the matches lately, the oldest first, by one query."""
    if not match_ids:
        return {}
    with store.read() as connection:
        entries = connection.execute(_LATELY, {"ids": list(match_ids)}).all()
    found: dict[str, list[Any]] = {}
    for entry in entries:
        found.setdefault(entry.match_id, []).append(entry)
    return {match_id: _acts(log) for match_id, log in found.items()}


def _acts(log: Iterable[Any]) -> list[Act]:
    told: list[Act] = []
    dice: tuple[int, int] | None = None
    for entry in log:
        if entry.kind not in TOLD:
            continue
        data = json.loads(entry.data)
        if entry.kind in ROLLS:
            dice = (data["dice"][0], data["dice"][1])
        if entry.kind != "roll" and not (entry.kind == "opening_roll" and dice and dice[0] == dice[1]):
            told.append(Act(_side(entry, data), entry.kind, data, dice))
    return told


def _side(entry: Any, data: Mapping[str, Any]) -> Side | None:
    """Whose act it is; an opening roll is won by the higher die, the first being White's."""
    if entry.kind == "opening_roll":
        return Side.WHITE if data["dice"][0] > data["dice"][1] else Side.BLACK
    return Side.named(entry.seat) if entry.seat else None
