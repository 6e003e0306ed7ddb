"""Makes the calls that are due, many at a time, so that a receiver which keeps us waiting keeps nobody else waiting.

To each webhook one call at a time, among all processes; to a host and for a person a few; and those that failed last
time never take more than half of the crew.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from flask import Flask, current_app
from sqlalchemy import Row

from bgmail.notify.errands import attempt
from bgmail.notify.hooks.channel import WEBHOOKS, Webhooks
from bgmail.notify.planning import plan_all
from bgmail.service.webhooks import MOST
from bgmail.store import webhooks
from bgmail.world import World

HANDS = 24
"""Calls under way at a time, in one process."""
HANDS_FOR_FAILING = HANDS // 2
MOST_A_HOST = 4
MOST_A_PERSON = 4
CLAIM = timedelta(minutes=2)
"""How long what was taken belongs to this process: much longer than a call may last."""
LOOKED_AT_A_HOST = MOST_A_HOST + HANDS // MOST_A_PERSON
LOOKED_AT = HANDS + HANDS // MOST_A_HOST * LOOKED_AT_A_HOST + HANDS // MOST_A_PERSON * MOST
"""Enough that somebody with room is among them, whatever stands before them of hosts and people that have none."""
LOOK_SECONDS = 0.5
"""How often it is looked for new calls while others are under way."""
EXTENSION = "bgmail_webhook_crew"

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Hands:
    """Who is busy, and with what."""

    calls: dict[Future[list[str]], Row[Any]] = field(default_factory=dict)

    def free(self, waiting: Iterable[Row[Any]]) -> list[Row[Any]]:
        """Those of the waiting webhooks that may be called now, in their order."""
        hosts = Counter(row.host for row in self.calls.values())
        people = Counter(row.account_id for row in self.calls.values())
        failing = sum(bool(row.is_failing) for row in self.calls.values())
        chosen: list[Row[Any]] = []
        for row in waiting:
            if len(self.calls) + len(chosen) >= HANDS:
                break
            crowded = hosts[row.host] >= MOST_A_HOST or people[row.account_id] >= MOST_A_PERSON
            if crowded or (row.is_failing and failing >= HANDS_FOR_FAILING):
                continue
            hosts[row.host] += 1
            people[row.account_id] += 1
            failing += bool(row.is_failing)
            chosen.append(row)
        return chosen


class Crew:
    """The threads of one process that make calls. `channel` says how."""

    def __init__(self, app: Flask, channel: Webhooks) -> None:
        self._app, self.channel = app, channel
        self._pool = ThreadPoolExecutor(HANDS, thread_name_prefix="webhook")

    def work(self, world: World) -> list[str]:
        """Makes every call that is due, also those that become due meanwhile; what was done.

        It ends when nothing is due and nothing under way.
        """
        hands, done = Hands(), list[str]()
        while self._take(world, hands) or hands.calls:
            ready, _ = wait(hands.calls, LOOK_SECONDS, FIRST_COMPLETED)
            for call in ready:
                del hands.calls[call]
                done += call.result()
        return done

    def leave(self) -> None:
        """Ends the threads once their calls are over."""
        self._pool.shutdown()

    def _take(self, world: World, hands: Hands) -> int:
        """Begins as many calls as there are hands for; how many."""
        now = world.now()
        plan_all(world, now)  # here too: the letters may wait for a mail server
        if len(hands.calls) >= HANDS:
            return 0
        with world.store.read() as connection:
            if not webhooks.is_any_due(connection, now):
                return 0
            line = webhooks.candidates(connection, now, LOOKED_AT_A_HOST, LOOKED_AT)
        chosen = {row.id: row for row in hands.free(line)}
        if not chosen:
            return 0
        with world.store.write() as connection:
            claimed = webhooks.claim(connection, chosen, now, now + CLAIM)
        for errand, notice in claimed:
            hands.calls[self._pool.submit(self._call, world, errand, notice)] = chosen[errand.target]
        return len(claimed)

    def _call(self, world: World, errand: Row[Any], notice: Row[Any]) -> list[str]:
        """One errand, in a thread of its own; whatever happens, its webhook is free afterwards."""
        try:
            with self._app.app_context():
                return attempt(world, self.channel, [(errand, notice)], world.now())
        except Exception:  # its claim runs out, and it is tried again; the others go on
            log.exception("the webhook errand %s failed", errand.id)
            return [f"failed {notice.kind} {notice.id}"]
        finally:
            self._release(world, errand.target)

    def _release(self, world: World, webhook_id: int) -> None:
        """Nobody need wait for a webhook that wasn't called after all: a call that was noted has released it."""
        with world.store.read() as connection:
            held = webhooks.is_busy(connection, webhook_id)
        if held:
            with world.store.write() as connection:
                webhooks.release(connection, webhook_id)


def crew() -> Crew:
    """The crew of this process, made when it is first needed."""
    found: Crew | None = current_app.extensions.get(EXTENSION)
    if found is None:
        app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
        found = current_app.extensions[EXTENSION] = Crew(app, WEBHOOKS)
    return found
