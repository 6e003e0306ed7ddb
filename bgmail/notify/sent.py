"""Letters that have gone out and are still to be noted: a commit for each would cost as much as writing it."""

from __future__ import annotations

from datetime import datetime, timedelta

from bgmail.store import errands, notices
from bgmail.world import World

MOST = 10
"""So many go out again at most, under the same names, when their sender is killed before it has noted them."""
LONGEST = timedelta(seconds=1)
MOST_SAID = 500


class Sent:
    """What one sender has sent and not noted yet. Whoever stops, for whatever reason, calls `note` first."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._waiting: list[tuple[int, int, datetime, str]] = []

    def add(self, errand_id: int, notice_id: int, said: str) -> None:
        """One message was taken; the others that wait are noted along when they are many, or have waited long."""
        at = self._world.now()
        self._waiting.append((errand_id, notice_id, at, said))
        if len(self._waiting) >= MOST or at - self._waiting[0][2] >= LONGEST:
            self.note()

    def note(self) -> None:
        """Notes all that wait, in one transaction."""
        if not self._waiting:
            return
        with self._world.store.write() as connection:
            for errand_id, notice_id, at, said in self._waiting:
                errands.finish(connection, errand_id, at, "sent", said[:MOST_SAID])
                errands.end(connection, errand_id, notice_id, notices.SENT, at)
        self._waiting.clear()
