"""From one waiting match to the next: in which order, and what was skipped on the way. It lives in the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from bgmail.service import matches
from bgmail.service.matches import Waiting
from bgmail.web import queue
from bgmail.world import world

MOST_SKIPPED = 60
"""So many skipped matches an address remembers; with more, the first ones come round again."""


@dataclass(frozen=True, slots=True)
class Walk:
    """One way through the queue. `is_on` from the first step that led from a match to the next."""

    order: str = queue.DEFAULT
    skipped: tuple[str, ...] = ()
    is_on: bool = False

    @property
    def args(self) -> dict[str, Any]:
        """What an address says of it."""
        if self.is_on:
            return {"order": self.order, "walk": ".".join(self.skipped)}
        return {"order": self.order} if self.order != queue.DEFAULT else {}

    def on(self) -> Walk:
        """The same after a step."""
        return replace(self, is_on=True)

    def skipping(self, match_id: str) -> Walk:
        """The same after a step past a match that stays unanswered."""
        kept = [one for one in self.skipped if one != match_id]
        return replace(self, is_on=True, skipped=(*kept, match_id)[-MOST_SKIPPED:])


def walk_of(args: Mapping[str, str]) -> Walk:
    """The walk that an address tells of."""
    skipped = tuple(filter(None, args.get("walk", "").split(".")))[-MOST_SKIPPED:]
    return Walk(queue.order_named(args.get("order")), skipped, "walk" in args)


def waiting(account_id: int, walk: Walk, now: datetime) -> list[Waiting]:
    """What waits for a person, in the order of the walk."""
    return queue.ordered(matches.waiting(world().store, account_id), walk.order, now)


def next_after(match_id: str, found: list[Waiting], walk: Walk) -> Waiting | None:
    """The one after this match, round to the first again, without itself and those that were skipped."""
    ids = [one.id for one in found]
    start = ids.index(match_id) + 1 if match_id in ids else 0
    passed = {match_id, *walk.skipped}
    return next((one for one in found[start:] + found[:start] if one.id not in passed), None)
