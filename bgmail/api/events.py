"""The stream for a person's program: which of their matches moved, soon after they did. It may tell one twice."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from flask import Response, request

from bgmail import streams, timing
from bgmail.api.auth import Caller
from bgmail.api.operations import Operation, offer
from bgmail.service.movements import Movement, moved_since
from bgmail.world import World, world

OVERLAP = timedelta(seconds=15)
"""How far behind its own instant a move can be stored: it waited at the gate."""


@offer(
    Operation(
        "GET", "/events", "events", "Which of your matches moved, as it happens", ("text/event-stream",)
    )
)
def events(caller: Caller) -> Response:
    """Event `match` with `{id, version, head, phase, on_turn}`; its id is where to go on from."""
    here = world()
    return streams.answer(caller.account_id, Watch(here, caller.account_id, _since(here.now())).news)


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
    return streams.event(timing.to_microseconds(moved.moved_at), "match", json.dumps(data))


def _since(now: datetime) -> datetime:
    """Where the client was: what it saw last, or now."""
    last = request.headers.get("Last-Event-ID", "")
    if last.isascii() and last.isdigit() and len(last) < 18:
        return min(now, timing.from_microseconds(int(last)))
    return now
