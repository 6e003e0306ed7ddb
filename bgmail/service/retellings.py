"""What a log adds up to, match and clock together: every entry is judged again, nothing is believed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from bgmail import timing
from bgmail.ledger.entry import Entry
from bgmail.ledger.replay import ReplayError, fold, is_silent
from bgmail.rules.action import Kind
from bgmail.rules.match import Match
from bgmail.service.clocks import begins_turn, clock_after
from bgmail.service.pausing import after_pause
from bgmail.timing import Pauses, Rests
from bgmail.timing import control as controls
from bgmail.timing import rests as all_rests
from bgmail.timing.outages import Outage, known_at

KEEPS_CLOCK = frozenset({"game_over", "match_over"})
KNOWN = "known"
"""In the data of an entry: until when outages had been noted that it was judged with, where one of them was noted
after the instant from which it counts."""


@dataclass(frozen=True, slots=True)
class Retelling:
    """The match, its clock and its rests after the last entry; `rolls` are those of the current game."""

    match: Match
    clock: timing.Clock
    rests: Rests
    rolls: int
    rated: bool
    outages: tuple[Outage, ...] = ()
    tournament: str | None = None

    def running_pauses(self, at: datetime) -> Pauses:
        """What doesn't count, as far as it was known at an instant, for the side whose clock runs; nothing where none
        does."""
        return self.rests.running(self.clock.on, known_at(self.outages, at))


def retell(entries: Iterable[Entry], outages: tuple[Outage, ...] = ()) -> Retelling:
    """Reads a log from its invitation on, on a server that was away in those times. Raises ReplayError where an entry
    contradicts rules or clock.

    Raises ValueError for an empty log.
    """
    told: Retelling | None = None
    for entry in entries:
        try:
            told = _next(told, entry) if told else _first(entry, outages)
        except (timing.WrongClockState, LookupError, OverflowError, TypeError) as error:
            raise ReplayError(entry.seq, str(error)) from error
    if told is None:
        raise ValueError("the log is empty")
    return told


def _next(told: Retelling, entry: Entry) -> Retelling:
    match = fold(told.match, entry)
    clock, rests, rolls = told.clock, told.rests, told.rolls
    if entry.kind in ("roll", "opening_roll"):
        rolls += 1
    elif entry.kind == "game_over":
        rolls = 0
    if entry.kind == "pause":
        clock, rests = after_pause(clock, rests, entry.data)
    elif entry.kind not in KEEPS_CLOCK and not is_silent(entry):
        kind, at = Kind(entry.kind), timing.from_microseconds(entry.at)
        known = timing.from_microseconds(entry.data.get(KNOWN, entry.at))
        clock = clock_after(clock, kind, told.match, match, at, entry.via, told.running_pauses(known))
        if begins_turn(kind, clock):
            rests = rests.from_turn(at)
    return replace(told, match=match, clock=clock, rests=rests, rolls=rolls)


def _first(entry: Entry, outages: tuple[Outage, ...]) -> Retelling:
    match = fold(None, entry)
    try:
        control = controls.from_json(entry.data["time"])
        allowed = all_rests.allowed_from_json(entry.data.get("pauses"))
        rated = bool(entry.data["rated"])
    except (KeyError, TypeError, ValueError) as error:
        raise ReplayError(entry.seq, str(error)) from error
    tournament = entry.data.get("tournament")
    clock = timing.Clock.start(control)
    return Retelling(match, clock, Rests(allowed), 0, rated, outages, tournament)
