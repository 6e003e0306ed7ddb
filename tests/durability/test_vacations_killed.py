"""A process is killed while it brings a vacation into the logs of many matches: the scheduler tells the rest."""

from __future__ import annotations

import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from bgmail.dice import FairChance
from bgmail.service import accounts, invitations, matches, standstills
from bgmail.service.audits import Tally, audit
from bgmail.service.standstills import AT_ONCE
from bgmail.service.terms import Handle, Terms
from bgmail.store.engine import Store
from tests.durability.conftest import Seats
from tests.fixtures.programs import PROJECT

MORE = 2 * AT_ONCE
WORKER = "tests.durability.vacation_worker"


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
    words = [sys.executable, "-m", WORKER, str(seats.database), str(killed_in)]
    assert subprocess.run(words, cwd=PROJECT, check=False).returncode == -signal.SIGKILL
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
