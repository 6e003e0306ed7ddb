"""Two transactions at once on PostgreSQL: the test's own, and one in a thread that may have to wait for it."""

from __future__ import annotations

import threading
from collections.abc import Callable

from sqlalchemy import text

from bgmail.store.engine import Store

WAITING = text(
    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
)


class Other:
    """Somebody who does something in a thread."""

    def __init__(self, act: Callable[[], object]) -> None:
        self._act = act
        self._faults: list[Exception] = []
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        try:
            self._act()
        except Exception as error:  # noqa: BLE001 - whatever it is, `end` tells it
            self._faults.append(error)

    def begin(self, store: Store) -> bool:
        """Starts it, and comes back when it is done or waits for a lock; whether it waits."""
        self._thread.start()
        while self._thread.is_alive():
            with store.read() as connection:
                if connection.scalar(WAITING):
                    return True
        return False

    def end(self) -> None:
        """Waits until it is done, if it has begun. Raises what it raised."""
        if self._thread.ident is not None:
            self._thread.join()
        if self._faults:
            raise self._faults[0]
