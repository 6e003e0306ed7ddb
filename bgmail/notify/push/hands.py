"""Sends the pushes that are due, a few at a time, so that one slow push service doesn't hold up the others."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from flask import Flask, current_app
from sqlalchemy import Row

from bgmail.notify.errands import attempt
from bgmail.notify.push.channel import PUSHES, Push
from bgmail.store import errands
from bgmail.world import World

HANDS = 8
AT_ONCE = 16
CLAIM = timedelta(minutes=2)
"""How long what was taken belongs to this process: much longer than AT_ONCE calls by HANDS may last."""
EXTENSION = "bgmail_push_hands"

log = logging.getLogger(__name__)


def push_some(world: World, now: datetime, channel: Push = PUSHES) -> list[str]:
    """Sends some pushes that are due; what was done, nothing when nothing was."""
    with world.store.read() as connection:
        if not errands.is_any_due(connection, channel.name, now):
            return []
    with world.store.write() as connection:
        claimed = errands.claim(connection, channel.name, now, now + CLAIM, AT_ONCE)
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    done = _hands(app).map(partial(_attempt, app, world, channel, now), claimed)
    return [said for one in done for said in one]


def _attempt(
    app: Flask, world: World, channel: Push, now: datetime, claimed: tuple[Row[Any], Row[Any]]
) -> list[str]:
    """One errand, in a thread of its own."""
    try:
        with app.app_context():
            return attempt(world, channel, [claimed], now)
    except Exception:  # its claim runs out, and it is tried again; the others go on
        log.exception("the push errand %s failed", claimed[0].id)
        return [f"failed {claimed[1].kind} {claimed[1].id}"]


def _hands(app: Flask) -> ThreadPoolExecutor:
    """The threads of this process, made when they are first needed."""
    found: ThreadPoolExecutor | None = app.extensions.get(EXTENSION)
    if found is None:
        found = app.extensions[EXTENSION] = ThreadPoolExecutor(HANDS, thread_name_prefix="push")
    return found
