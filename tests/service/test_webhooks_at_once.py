"""Webhooks that are called and changed at once, on PostgreSQL: each waits for the other, and no two for each other."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from bgmail.service import accounts, webhooks
from bgmail.service.webhooks import Call, Webhook, Wish
from bgmail.store import webhooks as rows
from bgmail.store.engine import Store
from tests.service.at_once import Other


@pytest.fixture
def served(pg_schema_url: str) -> Iterator[Store]:
    opened = Store(pg_schema_url)
    yield opened
    opened.close()


@pytest.fixture
def two(served: Store, now: datetime) -> list[Webhook]:
    """Two webhooks of Alice's."""
    alice = accounts.create(served, "alice", "alice@play.example", None, now)
    wish = Wish("https://hooks.example.org/in", "standard", webhooks.NAMES)
    return [webhooks.add(served, alice.id, wish, webhooks.new_secret(), now) for _ in "ab"]


@pytest.mark.pg
def test_a_webhook_is_deleted_once_the_call_that_is_being_noted_is(
    served: Store, two: list[Webhook], now: datetime
) -> None:
    """What was noted meanwhile belonged to nothing, and the owner read of an error of ours."""
    hook, _ = two
    call = Call(0, 1, "1", "match.turn", now, 0.1, "taken", 200, "{}", "")
    deleting = Other(lambda: webhooks.delete(served, hook.account_id, hook.id))
    with served.write() as connection:
        webhooks.note(connection, hook.id, call, given_up=False)
        assert deleting.begin(served)
    deleting.end()
    assert [one.id for one in webhooks.mine(served, hook.account_id)] == [two[1].id]


@pytest.mark.pg
def test_two_who_take_calls_of_the_same_webhooks_never_wait_for_each_other(
    served: Store, two: list[Webhook], now: datetime
) -> None:
    first, second = (hook.id for hook in two)

    def claim() -> None:
        with served.write() as connection:
            rows.claim(connection, [second, first], now, now + timedelta(minutes=1))

    claiming = Other(claim)
    with served.write() as connection:
        rows.locked(connection, first)
        assert claiming.begin(served)
        rows.locked(connection, second)
    claiming.end()
