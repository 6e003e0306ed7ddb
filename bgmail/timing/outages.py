"""Times in which the service was away: they count for nobody, in no match, from the moment they are noted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from bgmail.timing.instants import from_microseconds, to_microseconds

Span = tuple[datetime, datetime]
BETWEEN = ";"


@dataclass(frozen=True, slots=True, order=True)
class Outage:
    """One span, [start, end), which was noted at an instant. `why` is "down", "mail" or "restored".

    What was written before that instant ran through it: so a log that is read again gives the same clock.
    """

    start: datetime
    end: datetime
    noted: datetime
    why: str

    @property
    def text(self) -> str:
        """The outage in the form that `parsed` reads."""
        instants = (self.start, self.end, self.noted)
        return " ".join([*(str(to_microseconds(instant)) for instant in instants), self.why])


def spans(outages: Iterable[Outage]) -> tuple[Span, ...]:
    """All the spans."""
    return tuple([(outage.start, outage.end) for outage in outages])


def known_at(outages: Iterable[Outage], at: datetime) -> tuple[Span, ...]:
    """The spans that were noted by an instant."""
    return spans([outage for outage in outages if outage.noted <= at])


def last_noted(outages: Iterable[Outage]) -> datetime | None:
    """When the one that was noted last was; None = there never was one."""
    return max((outage.noted for outage in outages), default=None)


def touching(outages: Iterable[Outage], start: datetime, end: datetime) -> tuple[Outage, ...]:
    """Those that reach into a span; some that follow on each other, or overlap, for one reason are told as one."""
    found: list[Outage] = []
    for outage in sorted(outages):
        if outage.end <= start or outage.start >= end:
            continue
        last = found[-1] if found else None
        if last and last.why == outage.why and outage.start <= last.end:
            found[-1] = Outage(last.start, max(last.end, outage.end), outage.noted, last.why)
        else:
            found.append(outage)
    return tuple(found)


@lru_cache(maxsize=64)
def parsed(texts: str | None) -> tuple[Outage, ...]:
    """The outages of texts with a semicolon between, by their beginning; None = there never was one."""
    return tuple(sorted(_parsed(text) for text in texts.split(BETWEEN))) if texts else ()


def _parsed(text: str) -> Outage:
    *instants, why = text.split(" ")
    start, end, noted = (from_microseconds(int(value)) for value in instants)
    return Outage(start, end, noted, why)
