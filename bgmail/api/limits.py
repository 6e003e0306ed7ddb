"""How many requests one caller may make: a token bucket a caller, in this process.

With W processes a caller may make up to W times as many; fewer than RATE a second are never refused,
whichever process answers.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Hashable

RATE = 200.0  # a second; the contract promises 100
BURST = 400.0
MOST_CALLERS = 20_000


class Buckets:
    """One bucket a caller: it holds up to `burst` and fills by `rate` a second."""

    def __init__(
        self, rate: float = RATE, burst: float = BURST, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._levels: dict[Hashable, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def take(self, caller: Hashable) -> int:
        """Takes one from the caller's bucket: 0, or the whole seconds to wait when it is empty."""
        now = self._clock()
        with self._lock:
            level, at = self._levels.get(caller, (self._burst, now))
            level = min(self._burst, level + (now - at) * self._rate)
            if level < 1:
                return math.ceil((1 - level) / self._rate)
            if len(self._levels) >= MOST_CALLERS:
                self._forget_full(now)
            self._levels[caller] = (level - 1, now)
            return 0

    def _forget_full(self, now: float) -> None:
        """Drops the buckets that are full again: forgetting them changes nothing."""
        full = [
            caller
            for caller, (level, at) in self._levels.items()
            if level + (now - at) * self._rate >= self._burst
        ]
        for caller in full:
            del self._levels[caller]
