"""Spans of time that do not count for one side: weekends, nights, vacation, outages. They freeze a clock and
never refill it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from bgmail.timing.instants import utc

Span = tuple[datetime, datetime]
NOTHING = timedelta(0)


@dataclass(frozen=True, slots=True)
class Pauses:
    """Sorted, separate half-open spans [start, end) in UTC; build them with `Pauses.of`."""

    spans: tuple[Span, ...] = ()

    @classmethod
    def of(cls, spans: Iterable[Span]) -> Pauses:
        """Take spans in any order, overlapping or touching; empty ones vanish.

        A span that ends before it starts, or a naive instant, raises ValueError.
        """
        merged: list[Span] = []
        for start, end in sorted(_checked(span) for span in spans):
            if merged and start <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
            elif start < end:
                merged.append((start, end))
        return cls(tuple(merged))

    def elapsed(self, start: datetime, end: datetime) -> timedelta:
        """Time that counts between two instants: zero when `end` is not after `start` (a host clock may
        step back)."""
        start, end = utc(start), utc(end)
        paused = sum((_overlap(span, start, end) for span in self.spans), NOTHING)
        return max(NOTHING, end - start - paused)

    def advance(self, start: datetime, duration: timedelta) -> datetime:
        """The first instant at which `duration` of counting time has passed since `start`.

        A negative duration raises ValueError.
        """
        if duration < NOTHING:
            raise ValueError(f"a clock does not run backwards: {duration}")
        at, left = utc(start), duration
        for pause_start, pause_end in self.spans:
            if pause_end <= at:
                continue
            counting = max(NOTHING, pause_start - at)
            if left <= counting:
                break
            at, left = pause_end, left - counting
        return at + left


def _checked(span: Span) -> Span:
    start, end = utc(span[0]), utc(span[1])
    if end < start:
        raise ValueError(f"a pause cannot end before it starts: {start} to {end}")
    return start, end


def _overlap(span: Span, start: datetime, end: datetime) -> timedelta:
    return max(NOTHING, min(span[1], end) - max(span[0], start))


NO_PAUSES = Pauses()
