"""What a log adds up to, match and clock together: every entry is judged again, nothing is believed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bgmail import timing
from bgmail.ledger.entry import Entry
from bgmail.ledger.replay import SILENT, ReplayError, fold
from bgmail.rules.action import Kind
from bgmail.rules.match import Match
from bgmail.service.clocks import clock_after
from bgmail.timing import control as controls

KEEPS_CLOCK = SILENT | {"game_over", "match_over"}


@dataclass(frozen=True, slots=True)
class Retelling:
    """The match and its clock after the last entry; `rolls` are those of the current game."""

    match: Match
    clock: timing.Clock
    rolls: int
    rated: bool


def retell(entries: Iterable[Entry]) -> Retelling:
    """Reads a log from its invitation on. Raises ReplayError where an entry contradicts rules or clock.

    Raises ValueError for an empty log.
    """
    told: Retelling | None = None
    for entry in entries:
        try:
            told = _next(told, entry)
        except (timing.WrongClockState, KeyError, TypeError) as error:
            raise ReplayError(entry.seq, str(error)) from error
    if told is None:
        raise ValueError("the log is empty")
    return told


def credited(clock: timing.Clock, start: int, end: int) -> timing.Clock:
    """The clock when the time between two instants (microseconds) does not count for the side on the clock."""
    if clock.since is None:
        return clock
    lost = max(0, end - max(start, timing.to_microseconds(clock.since)))
    return replace(clock, since=timing.from_microseconds(timing.to_microseconds(clock.since) + lost))


def _next(told: Retelling | None, entry: Entry) -> Retelling:
    if told is None:
        return _first(entry)
    match = fold(told.match, entry)
    clock, rolls = told.clock, told.rolls
    if entry.kind in ("roll", "opening_roll"):
        rolls += 1
    elif entry.kind == "game_over":
        rolls = 0
    if entry.kind == "pause":
        clock = credited(clock, entry.data["from"], entry.data["until"])
    elif entry.kind not in KEEPS_CLOCK:
        clock = clock_after(
            clock, Kind(entry.kind), told.match, match, timing.from_microseconds(entry.at), entry.via
        )
    return Retelling(match, clock, rolls, told.rated)


def _first(entry: Entry) -> Retelling:
    match = fold(None, entry)
    try:
        control = controls.from_json(entry.data["time"])
        rated = bool(entry.data["rated"])
    except (KeyError, TypeError, ValueError) as error:
        raise ReplayError(entry.seq, str(error)) from error
    return Retelling(match, timing.Clock.start(control), 0, rated)
