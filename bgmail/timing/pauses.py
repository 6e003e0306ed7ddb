"""Spans of time that do not count for one side: weekends, nights, vacation, outages. They freeze a clock and
never refill it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from heapq import merge
from itertools import takewhile
from typing import Literal, NamedTuple

from bgmail.timing.calendar import NO_CALENDAR, Calendar
from bgmail.timing.instants import utc

Span = tuple[datetime, datetime]
Why = Literal["weekend", "night", "vacation", "outage"]
NOTHING = timedelta(0)


class Pause(NamedTuple):
    """Why a clock stands still, and until when: the end of all that follows on each other without a gap."""

    why: Why
    until: datetime


@dataclass(frozen=True, slots=True)
class Pauses:
    """What does not count for one side; build it with `Pauses.of`.

    `spans` are sorted, separate and half-open [start, end) in UTC: vacation and outages together. The spans of the
    `calendar` are made as far as they are needed. Wherever several overlap, it is one pause.
    """

    spans: tuple[Span, ...] = ()
    calendar: Calendar = NO_CALENDAR
    vacation: tuple[Span, ...] = ()

    @classmethod
    def of(
        cls,
        vacation: Iterable[Span] = (),
        outages: Iterable[Span] = (),
        calendar: Calendar = NO_CALENDAR,
    ) -> Pauses:
        """Take spans in any order, overlapping or touching; empty ones vanish.

        A span that ends before it starts, or a naive instant, raises ValueError.
        """
        away = tuple(_merged(sorted(_checked(span) for span in vacation)))
        down = sorted(_checked(span) for span in outages)
        return cls(tuple(_merged(merge(away, down))) if down else away, calendar, away)

    def elapsed(self, start: datetime, end: datetime) -> timedelta:
        """Time that counts between two instants: zero when `end` is not after `start` (a host clock may
        step back)."""
        start, end = utc(start), utc(end)
        counted = max(NOTHING, end - start)
        for pause_start, pause_end in self._after(start) if counted else ():
            if pause_start >= end:
                break
            counted -= min(pause_end, end) - max(pause_start, start)
        return counted

    def advance(self, start: datetime, duration: timedelta) -> datetime:
        """The first instant at which `duration` of counting time has passed since `start`.

        A negative duration raises ValueError.
        """
        if duration < NOTHING:
            raise ValueError(f"a clock does not run backwards: {duration}")
        at, left = utc(start), duration
        for pause_start, pause_end in self._after(at):
            counting = max(NOTHING, pause_start - at)
            if left <= counting:
                break
            at, left = pause_end, left - counting
        return at + left

    def at(self, instant: datetime) -> Pause | None:
        """The pause that an instant lies in; None where the clock runs.

        Where several reasons hold at once the most personal is told: vacation, weekend, night, outage.
        """
        instant = utc(instant)
        start, until = next(self._after(instant), (None, None))
        if start is None or until is None or start > instant:
            return None
        return Pause(self._why(instant), until)

    def first(self, after: datetime, before: datetime) -> datetime | None:
        """When the first pause begins between two instants; None where none does."""
        begins = next((start for start, _ in self._after(utc(after))), None)
        return begins if begins is not None and after < begins < before else None

    def _why(self, instant: datetime) -> Why:
        if any(start <= instant < end for start, end in self.vacation):
            return "vacation"
        ours = takewhile(lambda span: span[0] <= instant, self.calendar.spans(instant))
        found = {why for _, _, why in ours}
        return "weekend" if "weekend" in found else "night" if found else "outage"

    def _after(self, instant: datetime) -> Iterator[Span]:
        """The pauses that end after an instant, in order, none touching the next."""
        spans = (span for span in self.spans if span[1] > instant)
        if not self.calendar.rests:
            return spans
        ours = ((start, end) for start, end, _ in self.calendar.spans(instant))
        return _merged(merge(spans, ours) if self.spans else ours)


def _merged(spans: Iterable[Span]) -> Iterator[Span]:
    """Sorted spans, those that overlap or touch as one; empty ones vanish."""
    last: Span | None = None
    for start, end in spans:
        if last is not None and start <= last[1]:
            last = (last[0], max(end, last[1]))
        elif start < end:
            if last is not None:
                yield last
            last = (start, end)
    if last is not None:
        yield last


def _checked(span: Span) -> Span:
    start, end = utc(span[0]), utc(span[1])
    if end < start:
        raise ValueError(f"a pause cannot end before it starts: {start} to {end}")
    return start, end


NO_PAUSES = Pauses()
