"""Does what is due, some errands at a time: claim, check the fact again, note the attempt, make it, record.

Nothing is locked while a message is on its way. A sender that dies in between leaves claims that run out, and messages
that go out once more under the same name.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row
from sqlalchemy.exc import SQLAlchemyError

from bgmail.notify import occasion as occasions
from bgmail.notify.attempts import GIVE_UP, LONGEST_WAIT, Attempts, Task, wait
from bgmail.notify.channel import Channel, Errand
from bgmail.notify.mail import LETTERS
from bgmail.notify.occasion import Occasion
from bgmail.notify.planning import plan_all, rescue_urgent
from bgmail.notify.present import obsolete
from bgmail.service.choices import MAIL, Mode
from bgmail.store import absences, errands, notices
from bgmail.world import World

CLAIM = timedelta(minutes=10)
"""How long an errand belongs to the sender that took it: longer than it needs for all that it takes at once."""
AT_ONCE = 20
log = logging.getLogger(__name__)


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
    found, attempts = _checked(world, channel, claimed, now), Attempts(world, channel, now)
    try:
        for number, task in enumerate(found.tasks):
            call = attempts.prepare(task)
            found.done += attempts.settle()
            if not channel.ready(world) or world.now() - began > CLAIM / 2:
                _give_back(world, found.tasks[number:], now)
                break
            attempts.begin(task, call)
        found.done += attempts.settle()
    finally:
        attempts.leave()
    return found.done


@dataclass(slots=True)
class Claimed:
    """Errands that were claimed, by what is to be done: `told` is over (with the reason), `senseless` can't be read."""

    tasks: list[Task] = field(default_factory=list)
    told: list[tuple[Task, str]] = field(default_factory=list)
    senseless: list[Row[Any]] = field(default_factory=list)
    done: list[str] = field(default_factory=list)


def _checked(
    world: World, channel: Channel, claimed: Sequence[tuple[Row[Any], Row[Any]]], now: datetime
) -> Claimed:
    """What is still to be told, each attempt written down; the rest is ended or put off, and that is said."""
    found = Claimed()
    with world.store.read() as connection:
        for row, notice_row in claimed:
            try:
                task = _task(connection, row, notice_row)
                reason = None if row.asked else obsolete(connection, task.occasion, channel, now)
            except SQLAlchemyError:  # that says nothing about this errand
                raise
            except Exception:  # one that makes no sense is set aside alone: the others go on
                log.exception("errand %s could not be handled and is put off", row.id)
                found.senseless.append(row)
                found.done.append(f"failed {notice_row.kind} {notice_row.id}")
                continue
            if reason:
                found.told.append((task, reason))
                found.done.append(f"dropped ({reason}) {task.name}")
            else:
                found.tasks.append(task)
    _begin(world, channel, found, now)
    return found


def _begin(world: World, channel: Channel, found: Claimed, now: datetime) -> None:
    """Writes down the attempts that are going to be made, and what becomes of the rest."""
    attempts = [_attempt_row(world, channel, task, now) for task in found.tasks]
    if not (attempts or found.told or found.senseless):
        return
    with world.store.write() as connection:
        for task, reason in found.told:
            _drop(connection, channel, task, reason, now)
        for row in found.senseless:
            _set_aside(connection, row, now)
        errands.begin(connection, attempts)


def _drop(connection: Connection, channel: Channel, task: Task, reason: str, now: datetime) -> None:
    """What is over is ended; where letters come back, others are to tell what is urgent of it."""
    occasion = task.occasion
    if channel is LETTERS and occasion.returned:
        rescue_urgent(connection, channel.name, occasion, now)
    errands.end(connection, task.errand.id, task.errand.notice.id, notices.OBSOLETE, now, reason)
    if channel is LETTERS:
        _call_again(connection, occasion)


def _set_aside(connection: Connection, row: Row[Any], now: datetime) -> None:
    """What makes no sense is looked at again, less often each time, and given up after days."""
    if now - row.created_at > GIVE_UP:
        errands.end(connection, row.id, row.notice_id, notices.FAILED, now)
    else:
        errands.put_off(connection, row.id, now + wait(row.id, row.attempts, LONGEST_WAIT), row.attempts + 1)


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


def _give_back(world: World, tasks: Sequence[Task], now: datetime) -> None:
    """Attempts that were written down and not made are taken back."""
    with world.store.write() as connection:
        errands.give_back(connection, [task.errand.id for task in tasks], now)


def _task(connection: Connection, row: Row[Any], notice_row: Row[Any]) -> Task:
    errand = Errand(
        id=row.id,
        channel=row.channel,
        target=row.target,
        attempts=row.attempts,
        asked=row.asked,
        created_at=row.created_at,
        notice=occasions.notice_of(notice_row),
    )
    return Task(errand, occasions.read(connection, errand.notice))
