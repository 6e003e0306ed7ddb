"""Attempts that one sender makes, one after the other, and what follows from how each went.

While one message is on its way in a thread beside, the next is written: neither waits for the other.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta

from bgmail.notify.channel import Channel, Errand, Later, Refused
from bgmail.notify.occasion import Occasion
from bgmail.notify.planning import rescue_urgent
from bgmail.notify.sent import MOST_SAID, Sent
from bgmail.service import bounces
from bgmail.store import errands, notices
from bgmail.world import World

FIRST_WAIT = timedelta(minutes=1)
LONGEST_WAIT = timedelta(hours=6)
GIVE_UP = timedelta(days=5)
"""After so long what is put off again and again, or can't be written, is given up."""

log = logging.getLogger(__name__)

Call = Callable[[], str]


@dataclass(frozen=True, slots=True)
class Task:
    """An errand that is going to be tried, and what it is about."""

    errand: Errand
    occasion: Occasion

    @property
    def name(self) -> str:
        return f"{self.errand.notice.kind} {self.errand.notice.id}"


class Attempts:
    """One attempt is under way at a time; whoever goes leaves by `leave`, whatever happened."""

    def __init__(self, world: World, channel: Channel, now: datetime) -> None:
        self._world, self._channel, self._now = world, channel, now
        self._hand = ThreadPoolExecutor(1, thread_name_prefix="sender") if channel.apart else None
        self._under_way: tuple[Task, Call] | None = None
        self._sent = Sent(world)

    def prepare(self, task: Task) -> Call:
        """What makes the attempt; where the message can't be written, it says so when it is called."""
        try:
            return self._channel.prepare(self._world, task.errand, task.occasion, self._now)
        except (Refused, Later) as trouble:
            return _failing(trouble)
        except Exception:  # what can't be written is set aside alone: the others go on
            log.exception("errand %s (%s) could not be written", task.errand.id, task.name)
            return _failing(Later("the message could not be written"))

    def begin(self, task: Task, call: Call) -> None:
        """Makes an attempt, when the one before has been settled."""
        self._under_way = task, self._hand.submit(call).result if self._hand else call

    def settle(self) -> list[str]:
        """Waits for the attempt under way and notes how it went; what is said of it."""
        if self._under_way is None:
            return []
        (task, answer), self._under_way = self._under_way, None
        try:
            said = answer()
        except Refused as trouble:
            return [f"{self._refused(task, trouble)} {task.name}"]
        except Later as trouble:
            return [f"{self._put_off(task, trouble)} {task.name}"]
        except Exception:  # as above
            log.exception("errand %s (%s) could not be sent", task.errand.id, task.name)
            return [f"{self._put_off(task, Later('the message could not be sent'))} {task.name}"]
        self._sent.add(task.errand.id, task.errand.notice.id, said)
        return [f"sent {task.name}"]

    def leave(self) -> None:
        """Notes what was sent and isn't noted yet."""
        if self._hand:
            self._hand.shutdown()
        self._sent.note()

    def _refused(self, task: Task, trouble: Refused) -> str:
        errand, at = task.errand, self._world.now()
        if trouble.address:
            bounces.refuse(self._world.store, trouble.address, str(trouble), self._now)
        with self._world.store.write() as connection:
            errands.finish(connection, errand.id, at, "refused", str(trouble)[:MOST_SAID])
            errands.end(connection, errand.id, errand.notice.id, notices.FAILED, at)
            rescue_urgent(connection, errand.channel, task.occasion, self._now)
        return "refused"

    def _put_off(self, task: Task, trouble: Later) -> str:
        """Tries it again later, or gives it up after days; while a server of our own is down nothing is given up."""
        errand, at = task.errand, self._world.now()
        given_up = not trouble.for_ever and self._now - errand.created_at > GIVE_UP
        with self._world.store.write() as connection:
            errands.finish(connection, errand.id, at, "retry", str(trouble)[:MOST_SAID])
            if given_up:
                errands.end(connection, errand.id, errand.notice.id, notices.FAILED, at)
            else:
                errands.put_off(connection, errand.id, self._again_at(task, trouble), errand.attempts + 1)
            rescue_urgent(connection, errand.channel, task.occasion, self._now)
        return "gave up" if given_up else "put off"

    def _again_at(self, task: Task, trouble: Later) -> datetime:
        errand = task.errand
        longest = trouble.longest or LONGEST_WAIT
        until = self._now + max(trouble.at_least, wait(errand.id, errand.attempts, longest))
        return until if errand.asked else self._channel.again_at(task.occasion, until)


def _failing(trouble: Exception) -> Call:
    def call() -> str:
        raise trouble

    return call


def wait(errand_id: int, attempts: int, longest: timedelta) -> timedelta:
    """How long until the next attempt: twice as long each time, spread so that not all come back at once."""
    whole: timedelta = min(longest, FIRST_WAIT * 2 ** min(attempts, 20))
    spread = hashlib.sha256(f"{errand_id}/{attempts}".encode()).digest()[0]
    return whole * (255 + spread) / 510
