"""How the `pause` entries of a log move clock and rests: the same for an entry just made and for a log read again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bgmail import timing
from bgmail.rules.side import Side
from bgmail.timing import SECOND, Clock, Rests
from bgmail.timing import calendar as calendars
from bgmail.timing.control import MAX_BANK

State = tuple[Clock, Rests]
LATEST = 2**53
"""Microseconds: no entry of a log is made later, and no pause or gift of ours reaches as far."""


def after_pause(clock: Clock, rests: Rests, data: Mapping[str, Any]) -> State:
    """Clock and rests once a `pause` entry with this data was added.

    Raises KeyError, TypeError, ValueError or WrongClockState for an entry that no log of ours has.
    """
    why = data.get("why")
    if why is None:  # logs from before clocks had pauses of their own: the time of a restore
        return credited(clock, *_span(data)), rests
    step = _STEPS.get(why)
    if step is None:
        raise ValueError(f"nobody pauses for {why!r}")
    return step(clock, rests, data)


def calendar_data(side: Side, calendar: timing.Calendar) -> dict[str, Any]:
    """What the entry says with which a side's calendar holds from its present turn on."""
    return {"side": side.word, "why": "calendar", **calendars.to_json(calendar)}


def credited(clock: Clock, start: int, end: int) -> Clock:
    """The clock when the time between two instants (microseconds) does not count for the side on the clock."""
    if clock.since is None:
        return clock
    lost = max(0, end - max(start, timing.to_microseconds(clock.since)))
    return replace(clock, since=timing.from_microseconds(timing.to_microseconds(clock.since) + lost))


def _calendar(clock: Clock, rests: Rests, data: Mapping[str, Any]) -> State:
    return clock, rests.with_calendar(_side(data), calendars.from_json(data))


def _vacation(clock: Clock, rests: Rests, data: Mapping[str, Any]) -> State:
    start, end = (timing.from_microseconds(value) for value in _span(data))
    return clock, rests.with_vacation(_side(data), start, end)


def _gift(clock: Clock, rests: Rests, data: Mapping[str, Any]) -> State:
    side = _side(data)
    return clock.give(side, _seconds(data, clock.gifts[side])), rests


def _connection(clock: Clock, rests: Rests, data: Mapping[str, Any]) -> State:
    side = _side(data)
    return clock.regain(side, _seconds(data, clock.banks[side])), rests


def _untimed(clock: Clock, rests: Rests, data: Mapping[str, Any]) -> State:
    side = _side(data)
    if not data["agreed"]:
        return clock, replace(rests, untimed=rests.untimed.word(side))
    if rests.untimed.offer is None or rests.untimed.offer == side:
        raise ValueError("nobody offered the other to play without a clock")
    return clock.free(), replace(rests, untimed=timing.Untimed())


def _span(data: Mapping[str, Any]) -> tuple[int, int]:
    start, end = data["from"], data["until"]
    if any(type(at) is not int or not 0 <= at < LATEST for at in (start, end)):
        raise ValueError(f"nobody pauses from {start!r} to {end!r}")
    return start, end


def _seconds(data: Mapping[str, Any], had: int) -> int:
    """Microseconds that a side gets on top of those that it had."""
    seconds = data["seconds"]
    if type(seconds) is not int or not 0 < seconds <= MAX_BANK or had > LATEST:
        raise ValueError(f"nobody gets {seconds!r} seconds")
    return seconds * SECOND


def _side(data: Mapping[str, Any]) -> timing.Side:
    return timing.WHITE if Side.named(data["side"]) is Side.WHITE else timing.BLACK


_STEPS: Mapping[str, Callable[[Clock, Rests, Mapping[str, Any]], State]] = {
    "calendar": _calendar,
    "vacation": _vacation,
    "gift": _gift,
    "connection": _connection,
    "untimed": _untimed,
}
