"""Times of the day that come back: quiet hours that wrap midnight, and the hour of a digest.

All are minutes of the day on the wall clock of a zone. A minute that a change of the clock skips is taken an hour
later; of one that comes twice the first counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import product
from zoneinfo import ZoneInfo

DAY = 24 * 60


@dataclass(frozen=True, slots=True)
class Quiet:
    """From one minute of the day up to another, that one no longer included; past midnight where `end` is earlier.

    Equal ends would be a day without an end. Raises ValueError for them, and for minutes that no day has.
    """

    start: int
    end: int

    def __post_init__(self) -> None:
        if not (0 <= self.start < DAY and 0 <= self.end < DAY) or self.start == self.end:
            raise ValueError(f"no quiet hours: {self.start} to {self.end}")

    def holds(self, now: datetime, zone: ZoneInfo) -> bool:
        """Whether `now` lies within them."""
        local = now.astimezone(zone)
        minute = local.hour * 60 + local.minute
        if self.start < self.end:
            return self.start <= minute < self.end
        return minute >= self.start or minute < self.end

    def over(self, now: datetime, zone: ZoneInfo) -> datetime:
        """When it is no longer quiet: `now` itself, or the end of the quiet hours it lies in.

        In an hour that comes twice they may begin, and so end, a second time: that is no day away.
        """
        return _next(self.end, now, zone, folds=(0, 1)) if self.holds(now, zone) else now


def next_at(minute: int, now: datetime, zone: ZoneInfo) -> datetime:
    """The next instant, in UTC and after `now`, at which the wall clock of a zone shows a minute of the day."""
    return _next(minute, now, zone, folds=(0,))


def _next(minute: int, now: datetime, zone: ZoneInfo, folds: tuple[int, ...]) -> datetime:
    day = now.astimezone(zone).date()
    for ahead, fold in product(range(3), folds):
        shown = datetime.combine(day + timedelta(days=ahead), datetime.min.time(), zone)
        instant = shown.replace(hour=minute // 60, minute=minute % 60, fold=fold).astimezone(UTC)
        if instant > now:
            return instant
    raise AssertionError("a day has every minute")
