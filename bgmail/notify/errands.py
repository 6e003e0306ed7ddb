"""Does what is due, some errands at a time: claim, check the fact again, note the attempt, make it, record.

Nothing is locked while a message is on its way. A sender that dies in between leaves claims that run out, and messages
that go out once more under the same name.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row

from bgmail.notify import occasion as occasions
from bgmail.notify.channel import Channel, Errand, Later, Refused
from bgmail.notify.mail import LETTERS
from bgmail.notify.occasion import Occasion
from bgmail.notify.planning import plan_all, rescue
from bgmail.notify.present import obsolete
from bgmail.notify.timeliness import is_near
from bgmail.service.choices import MAIL, Mode
from bgmail.store import absences, errands, notices
from bgmail.world import World

CLAIM = timedelta(minutes=10)
"""How long an errand belongs to the sender that took it: longer than it needs for all that it takes at once."""
AT_ONCE = 20
FIRST_WAIT = timedelta(minutes=1)
LONGEST_WAIT = timedelta(hours=6)
GIVE_UP = timedelta(days=5)
"""After so long what is put off again and again, or can't be written, is given up."""
MOST_SAID = 500

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Task:
    """An errand that is going to be tried, and what it is about."""

    errand: Errand
    occasion: Occasion

    @property
    def name(self) -> str:
        return f"{self.errand.notice.kind} {self.errand.notice.id}"


def deliver_some(world: World, now: datetime, most: int = AT_ONCE) -> list[str]:
    """Plans what is new and sends letters that are due; what was done, nothing when nothing was."""
    plan_all(world, now)
    return work(world, LETTERS, now, most)


def work(world: World, channel: Channel, now: datetime, most: int = AT_ONCE) -> list[str]:
    """Takes up to `most` errands of a channel that are longest due and does what is right; what that was."""
    if not channel.ready(world):
        return []
    with world.store.read() as connection:
        if not errands.is_any_due(connection, channel.name, now):
            return []
    with world.store.write() as connection:
        claimed = errands.claim(connection, channel.name, now, now + CLAIM, most)
    return attempt(world, channel, claimed, now)


def attempt(
    world: World, channel: Channel, claimed: Sequence[tuple[Row[Any], Row[Any]]], now: datetime
) -> list[str]:
    """Does claimed errands one after the other; gives back the rest when the channel isn't ready any more.

    So it does when half of the claim is over: with a slow server the rest would be somebody else's meanwhile.
    """
    began = world.now()
    tasks, done = _checked(world, channel, claimed, now)
    for number, task in enumerate(tasks):
        if not channel.ready(world) or world.now() - began > CLAIM / 2:
            _give_back(world, tasks[number:], now)
            break
        done.append(f"{_try(world, channel, task, now)} {task.name}")
    return done


def _checked(
    world: World, channel: Channel, claimed: Sequence[tuple[Row[Any], Row[Any]]], now: datetime
) -> tuple[list[Task], list[str]]:
    """What is still to be told, each attempt written down; and what was said of the rest, which is ended."""
    tasks, done = [], []
    over: list[tuple[Row[Any], Occasion]] = []
    with world.store.read() as connection:
        for row, notice_row in claimed:
            try:
                errand = _errand_of(row, notice_row)
                occasion = occasions.read(connection, errand.notice)
                reason = None if errand.asked else obsolete(connection, occasion, channel, now)
            except Exception:  # one that makes no sense is set aside alone: the others go on
                log.exception("errand %s could not be handled and is put off", row.id)
                done.append(f"failed {notice_row.kind} {notice_row.id}")
                continue
            if reason:
                over.append((row, occasion))
                done.append(f"dropped ({reason}) {errand.notice.kind} {errand.notice.id}")
            else:
                tasks.append(Task(errand, occasion))
    return _begun(world, channel, tasks, over, now), done


def _begun(
    world: World,
    channel: Channel,
    tasks: list[Task],
    over: Sequence[tuple[Row[Any], Occasion]],
    now: datetime,
) -> list[Task]:
    attempts = [_attempt_row(world, channel, task, now) for task in tasks]
    if attempts or over:
        with world.store.write() as connection:
            for row, occasion in over:
                if channel is LETTERS and occasion.returned and is_near(occasion, now):
                    rescue(connection, channel.name, occasion, now)
                errands.end(connection, row.id, row.notice_id, notices.OBSOLETE, now)
                if channel is LETTERS:
                    _call_again(connection, occasion)
            errands.begin(connection, attempts)
    return tasks


def _call_again(connection: Connection, occasion: Occasion) -> None:
    """Where one letter an absence is enough, others have relied on the one that isn't sent after all."""
    chosen, reader = occasion.choices, occasion.reader
    if reader is not None and chosen.mode(occasion.kind, MAIL) is Mode.ABSENCE:
        kinds = chosen.kinds(MAIL, Mode.ABSENCE)
        absences.call_again(connection, reader.id, kinds, occasion.notice.created_at)


def _attempt_row(world: World, channel: Channel, task: Task, now: datetime) -> dict[str, Any]:
    return {
        "notice_id": task.errand.notice.id,
        "errand_id": task.errand.id,
        "channel": channel.name,
        "address": channel.address(world, task.occasion, task.errand),
        "message_id": channel.message_id(world, task.occasion, task.errand),
        "started_at": now,
    }


def _try(world: World, channel: Channel, task: Task, now: datetime) -> str:
    try:
        said = channel.deliver(world, task.errand, task.occasion, now)
    except Refused as trouble:
        return _refused(world, task, str(trouble), now)
    except Later as trouble:
        return _put_off(world, task, trouble, now)
    except Exception:  # what can't be written is set aside alone: the others go on
        log.exception("errand %s (%s) could not be written", task.errand.id, task.name)
        return _put_off(world, task, Later("the message could not be written"), now)
    at = world.now()
    with world.store.write() as connection:
        errands.finish(connection, task.errand.id, at, "sent", said[:MOST_SAID])
        errands.end(connection, task.errand.id, task.errand.notice.id, notices.SENT, at)
    return "sent"


def _refused(world: World, task: Task, said: str, now: datetime) -> str:
    at = world.now()
    with world.store.write() as connection:
        errands.finish(connection, task.errand.id, at, "refused", said[:MOST_SAID])
        errands.end(connection, task.errand.id, task.errand.notice.id, notices.FAILED, at)
        if is_near(task.occasion, now):
            rescue(connection, task.errand.channel, task.occasion, now)
    return "refused"


def _put_off(world: World, task: Task, trouble: Later, now: datetime) -> str:
    """Tries it again later, or gives it up after days; while a server of our own is down nothing is given up."""
    errand = task.errand
    given_up = not trouble.for_ever and now - errand.created_at > GIVE_UP
    until = now + max(trouble.at_least, wait(errand.id, errand.attempts, trouble.longest or LONGEST_WAIT))
    at = world.now()
    with world.store.write() as connection:
        errands.finish(connection, errand.id, at, "retry", str(trouble)[:MOST_SAID])
        if given_up:
            errands.end(connection, errand.id, errand.notice.id, notices.FAILED, at)
        else:
            errands.put_off(connection, errand.id, until, errand.attempts + 1)
        if is_near(task.occasion, now):
            rescue(connection, errand.channel, task.occasion, now)
    return "gave up" if given_up else "put off"


def _give_back(world: World, tasks: Sequence[Task], now: datetime) -> None:
    """Attempts that were written down and not made are taken back."""
    with world.store.write() as connection:
        errands.give_back(connection, [task.errand.id for task in tasks], now)


def _errand_of(row: Row[Any], notice_row: Row[Any]) -> Errand:
    return Errand(
        id=row.id,
        channel=row.channel,
        target=row.target,
        attempts=row.attempts,
        asked=row.asked,
        created_at=row.created_at,
        notice=occasions.notice_of(notice_row),
    )


def wait(errand_id: int, attempts: int, longest: timedelta) -> timedelta:
    """How long until the next attempt: twice as long each time, spread so that not all come back at once."""
    whole: timedelta = min(longest, FIRST_WAIT * 2 ** min(attempts, 20))
    spread = hashlib.sha256(f"{errand_id}/{attempts}".encode()).digest()[0]
    return whole * (255 + spread) / 510
