"""A process is killed while it brings a vacation into the logs of many matches: the scheduler tells the rest."""

from __future__ import annotations

import signal
from datetime import UTC, datetime, timedelta

import pytest

from bgmail.dice import FairChance
from bgmail.service import accounts, invitations, matches, standstills
from bgmail.service.audits import Tally, audit
from bgmail.service.standstills import AT_ONCE
from bgmail.service.terms import Handle, Terms
from bgmail.store.engine import Store
from tests.durability import vacation_worker
from tests.durability.conftest import Seats
from tests.fixtures.forks import FORKS
from tests.fixtures.patience import PATIENCE

MORE = 2 * AT_ONCE


@pytest.mark.slow
@pytest.mark.parametrize("killed_in", [1, 2])
def test_a_vacation_stands_once_in_every_log_whenever_its_writer_is_killed(
    seats: Seats, killed_in: int
) -> None:
    store, now, chance = Store(f"sqlite:///{seats.database}"), datetime.now(UTC), FairChance()
    alice, bob = (accounts.by_handle(store, name) for name in ("alice", "bob"))
    for _ in range(MORE):
        view = invitations.invite(store, alice.id, Terms(1), Handle("bob"), "", now, chance)
        invitations.accept(store, view.id, bob.id, now, chance)
    writer = FORKS.Process(target=vacation_worker.work, args=(seats.database, killed_in))
    writer.start()
    writer.join(PATIENCE)
    assert writer.exitcode == -signal.SIGKILL
    assert len(told(store, alice.id)) == (killed_in - 1) * AT_ONCE
    later = now + timedelta(minutes=1)
    while standstills.step(store, later, chance):
        pass
    found = told(store, alice.id)
    assert len(found) == len(set(found)) == MORE + 1
    assert list(audit(store, Tally())) == []
    store.close()


def told(store: Store, account_id: int) -> list[str]:
    """The matches whose logs say it, each as often as it does."""
    return [
        view.id
        for view in standstills.running(store, account_id)
        for entry in matches.log(store, view.id)
        if entry.kind == "pause" and entry.data["why"] == "vacation"
    ]
