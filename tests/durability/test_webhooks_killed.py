"""Processes that call webhooks are killed again and again: no event is lost, and repeats carry the same id."""

from __future__ import annotations

import random
import socket
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select

from bgmail.service import accounts, webhooks
from bgmail.service.webhooks import NAMES, Wish
from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.tables import ErrandRow
from tests.durability import webhook_worker
from tests.fixtures.forks import FORKS
from tests.fixtures.patience import until
from tests.notify.hooks.receivers import OK, Receiver, receiver

PEOPLE, EACH, KILLS = 25, 6, 4


@contextmanager
def two_workers(database: Path, port: int, minutes: int) -> Iterator[None]:
    """Two processes at once, killed at the end of the block."""
    workers = [FORKS.Process(target=webhook_worker.work, args=(database, port, minutes)) for _ in range(2)]
    for worker in workers:
        worker.start()
    try:
        yield
        assert [worker.exitcode for worker in workers] == [None, None]
    finally:
        for worker in workers:
            worker.kill()
            worker.join()


def owe_tests(store: Store) -> None:
    now = datetime.now(UTC)
    for number in range(PEOPLE):
        person = accounts.create(store, f"player{number}", f"player{number}@play.example", None, now)
        wish = Wish(f"https://h{number}.example.org/in", "standard", NAMES)
        webhook = webhooks.add(store, person.id, wish, webhooks.new_secret(), now)
        for second in range(EACH):
            webhooks.test(store, person.id, webhook.id, now.replace(second=second))


def all_sent(store: Store) -> bool:
    errand = table(ErrandRow)
    with store.read() as connection:
        states = connection.scalars(select(errand.c.state)).all()
    return list(states) == ["sent"] * PEOPLE * EACH


def dawdles(receiver: Receiver, guest: socket.socket) -> None:
    """Takes everything, some of it a moment later: so a kill finds calls under way."""
    receiver.over.wait(random.choice((0, 0.05, 0.3)))
    guest.sendall(OK)


@pytest.mark.slow
def test_no_event_is_lost_and_repeats_carry_the_same_id(tmp_path: Path, sqlite_schema_url: str) -> None:
    store, database = Store(sqlite_schema_url), tmp_path / "bgmail.db"
    owe_tests(store)
    with receiver(dawdles) as door:
        for round_ in range(KILLS):
            seen = len(door.calls)
            with two_workers(database, door.port, minutes=3 * round_):
                until(lambda seen=seen: len(door.calls) >= seen + 20 or all_sent(store))
        with two_workers(database, door.port, minutes=3 * KILLS):
            until(lambda: all_sent(store))
        calls = list(door.calls)
    store.close()
    bodies = defaultdict[str, set[bytes]](set)
    for call in calls:
        bodies[call.headers["webhook-id"]].add(call.body)
    assert len(bodies) == PEOPLE * EACH
    assert {len(said) for said in bodies.values()} == {1}
    assert len(calls) <= PEOPLE * EACH + KILLS * 2 * 24
