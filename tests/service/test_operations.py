"""How an installation fares: what waits, what fails, what came back, on both databases."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import insert

from bgmail.service import operations
from bgmail.service.notices import Kind, fact, owe
from bgmail.service.operations import Rate
from bgmail.store.engine import Store
from bgmail.store.notices import delivery
from tests.service.matchmaking import settle


def tried(store: Store, at: datetime, outcome: str | None) -> None:
    row = {"notice_id": 1, "channel": "mail", "address": "a@b.example", "message_id": "<1@b.example>"}
    with store.write() as connection:
        connection.execute(insert(delivery).values(**row, started_at=at, outcome=outcome, error=""))


def test_failures_are_counted_by_the_hour_and_the_day(store: Store, now: datetime) -> None:
    alice, _, _ = settle(store, now)
    with store.write() as connection:
        owe(connection, [fact(Kind.TEST, now, account_id=alice)])
    for minutes, outcome in ((5, "sent"), (10, "returned"), (90, "retry"), (120, None), (60 * 25, "refused")):
        tried(store, now - timedelta(minutes=minutes), outcome)
    found = operations.overview(store, now)
    assert found.hour == {"mail": Rate(2, 1)}
    assert found.day == {"mail": Rate(4, 2)}
    assert found.day["mail"].percent == 50
    assert Rate().percent == 0
    assert found.outcomes["mail", "under_way"] == 1
    assert (found.unplanned.waiting, found.unplanned.oldest) == (1, now)
    assert (found.inbound.waiting, found.stopped, found.webhooks_off, found.heartbeat) == (0, 0, 0, None)
