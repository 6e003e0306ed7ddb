"""The clock of one running match: whose time runs, what it costs at the end of a turn, and what is left.

Pure: every instant is an argument. Banks and used time are integers of microseconds, so sums are exact and a
clock survives a row unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal, cast

from bgmail.timing.control import UNTIMED, TimeControl
from bgmail.timing.control import from_json as control_from_json
from bgmail.timing.control import to_json as control_to_json
from bgmail.timing.instants import MICROSECOND, SECOND, from_microseconds, to_microseconds, utc
from bgmail.timing.pauses import NO_PAUSES, Pause, Pauses

Side = Literal[0, 1]
WHITE: Side = 0
BLACK: Side = 1


class WrongClockState(RuntimeError):
    """A step that does not fit what the clock is doing, such as an answer where nobody was asked."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Everything about time that a running match needs.

    `banks` are White's and Black's, in microseconds, as they stood at the start of the turn: time used in a
    turn is taken from a bank when the turn ends. `turn` is the side whose turn it is and `on` the side whose
    time runs; they differ while an answer is awaited, both are None while the clock is stopped. `since` is
    the start of the running segment, `used` what `turn` used in its earlier segments of this turn. `gifts` are the
    microseconds that each side was given by the other for its present turn or answer, on top of its own time.

    Each step returns a new clock. `pauses` are those of the side whose segment the step ends. An instant
    before the segment's start (a host clock that stepped back) counts as no time.
    """

    control: TimeControl
    banks: tuple[int, int]
    turn: Side | None = None
    on: Side | None = None
    since: datetime | None = None
    used: int = 0
    gifts: tuple[int, int] = (0, 0)

    @classmethod
    def start(cls, control: TimeControl) -> Clock:
        """A stopped clock with full banks, before the first turn."""
        return cls(control, (control.bank * SECOND, control.bank * SECOND))

    @property
    def answering(self) -> bool:
        """Whether the running segment is an answer to a double or a resignation."""
        return self.on is not None and self.on != self.turn

    def start_turn(self, side: Side, at: datetime) -> Clock:
        """A turn begins, with its fresh allowance. The clock must be stopped (`end_turn` stops it)."""
        if self.on is not None:
            raise WrongClockState("a turn is running already")
        return Clock(self.control, self.banks, side, side, utc(at))

    def ask(self, at: datetime, pauses: Pauses = NO_PAUSES) -> Clock:
        """The side on turn offers a double or its resignation: its time stands still, the opponent's answer
        begins."""
        on, since = self._running(answering=False)
        used = self.used + _microseconds(pauses.elapsed(since, at))
        return replace(self, on=_other(on), since=utc(at), used=used)

    def answered(self, at: datetime, pauses: Pauses = NO_PAUSES) -> Clock:
        """The answer is charged and the same turn goes on with what was left of it."""
        on, since = self._running(answering=True)
        spent = _microseconds(pauses.elapsed(since, at))
        banks = self._charged(on, spent, _allowance(self))
        return replace(self, banks=banks, on=self.turn, since=utc(at), gifts=_with(self.gifts, on, 0))

    def end_turn(self, at: datetime, pauses: Pauses = NO_PAUSES, *, earned: bool = True) -> Clock:
        """The turn is over: charge it, add the increment if it was `earned`, and stop.

        An automatic play earns nothing; neither does a turn that ended without a play.
        """
        on, since = self._running(answering=False)
        spent = self.used + _microseconds(pauses.elapsed(since, at))
        return Clock(self.control, self._charged(on, spent, _allowance(self), earned=earned))

    def stop(self, at: datetime, pauses: Pauses = NO_PAUSES) -> Clock:
        """The game or the match is over: time used so far is charged, nothing is earned, nothing runs.

        A stopped clock stays as it is.
        """
        if self.on is None:
            return self
        clock = self.answered(at, pauses) if self.answering else self
        return clock.end_turn(at, pauses, earned=False)

    def lapse(self, at: datetime, pauses: Pauses = NO_PAUSES) -> Clock:
        """Time ran out and the match goes on (a game lost, a double passed): stop, and leave the side that
        let it lapse one increment at least."""
        on = self.on
        if on is None:
            raise WrongClockState("no clock is running")
        clock = self.stop(at, pauses)
        floor = max(clock.banks[on], self.control.increment * SECOND)
        return replace(clock, banks=_with(clock.banks, on, floor))

    def give(self, side: Side, microseconds: int) -> Clock:
        """The side on the clock gets more time of its own for its present turn or answer; nothing of it is kept."""
        if self.on != side:
            raise WrongClockState("time is given to the side whose clock runs")
        return replace(self, gifts=_with(self.gifts, side, self.gifts[side] + microseconds))

    def regain(self, side: Side, microseconds: int) -> Clock:
        """A side gets back a part of the bank that it lost while it was cut off."""
        return replace(self, banks=_with(self.banks, side, self.banks[side] + microseconds))

    def free(self) -> Clock:
        """The same without a clock: both sides have agreed to that."""
        return Clock(UNTIMED, (0, 0), self.turn, self.on, self.since)

    def refill(self) -> Clock:
        """Both banks as at the start, for rule sets whose bank lasts one game. The clock must be stopped."""
        if self.on is not None:
            raise WrongClockState("a bank is filled between games")
        return replace(self, banks=Clock.start(self.control).banks)

    def _running(self, *, answering: bool) -> tuple[Side, datetime]:
        if self.on is None or self.since is None:
            raise WrongClockState("no clock is running")
        if self.answering != answering:
            raise WrongClockState("an answer is awaited" if self.answering else "nobody was asked")
        return self.on, self.since

    def _charged(self, side: Side, spent: int, allowance: int, *, earned: bool = False) -> tuple[int, int]:
        """Both banks then. The one formula: bank = min(max(cap, bank before), max(0, bank - overrun) + increment)."""
        before, increment = self.banks[side], self.control.increment * SECOND
        after = max(0, before - max(0, spent - allowance)) + (increment if earned else 0)
        if self.control.cap is not None:
            after = min(max(self.control.cap * SECOND, before), after)
        if spent >= allowance + before:
            after = max(
                after, increment
            )  # it came late and still stands: a lapse that leaves the match running
        return _with(self.banks, side, after)


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """What one side has left: own time of the turn (or answer) and the bank behind it.

    None where no clock runs: both in an untimed match, `turn` in a stopped one.
    """

    turn: timedelta | None
    bank: timedelta | None


def deadline(clock: Clock, pauses: Pauses = NO_PAUSES) -> datetime | None:
    """The instant at which the side on the clock has lost on time; None while nobody can.

    `pauses` are those of the side on the clock. It is late from this instant on (at >= deadline).
    """
    if clock.on is None or clock.since is None or clock.control.untimed:
        return None
    remaining = _allowance(clock) + clock.banks[clock.on] - _used(clock)
    return pauses.advance(clock.since, max(0, remaining) * MICROSECOND)


def bank_starts(clock: Clock, pauses: Pauses = NO_PAUSES) -> datetime | None:
    """The instant from which the bank is used; the segment's start where the bank runs from there on.

    None while no clock runs and for a side whose bank is empty.
    """
    if clock.on is None or clock.since is None or clock.control.untimed or not clock.banks[clock.on]:
        return None
    return pauses.advance(clock.since, max(0, _allowance(clock) - _used(clock)) * MICROSECOND)


def left(clock: Clock, at: datetime, pauses: Pauses = NO_PAUSES) -> tuple[TimeLeft, TimeLeft]:
    """What White and Black have left at an instant; a side off the clock has the fresh allowance of its
    next turn, the side that waits for an answer what is left of its own."""
    return _left(clock, WHITE, at, pauses), _left(clock, BLACK, at, pauses)


def paused(clock: Clock, at: datetime, pauses: Pauses = NO_PAUSES) -> Pause | None:
    """Why the running clock stands still at an instant, and until when; None where it runs, and where none can.

    `pauses` are those of the side on the clock.
    """
    if clock.on is None or clock.control.untimed:
        return None
    return pauses.at(at)


def clocks_json(clock: Clock, at: datetime, pauses: Pauses = NO_PAUSES) -> dict[str, object]:
    """The `clocks` of the API: whole seconds, rounded down so that nobody is promised more than there is."""
    white, black = left(clock, at, pauses)
    control, rest = clock.control, paused(clock, at, pauses)
    return {
        "white": {"bank": _seconds(white.bank), "turn_left": _seconds(white.turn)},
        "black": {"bank": _seconds(black.bank), "turn_left": _seconds(black.turn)},
        "per_turn": control.per_turn,
        "increment": control.increment,
        "cap": control.cap,
        "paused": None if rest is None else _paused_json(clock, rest),
    }


def _paused_json(clock: Clock, rest: Pause) -> dict[str, object]:
    side = "white" if clock.on == WHITE else "black"
    return {"side": side, "why": rest.why, "until": rest.until.isoformat().replace("+00:00", "Z")}


def to_json(clock: Clock) -> dict[str, object]:
    """The clock as it is kept in a row: integers, microseconds since the epoch for the instant. `gifts` are named
    only where there are some."""
    given = {"gifts": list(clock.gifts)} if any(clock.gifts) else {}
    return {
        "control": control_to_json(clock.control),
        "banks": list(clock.banks),
        "turn": clock.turn,
        "on": clock.on,
        "since": None if clock.since is None else to_microseconds(clock.since),
        "used": clock.used,
        **given,
    }


def from_json(value: Mapping[str, object]) -> Clock:
    """The clock that `to_json` wrote. A missing key raises KeyError, a control out of bounds
    BadTimeControl: rows are our own."""
    since = cast("int | None", value["since"])
    white, black = cast("list[int]", value["banks"])
    given = cast("list[int]", value.get("gifts", (0, 0)))
    return Clock(
        control=control_from_json(cast("Mapping[str, object]", value["control"])),
        banks=(white, black),
        turn=cast("Side | None", value["turn"]),
        on=cast("Side | None", value["on"]),
        since=None if since is None else from_microseconds(since),
        used=cast("int", value["used"]),
        gifts=(given[0], given[1]),
    )


def _allowance(clock: Clock) -> int:
    """The own time of the side on the clock, with what it was given."""
    control, gift = clock.control, 0 if clock.on is None else clock.gifts[clock.on]
    return (control.per_answer if clock.answering else control.per_turn) * SECOND + gift


def _used(clock: Clock) -> int:
    """What the side on the clock used before the running segment."""
    return 0 if clock.answering else clock.used


def _left(clock: Clock, side: Side, at: datetime, pauses: Pauses) -> TimeLeft:
    if clock.control.untimed:
        return TimeLeft(None, None)
    bank = clock.banks[side]
    if clock.on is None or clock.since is None:
        return TimeLeft(None, bank * MICROSECOND)
    allowance, spent = clock.control.per_turn * SECOND, clock.used if side == clock.turn else 0
    if side == clock.turn:
        allowance += clock.gifts[side]
    if side == clock.on:
        allowance, spent = _allowance(clock), spent + _microseconds(pauses.elapsed(clock.since, at))
    overrun = max(0, spent - allowance)
    return TimeLeft(max(0, allowance - spent) * MICROSECOND, max(0, bank - overrun) * MICROSECOND)


def _microseconds(duration: timedelta) -> int:
    return duration // MICROSECOND


def _seconds(duration: timedelta | None) -> int | None:
    return None if duration is None else duration // timedelta(seconds=1)


def _other(side: Side) -> Side:
    return BLACK if side == WHITE else WHITE


def _with(pair: tuple[int, int], side: Side, value: int) -> tuple[int, int]:
    return (value, pair[BLACK]) if side == WHITE else (pair[WHITE], value)
