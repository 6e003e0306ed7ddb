"""How this installation fares: what waits, what fails, what came back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from bgmail.service.outages import latest
from bgmail.service.pulses import last_beat
from bgmail.store import operations
from bgmail.store.engine import Store
from bgmail.timing.outages import Outage

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
LATEST_OUTAGES = 5
GOOD = ("sent", "")
"""Outcomes that are no failure; "" is under way."""


@dataclass(frozen=True, slots=True)
class Backlog:
    """What waits, and since when the oldest does (None: nothing waits). `due` is when the first is to be tried."""

    waiting: int
    oldest: datetime | None
    due: datetime | None = None


@dataclass(frozen=True, slots=True)
class Rate:
    """Attempts of one channel in a span of time, and those of them that failed or came back."""

    attempts: int = 0
    failed: int = 0

    @property
    def percent(self) -> float:
        """How many of a hundred failed; 0 where nothing was tried."""
        return 100 * self.failed / self.attempts if self.attempts else 0.0


@dataclass(frozen=True, slots=True)
class Overview:
    """Everything at one instant. `outcomes` counts the attempts of the last day by (channel, outcome)."""

    unplanned: Backlog
    channels: Mapping[str, Backlog]
    hour: Mapping[str, Rate]
    day: Mapping[str, Rate]
    outcomes: Mapping[tuple[str, str], int]
    reports: Mapping[str, int]
    stopped: int
    webhooks_off: int
    inbound: Backlog
    heartbeat: datetime | None
    outages: Sequence[Outage]


def overview(store: Store, now: datetime) -> Overview:
    """How things stand; a fixed number of statements."""
    with store.read() as connection:
        tried = operations.attempts(connection, now - DAY, now - HOUR)
        waiting = operations.backlog(connection)
        unplanned = Backlog(*operations.unplanned(connection))
        reports = operations.reports(connection, now - DAY)
        stopped, off = operations.stopped(connection), operations.webhooks_off(connection)
        inbound = Backlog(*operations.mail_waiting(connection))
    return Overview(
        unplanned=unplanned,
        channels={row.channel: Backlog(row.waiting, row.oldest, row.due) for row in waiting},
        hour=_rates((row.channel, row.outcome, int(row.in_hour)) for row in tried),
        day=_rates((row.channel, row.outcome, row.in_day) for row in tried),
        outcomes={(row.channel, row.outcome or "under_way"): row.in_day for row in tried},
        reports=reports,
        stopped=stopped,
        webhooks_off=off,
        inbound=inbound,
        heartbeat=last_beat(store),
        outages=latest(store, LATEST_OUTAGES),
    )


def _rates(counts: Iterable[tuple[str, str, Any]]) -> dict[str, Rate]:
    found: dict[str, Rate] = {}
    for channel, outcome, count in counts:
        before = found.get(channel, Rate())
        failed = 0 if outcome in GOOD else count
        found[channel] = Rate(before.attempts + count, before.failed + failed)
    return found
