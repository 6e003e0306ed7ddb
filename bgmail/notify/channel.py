"""What a way out has to be able to do: say whom it reaches, and make one attempt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from sqlalchemy import Connection

from bgmail.notify.occasion import Notice, Occasion
from bgmail.world import World


class Later(Exception):
    """The attempt failed, another one may not; the message says what was answered.

    `longest` bounds the wait before it, `at_least` is what the other side asked for; `for_ever`: however long it takes,
    nothing is given up.
    """

    def __init__(
        self,
        said: str,
        *,
        at_least: timedelta = timedelta(0),
        longest: timedelta | None = None,
        for_ever: bool = False,
    ) -> None:
        super().__init__(said)
        self.at_least, self.longest, self.for_ever = at_least, longest, for_ever


class Refused(Exception):
    """It will never be taken; the message says why. `address` is the mailbox that takes nothing, where it is one."""

    def __init__(self, said: str, *, address: str = "") -> None:
        super().__init__(said)
        self.address = address


@dataclass(frozen=True, slots=True)
class Target:
    """One end of a channel that is to be told, and not before when. `id` tells several of one person apart."""

    id: int
    due_at: datetime


@dataclass(frozen=True, slots=True)
class Errand:
    """What a channel has to do now: the notice, for which of its targets, and how often it was tried.

    `asked`: its owner wants it sent once more, whether its fact still holds or not.
    """

    id: int
    channel: str
    target: int
    attempts: int
    asked: bool
    created_at: datetime
    notice: Notice


class Planned(Protocol):
    """A way that is planned for: it says whom it reaches."""

    @property
    def name(self) -> str: ...

    def targets(
        self, connection: Connection, occasion: Occasion, now: datetime, *, rescue: bool = False
    ) -> Sequence[Target]:
        """Whom it is to tell of a fact; nobody where the reader doesn't want it.

        `rescue`: time runs out and another channel has failed, so what is switched off counts as on.
        """


class Channel(Planned, Protocol):
    """A way out that makes attempts."""

    @property
    def newest_only(self) -> bool:
        """Whether the newest of several facts about a match speaks for all that are still owed."""

    def ready(self, world: World) -> bool:
        """Whether anything can be sent just now."""

    def unfit(self, occasion: Occasion, now: datetime) -> str | None:
        """Why nothing may go out to this reader any more by this channel ("muted", "no address"), or None."""

    def again_at(self, occasion: Occasion, instant: datetime) -> datetime:
        """When it may be tried again that is due at `instant`: what rings waits for the end of quiet hours."""

    def address(self, world: World, occasion: Occasion, errand: Errand) -> str:
        """Where it goes, as its owner is shown it."""

    def message_id(self, world: World, occasion: Occasion, errand: Errand) -> str:
        """The name of the message: the same at every attempt, and never that of another."""

    @property
    def apart(self) -> bool:
        """Whether an attempt is made in a thread beside, while the next one is prepared."""

    def prepare(self, world: World, errand: Errand, occasion: Occasion, now: datetime) -> Callable[[], str]:
        """Gets one attempt ready. The call makes it, with no transaction open, and says what the other side said.

        Both raise Later, Refused.
        """
