"""What every part of a running installation is given: settings, store, signer, clock and chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from flask import current_app

from bgmail.dice import Chance, FairChance
from bgmail.settings import Settings
from bgmail.store.engine import Store
from bgmail.tokens import Signer


def system_clock() -> datetime:
    """The present instant, aware, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class World:
    """One installation. `now()` is asked once an operation and passed down; `travels`: it isn't the real one."""

    settings: Settings
    store: Store
    signer: Signer
    clock: Callable[[], datetime] = system_clock
    chance: Chance = FairChance()
    travels: bool = False

    def now(self) -> datetime:
        return self.clock()

    def at(self, instant: datetime) -> World:
        """The same installation as if now were `instant`."""
        return replace(self, clock=lambda: instant, travels=True)


def world() -> World:
    """The world of the current app."""
    found: World = current_app.extensions["bgmail"]
    return found
