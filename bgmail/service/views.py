"""A match as the service sees it: the state of play, its clock, and the two people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
from sqlalchemy import RowMapping

from bgmail import timing
from bgmail.rules.match import Match
from bgmail.rules.side import Side
from bgmail.rules.snapshot import from_data, to_data
from bgmail.timing import clock as clocks


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who sits in a match."""

    id: int
    handle: str
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class MatchView:
    """One match at one head of its log. A seat is None until somebody takes it, and in imported matches."""

    id: str
    match: Match
    clock: timing.Clock
    version: int
    head: int
    head_hash: str
    rolls: int
    white: Person | None
    black: Person | None
    rated: bool
    imported: bool
    created_at: datetime
    started_at: datetime | None
    moved_at: datetime
    finished_at: datetime | None
    deadline_at: datetime | None
    due_at: datetime | None

    @property
    def rules_name(self) -> str:
        return self.match.rules.name

    def person(self, side: Side) -> Person | None:
        """Who sits there."""
        return self.white if side is Side.WHITE else self.black

    def side_of(self, account_id: int | None) -> Side | None:
        """The seat of an account; None for everybody else."""
        if self.white and self.white.id == account_id:
            return Side.WHITE
        return Side.BLACK if self.black and self.black.id == account_id else None


def view_of(row: RowMapping | Mapping[str, Any]) -> MatchView:
    """The view of a row of `bgmail.store.matches`."""
    return MatchView(
        id=row["id"],
        match=from_data(orjson.loads(row["state"])),
        clock=clocks.from_json(orjson.loads(row["clock"])),
        version=row["version"],
        head=row["head"],
        head_hash=row["head_hash"],
        rolls=row["rolls"],
        white=_person(row, "white"),
        black=_person(row, "black"),
        rated=row["rated"],
        imported=row["imported"],
        created_at=row["created_at"],
        started_at=row["started_at"],
        moved_at=row["moved_at"],
        finished_at=row["finished_at"],
        deadline_at=row["deadline_at"],
        due_at=row["due_at"],
    )


def _person(row: RowMapping | Mapping[str, Any], seat: str) -> Person | None:
    if row[f"{seat}_id"] is None:
        return None
    return Person(row[f"{seat}_id"], row[f"{seat}_handle"], bool(row[f"{seat}_bot"]))


def cached(match: Match, clock: timing.Clock) -> dict[str, Any]:
    """The columns of a row that follow from match and clock."""
    result = match.result
    return {
        "phase": match.phase.value,
        "on_turn": None if match.on_turn is None else int(match.on_turn),
        "state": orjson.dumps(to_data(match)).decode(),
        "clock": orjson.dumps(clocks.to_json(clock)).decode(),
        "winner": None if result is None or result.winner is None else int(result.winner),
        "ending": None if result is None else result.ending.value,
    }
