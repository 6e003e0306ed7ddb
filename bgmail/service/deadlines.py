"""The sweep: due matches are looked at one by one, recomputed, and moved through the same door as a player's.

The stored instant is only a hint where to look; what is due is computed from the clock.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from bgmail import timing
from bgmail.dice import Chance
from bgmail.rules.action import Action, Kind
from bgmail.rules.match import Phase
from bgmail.service.draft import Draft
from bgmail.service.notices import Kind as Notice
from bgmail.service.notices import fact, owe
from bgmail.service.turns import awaits_mail, commit, load_draft, next_look, overdue
from bgmail.service.views import MatchView
from bgmail.store import matches
from bgmail.store.engine import Store

PUT_OFF = timedelta(minutes=5)
MAIL_IS_READ = timedelta(seconds=10)
log = logging.getLogger(__name__)


def sweep_one(store: Store, now: datetime, chance: Chance) -> str | None:
    """Looks at the match that is longest overdue. Says what was done ("reminder <id>", ...); None = nothing is due.

    A match that fails is put off alone, so that it can't hold up the others.
    """
    with store.read() as connection:
        rows = matches.due(connection, now, 1)
    if not rows:
        return None
    match_id, due_at = rows[0]["id"], rows[0]["due_at"]
    try:
        return f"{_look(store, match_id, due_at, now, chance)} {match_id}"
    except Exception:
        log.exception("match %s could not be swept and is put off", match_id)
        with store.write() as connection:
            matches.put_off(connection, match_id, due_at, now + PUT_OFF)
        return f"failed {match_id}"


def _look(store: Store, match_id: str, due_at: datetime, now: datetime, chance: Chance) -> str:
    draft = load_draft(store, match_id, now, chance)
    view = draft.view
    if view.due_at != due_at:
        return "moved"
    if view.deadline_at and now >= view.deadline_at and awaits_mail(store, view):
        return _wait(store, view, now)
    if view.match.phase is Phase.INVITED:
        return _expire(store, draft)
    if overdue(view, now):
        return _lapse(store, draft)
    return _remind(store, view, now)


def _wait(store: Store, view: MatchView, now: datetime) -> str:
    """An answer by mail came in time and is about to be handled."""
    with store.write() as connection:
        put_off = matches.put_off(connection, view.id, view.due_at or now, now + MAIL_IS_READ)
    return "waits for its mail" if put_off else "moved"


def _expire(store: Store, draft: Draft) -> str:
    draft.act(Action(Kind.EXPIRE, None), "clock")
    return "expired" if commit(store, draft, actor=None) else "moved"


def _lapse(store: Store, draft: Draft) -> str:
    draft.lapse()
    return "timeout" if commit(store, draft, actor=None) else "moved"


def _remind(store: Store, view: MatchView, now: datetime) -> str:
    """Owes the newest reminder that has come due, once, and plans the next look."""
    passed = [reminder for reminder in timing.reminders(view.clock) if reminder.at <= now]
    person = view.person(view.match.on_turn) if view.match.on_turn is not None else None
    with store.write() as connection:
        if not matches.put_off(connection, view.id, view.due_at or now, next_look(view.clock, now)):
            return "moved"
        if not passed or person is None or person.is_bot:
            return "looked"
        which = passed[-1].which
        owe(
            connection,
            [
                fact(
                    Notice.REMINDER,
                    now,
                    account_id=person.id,
                    match_id=view.id,
                    version=view.version,
                    which=which,
                )
            ],
        )
    return f"reminder {which}"
