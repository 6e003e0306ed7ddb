"""What is done about a fact: one errand for each channel and target that its reader wants told, planned once."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row
from sqlalchemy.exc import SQLAlchemyError

from bgmail.notify import occasion as occasions
from bgmail.notify.channel import Planned
from bgmail.notify.channels import CHANNELS
from bgmail.notify.occasion import Occasion
from bgmail.notify.present import gathered
from bgmail.notify.timeliness import is_near
from bgmail.service.choices import MAIL, Mode
from bgmail.service.notices import Kind
from bgmail.store import errands, notices, ties
from bgmail.world import World

AT_ONCE = 50
SET_ASIDE = timedelta(hours=1)

log = logging.getLogger(__name__)

Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Plan:
    """The errands of a notice. `rescue`: time runs out and letters come back, so every way counts."""

    occasion: Occasion
    errands: Rows
    rescue: bool

    @property
    def is_once(self) -> bool:
        """Whether its reader wants one letter an absence: this one, or the one before."""
        mode = self.occasion.choices.mode(self.occasion.kind, MAIL)
        return bool(self.errands and self.occasion.reader) and mode is Mode.ABSENCE


def plan_all(world: World, now: datetime) -> int:
    """Plans for every fact that is new; how many those were.

    Two who plan at once write the same errands: the second finds them there.
    """
    done = 0
    while planned := _plan_some(world, now):
        done += planned
    return done


def rescue_urgent(connection: Connection, failed: str, occasion: Occasion, now: datetime) -> None:
    """Where time runs out, all other channels are to tell what `failed` couldn't, wanted or not."""
    errands.add(connection, _rescue(connection, failed, occasion, now))


def _rescue(connection: Connection, failed: str, occasion: Occasion, now: datetime) -> Rows:
    """What is urgent of an occasion, for all other channels; a digest is the facts that it gathers."""
    told = gathered(connection, occasion, now) if occasion.kind is Kind.DIGEST else (occasion,)
    others = [channel for channel in CHANNELS if channel.name != failed]
    urgent = [one for one in told if is_near(one, now)]
    return [row for one in urgent for row in _errands(connection, one, others, now, rescue=True)]


def _plan_some(world: World, now: datetime) -> int:
    with world.store.read() as connection:
        rows = notices.unplanned(connection, now, AT_ONCE)
        plans = [(row, _plan(connection, row, now)) for row in rows]
    if plans:
        with world.store.write() as connection:
            _hold_readers(connection, [plan for _, plan in plans if plan])
            for row, plan in plans:
                _keep(connection, row, plan, now)
    return len(plans)


def _hold_readers(connection: Connection, plans: Iterable[Plan]) -> None:
    """Whether a letter is the first of an absence is only sure while nobody else plans for its reader. All of them are
    held first and in one order, as by others who hold several people: no two wait for each other."""
    readers = {plan.occasion.reader.id for plan in plans if plan.is_once and plan.occasion.reader}
    if readers:
        ties.locked(connection, readers)


def _keep(connection: Connection, row: Row[Any], plan: Plan | None, now: datetime) -> None:
    if plan is None:
        notices.set_aside(connection, row.id, now + SET_ASIDE)
        return
    rows = plan.errands
    if plan.is_once:
        rows = _errands(connection, plan.occasion, _concerned(plan.occasion), now, rescue=plan.rescue)
    errands.plan(connection, row.id, rows)


def _plan(connection: Connection, row: Row[Any], now: datetime) -> Plan | None:
    """The errands of a notice; None for one that makes no sense, which must not hold up the others."""
    try:
        occasion = occasions.read(connection, occasions.notice_of(row))
        rescue = _is_cut_off(occasion, now)
        rows = _errands(connection, occasion, _concerned(occasion), now, rescue=rescue)
        if occasion.kind is Kind.DIGEST and occasion.returned:
            rows += _rescue(connection, MAIL, occasion, now)
        return Plan(occasion, rows, rescue)
    except SQLAlchemyError:  # that says nothing about this notice
        raise
    except Exception:
        log.exception("nothing could be planned for notice %s: it is set aside", row.id)
        return None


def _is_cut_off(occasion: Occasion, now: datetime) -> bool:
    """Whether a wanted letter won't arrive while time runs out: what is switched off has to tell it."""
    wanted = occasion.choices.mode(occasion.kind, MAIL) is not Mode.OFF
    return occasion.returned and wanted and is_near(occasion, now)


def _concerned(occasion: Occasion) -> Iterable[Planned]:
    """All channels; a test is for the one that it tests."""
    if occasion.kind is not Kind.TEST:
        return CHANNELS
    return [channel for channel in CHANNELS if channel.name == occasion.notice.data["channel"]]


def _errands(
    connection: Connection,
    occasion: Occasion,
    channels: Iterable[Planned],
    now: datetime,
    *,
    rescue: bool = False,
) -> Rows:
    return [
        {
            "notice_id": occasion.notice.id,
            "channel": channel.name,
            "target": target.id,
            "state": notices.READY,
            "attempts": 0,
            "asked": False,
            "created_at": now,
            "due_at": target.due_at,
        }
        for channel in channels
        for target in channel.targets(connection, occasion, now, rescue=rescue)
    ]
