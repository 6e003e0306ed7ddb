"""A match as the service sees it: the state of play, its clock, and the two people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Generic, TypeVar

import orjson
from sqlalchemy import RowMapping

from bgmail import timing
from bgmail.rules.match import Match
from bgmail.rules.side import Side
from bgmail.rules.snapshot import from_data, to_data
from bgmail.timing import NO_RESTS, Pauses, Rests
from bgmail.timing import calendar as calendars
from bgmail.timing import clock as clocks
from bgmail.timing import rests as all_rests
from bgmail.timing.outages import Outage, parsed, spans

MOST_KNOWN = 1000
"""Matches that a process has in mind."""

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who sits in a match. `weekly` is the calendar of their account, as it is kept there; `rests`: a vacation
    may hold a deadline of theirs."""

    id: int
    handle: str
    is_bot: bool = False
    weekly: str | None = field(default=None, compare=False, repr=False)
    rests: bool = field(default=False, compare=False, repr=False)

    @property
    def calendar(self) -> timing.Calendar:
        """When their clock should stand still; a match takes it over when a turn of theirs begins."""
        return calendars.from_json(orjson.loads(self.weekly)) if self.weekly else timing.NO_CALENDAR


@dataclass(frozen=True, slots=True)
class MatchView:
    """One match at one head of its log. A seat is None until somebody takes it, and in imported matches.

    `ordered` changes with what is ordered for this match alone (0 = nothing ever was), and `has_orders` tells that
    one of the two gave orders, for this match or for all: neither says whose they are. `tournament` is the id of the
    one that it belongs to.
    """

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
    ordered: int = 0
    has_orders: bool = False
    rests: Rests = NO_RESTS
    outages: tuple[Outage, ...] = ()
    tournament: str | None = None

    def at(self, now: datetime) -> MatchView:
        """The match as it stands at an instant: somebody's time may have run out since it was written."""
        match = self.match
        if match.late or not match.rules.claimed or match.on_turn is None or self.deadline_at is None:
            return self
        return replace(self, match=replace(match, late=True)) if now >= self.deadline_at else self

    def pauses(self, side: int) -> Pauses:
        """What doesn't count for a side."""
        return self.rests.pauses(side, spans(self.outages))

    @property
    def running_pauses(self) -> Pauses:
        """What doesn't count for the side whose clock runs; nothing where none does."""
        return self.rests.running(self.clock.on, spans(self.outages))

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


class _Known(Generic[Value]):
    """What texts of rows mean, by the text: whoever wrote a match or read it lately reads it again without parsing.

    Values are frozen and follow from the text alone, so nothing here can be out of date.
    """

    def __init__(self, parse: Callable[[str], Value]) -> None:
        self._parse = parse
        self._values: dict[str, Value] = {}

    def of(self, text: str) -> Value:
        """What a text means."""
        value = self._values.get(text)
        if value is None:
            value = self._parse(text)
            self.learn(text, value)
        return value

    def learn(self, text: str, value: Value) -> None:
        """The meaning of a text that was written just now."""
        if len(self._values) >= MOST_KNOWN:
            self._values.clear()
        self._values[text] = value


def view_of(row: RowMapping | Mapping[str, Any]) -> MatchView:
    """The view of a row of `bgmail.store.matches`. Its deadline is right, also where an outage was noted after it was
    stored."""
    clock, rests = clock_of(row["clock"])
    outages = parsed(row["outages"])
    end = row["deadline_at"]
    if end is not None and clock.since is not None and any(outage.end > clock.since for outage in outages):
        end = timing.deadline(clock, rests.running(clock.on, spans(outages)))
    return MatchView(
        id=row["id"],
        match=_MATCHES.of(row["state"]),
        clock=clock,
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
        deadline_at=end,
        due_at=row["due_at"],
        rests=rests,
        ordered=row["orders"],
        has_orders=bool(row["orders"] or row["white_orders"] or row["black_orders"]),
        outages=outages,
        tournament=row["tournament_id"],
    )


def clock_of(kept: str) -> tuple[timing.Clock, Rests]:
    """The clock and the rests of a row's `clock`."""
    return _CLOCKS.of(kept)


def _match(kept: str) -> Match:
    return from_data(orjson.loads(kept))


def _clock(kept: str) -> tuple[timing.Clock, Rests]:
    data = orjson.loads(kept)
    return clocks.from_json(data), all_rests.from_json(data.get("rests"))


_MATCHES, _CLOCKS = _Known(_match), _Known(_clock)


def clock_data(clock: timing.Clock, rests: Rests) -> dict[str, Any]:
    """What a row's `clock` holds; a match without rests is kept as it was before there were any."""
    data, kept = clocks.to_json(clock), all_rests.to_json(rests)
    return {**data, "rests": kept} if kept else data


def _person(row: RowMapping | Mapping[str, Any], seat: str) -> Person | None:
    if row[f"{seat}_id"] is None:
        return None
    return Person(
        id=row[f"{seat}_id"],
        handle=row[f"{seat}_handle"],
        is_bot=bool(row[f"{seat}_bot"]),
        weekly=row[f"{seat}_calendar"],
        rests=bool(row[f"{seat}_rests"]),
    )


def cached(match: Match, clock: timing.Clock, rests: Rests = NO_RESTS) -> dict[str, Any]:
    """The columns of a row that follow from match, clock and rests."""
    result = match.result
    state, time = orjson.dumps(to_data(match)).decode(), orjson.dumps(clock_data(clock, rests)).decode()
    _MATCHES.learn(state, match)
    _CLOCKS.learn(time, (clock, rests))
    return {
        "phase": match.phase.value,
        "on_turn": None if match.on_turn is None else int(match.on_turn),
        "state": state,
        "clock": time,
        "winner": None if result is None or result.winner is None else int(result.winner),
        "ending": None if result is None else result.ending.value,
    }
