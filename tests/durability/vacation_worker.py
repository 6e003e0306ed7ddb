"""A forked process that takes a vacation for alice and is killed in one of the transactions that tell the logs of her
matches.
"""

from __future__ import annotations

import os
import signal
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bgmail.dice import FairChance
from bgmail.service import accounts, standstills, vacations
from bgmail.service.turns import write
from bgmail.store.engine import Store


def work(database: Path, killed_in: int) -> None:
    """Dies in its transaction number `killed_in`."""
    store, now, told = Store(f"sqlite:///{database}"), datetime.now(UTC), 0

    def write_and_die(connection: Any, ready: Any) -> None:
        nonlocal told
        write(connection, ready)
        told += 1
        if told == killed_in:  # what this transaction wrote is not committed yet
            os.kill(os.getpid(), signal.SIGKILL)

    alice = accounts.by_handle(store, "alice")
    one = vacations.take(store, alice, vacations.Wish(until=now + timedelta(days=7)), now, key="once")
    with patch("bgmail.service.standstills.write", write_and_die):
        standstills.spread(store, one.id, now, FairChance())
