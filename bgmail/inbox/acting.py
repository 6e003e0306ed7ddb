"""Carries out what a mail asks for beyond doubt, by the door that every other way in uses. Safe to repeat."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bgmail.inbox.reader import MOST_COMMANDS
from bgmail.inbox.reading import Command
from bgmail.inbox.wishes import Wish, meant
from bgmail.ledger.entry import Entry
from bgmail.rules.side import Side
from bgmail.service import invitations, turns
from bgmail.service.errors import Refused, Stale
from bgmail.service.turns import Request
from bgmail.service.views import MatchView
from bgmail.world import World

GOES_ON = "decline_resignation"
"""After this, and nothing else, the same person knows enough to go on in the same mail."""
ANSWERS_TO_OFFERS = ("accept", "decline")


@dataclass(frozen=True, slots=True)
class Task:
    """A mail that is beyond doubt: who acts in which match at which version, and when the mail was accepted."""

    view: MatchView
    side: Side
    account_id: int
    fingerprint: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a mail: the match afterwards, and the commands that were not carried out."""

    view: MatchView
    left: tuple[str, ...]


def carry_out(world: World, task: Task, first: Wish, more: Sequence[Command]) -> Done:
    """Does `first`, and of `more` what makes sense after it. Raises Stale, Refused, when nothing was done."""
    view, wish, left = task.view, first, list(more)
    for count in range(len(more) + 1):
        try:
            view = _do(world, task, view, wish, count)
        except (Stale, Refused):
            if not count:
                raise
            left = list(more[count - 1 :])
            break
        left = list(more[count:])
        if not left or wish.action != GOES_ON or view.match.on_turn is not task.side:
            break
        next_one = meant(view.match, task.side, left[0])
        if next_one.trouble:
            break
        wish = next_one.wishes[0]
    return Done(view, tuple(command.text for command in left))


def _do(world: World, task: Task, view: MatchView, wish: Wish, count: int) -> MatchView:
    """One wish, at the instant at which our receiver accepted the mail: late handling costs its writer no time."""
    nonce = _nonce(task.fingerprint, count)
    at = max(task.at, view.moved_at)
    if wish.action in ANSWERS_TO_OFFERS:
        return _answer_offer(world, task, view, wish, nonce, at)
    key = f"mail:{task.fingerprint[:40]}:{count}"
    request = Request(wish.action, view.version, wish.play, wish.value, nonce, key, "mail")
    return turns.act(world.store, view.id, task.side, request, at, world.chance).view


def _answer_offer(
    world: World, task: Task, view: MatchView, wish: Wish, nonce: str, at: datetime
) -> MatchView:
    store, version = world.store, view.version
    if wish.action == "accept":
        return invitations.accept(
            store, view.id, task.account_id, at, world.chance, version=version, nonce=nonce, via="mail"
        )
    return invitations.decline(store, view.id, task.account_id, at, world.chance, version=version, via="mail")


def done_before(fingerprint: str, entries: Iterable[Entry]) -> int:
    """How many of a mail's commands are in the log already: a worker of ours may have died after them."""
    nonces = {_nonce(fingerprint, count) for count in range(MOST_COMMANDS)}
    return sum(
        1
        for entry in entries
        if entry.via == "mail" and (entry.nonce in nonces or (entry.kind == "decline" and not entry.nonce))
    )


def _nonce(fingerprint: str, count: int) -> str:
    """What the person adds to the dice: made from the mail as they wrote it."""
    return hashlib.sha256(f"{fingerprint}/{count}".encode()).hexdigest()[:32]
