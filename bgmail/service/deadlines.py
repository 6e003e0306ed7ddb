"""The sweep: due matches are looked at, recomputed, and moved through the same door as a player's, many in one
transaction.

The stored instant is only a hint where to look; what is due is computed from the clock. Each match is judged outside
the lock and written by a guarded change of its own: what somebody else moved meanwhile is looked at again.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from bgmail import timing
from bgmail.dice import Chance
from bgmail.rules.action import Action, Kind
from bgmail.rules.match import Phase
from bgmail.service import respites
from bgmail.service.draft import Draft
from bgmail.service.notices import Kind as Notice
from bgmail.service.notices import fact, machines_of, owe
from bgmail.service.turns import Finished, draft_of, next_look, overdue, write
from bgmail.service.views import MatchView
from bgmail.store import inbound, matches
from bgmail.store.engine import Store

MOST = 50
SHORT = 0.012
"""So many matches at most in one transaction, and no more of them once so many seconds are over: players wait for it,
and what comes after that, logs, notices and the disk, takes about three times as long again."""
PUT_OFF = timedelta(minutes=5)
MAIL_IS_READ = timedelta(seconds=10)
MOVED = "moved"
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Step:
    """What is to be done about one match that was found by its instant `was`.

    Either it moves on (`finished`), or the sweep looks again at `until` and owes the facts; of `machines` only those
    with a webhook are told.
    """

    match_id: str
    was: datetime
    said: str
    finished: Finished | None = None
    until: datetime | None = None
    facts: Sequence[dict[str, Any]] = ()
    machines: Sequence[int] = ()


def sweep_some(store: Store, now: datetime, chance: Chance, most: int = MOST) -> list[str]:
    """Looks at the matches that are longest overdue, `most` of them. Says what was done about each ("timeout <id>",
    "reminder <which> <id>", ...); [] = nothing is due.

    A match that fails is put off alone, so that it can't hold up the others.
    """
    with store.read() as connection:
        found = matches.due(connection, now, most)
        if not found:
            return []
        mail = inbound.waiting(connection, [row["id"] for row, _ in found])
    return _swept(store, found, mail, now, chance)


def sweep_match(store: Store, match_id: str, now: datetime, chance: Chance) -> list[str]:
    """The same for one match that somebody watches, so that its time is over to the second; [] = it isn't due."""
    with store.read() as connection:
        found = matches.view_with_secrets(connection, match_id)
        if found is None or found[0]["due_at"] is None or found[0]["due_at"] > now:
            return []
        mail = inbound.waiting(connection, [match_id])
    return _swept(store, [found], mail, now, chance)


def _swept(
    store: Store, found: Sequence[matches.Found], mail: dict[str, datetime], now: datetime, chance: Chance
) -> list[str]:
    left, said = [_judged(store, each, mail, now, chance) for each in found], []
    while left:
        try:
            done = _write(store, left)
        except Exception:
            log.exception("%s matches could not be written together", len(left))
            done = [_write_alone(store, step, now) for step in left]
        said += done
        left = left[len(done) :]
    return said


def _write(store: Store, steps: Sequence[Step]) -> list[str]:
    """Writes the first of them, as many as fit into a short transaction; what was done about those."""
    done: list[Step | None] = []
    with store.write() as connection:
        until = time.perf_counter() + SHORT
        for step in steps:
            done.append(step if _change(connection, step) else None)
            if time.perf_counter() > until:
                break
        won = [step for step in done if step]
        write(connection, [step.finished for step in won if step.finished])
        machines = [one for step in won for one in step.machines]
        owe(connection, [fact for step in won for fact in step.facts], machines)
    return [
        f"{taken.said if taken else MOVED} {step.match_id}" for step, taken in zip(steps, done, strict=False)
    ]


def _change(connection: Connection, step: Step) -> bool:
    """Takes the match; False when somebody was faster."""
    if step.finished:
        return step.finished.advance(connection)
    return matches.put_off(connection, step.match_id, step.was, step.until)


def _write_alone(store: Store, step: Step, now: datetime) -> str:
    try:
        return _write(store, [step])[0]
    except Exception:
        log.exception("match %s could not be written by the sweep and is put off", step.match_id)
        return _write(store, [Step(step.match_id, step.was, "failed", until=now + PUT_OFF)])[0]


def _judged(
    store: Store, found: matches.Found, mail: dict[str, datetime], now: datetime, chance: Chance
) -> Step:
    match_id, was = found[0]["id"], found[0]["due_at"]
    try:
        return _judge(store, draft_of(store, found, now, chance), was, mail.get(match_id))
    except Exception:
        log.exception("match %s could not be swept and is put off", match_id)
        return Step(match_id, was, "failed", until=now + PUT_OFF)


def _judge(store: Store, draft: Draft, was: datetime, mail_from: datetime | None) -> Step:
    view, now = draft.view, draft.now
    due = view.deadline_at is not None and now >= view.deadline_at
    if due and mail_from and view.deadline_at and mail_from < view.deadline_at:
        return Step(view.id, was, "waits for its mail", until=now + MAIL_IS_READ)
    if view.match.phase is Phase.INVITED:
        draft.act(Action(Kind.EXPIRE, None), "clock")
        return Step(view.id, was, "expired", Finished.of(draft, None))
    if overdue(view, now):
        held = respites.hold(store, draft)
        if not held:
            draft.lapse()
        return Step(view.id, was, "held" if held else "timeout", Finished.of(draft, None))
    return _remind(view, was, now)


def _remind(view: MatchView, was: datetime, now: datetime) -> Step:
    """Owes the newest reminder that has come due, once, and plans the next look."""
    passed = [
        reminder for reminder in timing.reminders(view.clock, view.running_pauses) if reminder.at <= now
    ]
    person = view.person(view.match.on_turn) if view.match.on_turn is not None else None
    until = next_look(view, now)
    if not passed or person is None:
        return Step(view.id, was, "looked", until=until)
    which = passed[-1].which
    owed = fact(
        Notice.REMINDER, now, account_id=person.id, match_id=view.id, version=view.version, which=which
    )
    return Step(view.id, was, f"reminder {which}", until=until, facts=[owed], machines=machines_of(view))
