"""When the service was away: noticed by heartbeats that stopped and by a mail server that didn't answer.

Nobody loses time by it. An outage is noted once, whichever process sees it first; then the stored deadlines of all
running matches are renewed bit by bit, so that lists sort right. Until then each is recomputed when it is looked at.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from bgmail.service.pulses import SCHEDULER
from bgmail.service.turns import next_look
from bgmail.service.views import view_of
from bgmail.store import outages, pulses
from bgmail.store.engine import Store
from bgmail.timing.instants import EPOCH
from bgmail.timing.outages import Outage

DOWN, MAIL, RESTORED = "down", "mail", "restored"
MAIL_FAILS, MAIL_FAILED = "mail fails", "mail failed"
"""Since when the mail server has given no greeting, and when it was last asked for one."""
LONGEST_SILENCE = timedelta(minutes=5)
LONGEST_WITHOUT_MAIL = timedelta(hours=1)
ASKED_LATELY = timedelta(minutes=30)
"""Letters that wait are tried again sooner than that: past it nobody knows how the mail server fared."""
MOST = 100
"""Matches whose deadlines are renewed in one transaction."""
log = logging.getLogger(__name__)


def note_silence(store: Store, now: datetime) -> bool:
    """Notes an outage if the scheduler's last heartbeat is long past; whether this process did. For whoever wakes up:
    until the heart beats again there is one outage and not one for each of them."""
    with store.read() as connection:
        last = pulses.last(connection, SCHEDULER)
        if last is None or now - last <= LONGEST_SILENCE or outages.is_noted(connection, DOWN, last):
            return False
    return _note(store, Outage(last, now, now, DOWN))


def alive(store: Store, now: datetime) -> bool:
    """The scheduler's heartbeat. Notes an outage if the one before is long past; whether it did.

    A heartbeat is never taken back: a host that wakes up with a wrong clock would hide how long it slept.
    """
    with store.read() as connection:
        beaten, noted = pulses.last(connection, SCHEDULER), outages.ends(connection, DOWN)
    last = beaten and max(beaten, noted or beaten)
    was_silent = last is not None and now - last > LONGEST_SILENCE
    with store.write() as connection:
        if beaten is None or now > beaten:
            pulses.beat(connection, SCHEDULER, now)
        return was_silent and last is not None and outages.add(connection, Outage(last, now, now, DOWN))


def mail_failed(store: Store, now: datetime) -> None:
    """The mail server gave no greeting. After an hour of that an outage is noted, and another each hour on: deadlines
    must not pass before it is over."""
    with store.write() as connection:
        since, asked = _without_mail(connection)
        if since is None or now - asked > ASKED_LATELY:
            since = now
        pulses.beat(connection, MAIL_FAILS, since)
        pulses.beat(connection, MAIL_FAILED, now)
        start = max(since, outages.ends(connection, MAIL) or since)
        if now - start >= LONGEST_WITHOUT_MAIL:
            outages.add(connection, Outage(start, now, now, MAIL))


def mail_greeted(store: Store, now: datetime) -> None:
    """The mail server gave a greeting: if it hadn't for long, the outage ends now."""
    with store.read() as connection:
        if pulses.last(connection, MAIL_FAILS) is None:
            return
    with store.write() as connection:
        since, asked = _without_mail(connection)
        if since is None:
            return
        pulses.forget(connection, MAIL_FAILS)
        end = now if now - asked <= ASKED_LATELY else asked
        start = max(since, outages.ends(connection, MAIL) or since)
        if start < end and end - since >= LONGEST_WITHOUT_MAIL:
            outages.add(connection, Outage(start, end, now, MAIL))


def _without_mail(connection: Connection) -> tuple[datetime | None, datetime]:
    """Since when there has been no greeting (None = there was one), and when it was last asked for."""
    since = pulses.last(connection, MAIL_FAILS)
    return since, pulses.last(connection, MAIL_FAILED) or since or EPOCH


def restored(store: Store, newest: datetime, now: datetime) -> None:
    """The database was put back from a backup that knew of nothing after `newest`."""
    with store.write() as connection:
        if newest < now:
            outages.add(connection, Outage(newest, now, now, RESTORED))
        if pulses.last(connection, SCHEDULER) is not None:
            pulses.beat(connection, SCHEDULER, now)  # the silence until now is told already


def latest(store: Store, most: int) -> list[Outage]:
    """The latest outages, the last one first."""
    with store.read() as connection:
        return sorted(outages.everything(connection), reverse=True)[:most]


def renew_some(store: Store, now: datetime) -> str | None:
    """Renews stored deadlines of matches after an outage, a batch of them. None = there are none left to renew."""
    with store.read() as connection:
        waiting = outages.unrenewed(connection)
        if not waiting:
            return None
        newest, was = waiting[0]
        rows = outages.next_matches(connection, was, MOST)
    changes = [change for row in rows if (change := _change(row, now))]
    to = rows[-1]["id"] if rows else None
    with store.write() as connection:
        if not outages.renewed(connection, newest, was, to):
            return "somebody else renews deadlines"
        for older, reached in waiting[1:]:
            outages.renewed(connection, older, reached, None)  # the newest has them all
        outages.set_deadlines(connection, changes)
    return f"renewed deadlines up to {to}" if to else "renewed all deadlines"


def _change(row: Mapping[str, Any], now: datetime) -> dict[str, Any] | None:
    """The new instants of a match; None where they stay, and for a row that makes no sense: the sweep tells of it."""
    try:
        view = view_of(row)
        if view.deadline_at == row["deadline_at"]:
            return None
        values = {"end": view.deadline_at, "look": next_look(view, now)}
        return {"the_id": view.id, "expected": view.head, **values}
    except Exception:
        log.exception("the deadline of match %s could not be renewed", row["id"])
        return None


def _note(store: Store, found: Outage) -> bool:
    with store.write() as connection:
        return outages.add(connection, found)
