"""What was sent to somebody: every notice with what each channel made of it, as its owner may see it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bgmail.service.allowances import HOUR, Limit, take
from bgmail.service.notices import Kind, fact, owe
from bgmail.store import told
from bgmail.store.engine import Store

PAGE = 30
ATTEMPTS = 10
"""So many of an errand are shown: while a mail server is away they become hundreds."""
TESTS = Limit("notices/test", 10, HOUR)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt. `outcome` is "sent", "retry", "refused", "lost" (cut off, so made again), or None (under way)."""

    address: str
    at: datetime
    outcome: str | None
    said: str


@dataclass(frozen=True, slots=True)
class Way:
    """What one channel does for a notice. `state` is that of its errand; `due_at` is when it is tried (again).

    `attempts` are the last ones, `earlier` counts those before them. `reason` is why it is obsolete, ""
    where that isn't known.
    """

    channel: str
    state: str
    due_at: datetime | None
    attempts: tuple[Attempt, ...]
    earlier: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """One notice. `match_id` is "" for one about no match; `state` is what became of it as a whole."""

    id: int
    kind: str
    match_id: str
    at: datetime
    state: str
    ways: tuple[Way, ...]


def page(store: Store, account_id: int, before: int | None = None) -> tuple[list[Told], int | None]:
    """The newest notices to a person, and before which one the next page begins (None = there is no more)."""
    with store.read() as connection:
        rows = told.notices(connection, account_id, before, PAGE + 1)
        ids = [row.id for row in rows[:PAGE]]
        errands = told.errands(connection, ids)
        attempts = told.attempts(connection, ids, ATTEMPTS)
    found = [_told(row, errands, attempts) for row in rows[:PAGE]]
    return found, ids[-1] if len(rows) > PAGE else None


def test(store: Store, account_id: int, channel: str, target: int, now: datetime) -> None:
    """Owes somebody a test of one end of one channel. Raises TooOften."""
    take(store, [(TESTS, str(account_id))], now)
    which = f"{channel}-{target}-{round(now.timestamp() * 1000)}"
    data = {"channel": channel, "target": target}
    with store.write() as connection:
        owe(connection, [fact(Kind.TEST, now, account_id=account_id, which=which, data=data)])


def _told(row: Any, errands: Iterable[Any], attempts: Sequence[Any]) -> Told:
    ways = tuple(_way(one, attempts) for one in errands if one.notice_id == row.id)
    return Told(row.id, row.kind, row.match_id, row.created_at, row.state, ways)


def _way(errand: Any, attempts: Iterable[Any]) -> Way:
    mine = [one for one in attempts if one.errand_id == errand.id]
    shown = tuple(Attempt(one.address, one.started_at, one.outcome, one.error) for one in mine)
    earlier = mine[0].of - len(mine) if mine else 0
    return Way(errand.channel, errand.state, errand.due_at, shown, earlier, errand.reason or "")
