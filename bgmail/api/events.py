"""Server-sent events: tells a person's client which of their matches moved, soon after they did.

A stream holds a thread of the server but no connection to the database; it asks once a POLL, ends by itself
after LIFETIME, and the client comes back with the id it saw last. Where too many are open, it tells what is
new and ends at once, so that nobody is shut out and a browser's EventSource simply asks again. An event may
come twice.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from flask import Response, current_app, request

from bgmail import timing
from bgmail.api.auth import Caller
from bgmail.api.operations import Operation, offer
from bgmail.service.movements import Movement, moved_since
from bgmail.world import World, world

POLL = 1.0
LIFETIME = 25.0
"""Seconds; a server that is told to end waits for its streams, so they are short."""
HEARTBEAT = 10.0
RETRY_MILLISECONDS = 3000
MOST_OF_ONE = 2
MOST_OF_ALL = 8
OVERLAP = timedelta(seconds=15)
"""How far behind its own instant a move can be stored: it waited at the gate."""


class Streams:
    """How many streams are open in this process, in all and for each person."""

    def __init__(self) -> None:
        self._open: Counter[int] = Counter()
        self._lock = threading.Lock()

    def enter(self, account_id: int) -> bool:
        """Takes a place; False when there is none left."""
        with self._lock:
            free = self._open[account_id] < MOST_OF_ONE and self._open.total() < MOST_OF_ALL
            self._open[account_id] += free
            return free

    def leave(self, account_id: int) -> None:
        """Gives the place back."""
        with self._lock:
            self._open[account_id] -= 1
            self._open += Counter()  # drops what is zero


@offer(
    Operation(
        "GET", "/events", "events", "Which of your matches moved, as it happens", ("text/event-stream",)
    )
)
def events(caller: Caller) -> Response:
    """Event `match` with `{id, version, head, phase, on_turn}`; its id is where to go on from."""
    here = world()
    streams: Streams = current_app.extensions["bgmail.api.streams"]
    watch = Watch(here, caller.account_id, _since(here.now()))
    stays = streams.enter(caller.account_id)
    stream = _lasting(watch) if stays else _once(watch)
    response: Response = current_app.response_class(stream, content_type="text/event-stream")
    if stays:
        response.call_on_close(lambda: streams.leave(caller.account_id))
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


@dataclass(slots=True)
class Watch:
    """What one stream has told already."""

    here: World
    account_id: int
    since: datetime
    told: dict[str, int] = field(default_factory=dict)

    def news(self) -> str:
        """The events since the last question, ready to send; "" for none."""
        moved = moved_since(self.here.store, self.account_id, self.since - OVERLAP)
        fresh = [each for each in moved if self.told.get(each.id) != each.head]
        self.told |= {each.id: each.head for each in fresh}
        self.since = max([self.since, *(each.moved_at for each in moved)])
        return "".join(_event(each) for each in fresh)


def _event(moved: Movement) -> str:
    on_turn = None if moved.on_turn is None else moved.on_turn.word
    data = {
        "id": moved.id,
        "version": moved.version,
        "head": moved.head,
        "phase": moved.phase,
        "on_turn": on_turn,
    }
    return f"id: {timing.to_microseconds(moved.moved_at)}\nevent: match\ndata: {json.dumps(data)}\n\n"


def _lasting(watch: Watch) -> Iterator[str]:
    yield f"retry: {RETRY_MILLISECONDS}\n\n"
    end = time.monotonic() + LIFETIME
    quiet_since = time.monotonic()
    while time.monotonic() < end:
        news = watch.news()
        if not news and time.monotonic() - quiet_since >= HEARTBEAT:
            news = ": still here\n\n"
        if news:
            quiet_since = time.monotonic()
            yield news
        time.sleep(POLL)


def _once(watch: Watch) -> Iterator[str]:
    yield f"retry: {RETRY_MILLISECONDS}\n\n"
    yield watch.news()


def _since(now: datetime) -> datetime:
    """Where the client was: what it saw last, or now."""
    last = request.headers.get("Last-Event-ID", "")
    if last.isascii() and last.isdigit() and len(last) < 18:
        return min(now, timing.from_microseconds(int(last)))
    return now
