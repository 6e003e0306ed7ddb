"""Somebody has to go, or wants to: shut out at once, their matches given up through the usual door, their offers ended.

The first step is one transaction, and says in the row that the others are to follow. Whoever dies in between leaves
the rest to the scheduler.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from functools import partial

from bgmail.dice import Chance
from bgmail.phrases.people import CLOSED
from bgmail.rules.action import Kind
from bgmail.rules.score import Ending
from bgmail.service import accounts, corrections, invitations, matches, ties, turns
from bgmail.service.corrections import Verdict
from bgmail.service.errors import Stale
from bgmail.service.tournaments import leaving
from bgmail.service.turns import Request
from bgmail.service.views import MatchView
from bgmail.store import farewells, people
from bgmail.store.engine import Store

AT_ONCE = 100
REST = timedelta(hours=1)
"""How long a departure rests that failed."""

log = logging.getLogger(__name__)


def ban(store: Store, account_id: int, now: datetime, chance: Chance) -> int:
    """Shuts a person out, resigns their running matches and ends their offers; how many matches that were.

    The opponents are told by the letters that such an end owes them. Safe to repeat: what one call did not
    reach, the next one does. Letting somebody in again (`accounts.unban`) brings no result back.
    """
    accounts.ban(store, account_id, now)
    return finish(store, account_id, now, chance)


def close(store: Store, account_id: int, now: datetime, chance: Chance) -> int:
    """Closes an account for good on its owner's wish; how many matches were resigned.

    Address, password, logins, settings, ties and notes are erased. Results and chat stay, under "closed account";
    nobody else can take the handle, and it isn't shown any more. A second time changes nothing.
    """
    with store.write() as connection:
        row = people.by_id(connection, account_id)
        if row is None or row.closed_at is not None:
            return 0
        farewells.erase(connection, account_id, CLOSED, now)
    return finish(store, account_id, now, chance)


def step(store: Store, now: datetime, chance: Chance) -> str | None:
    """Ends what somebody left behind whose departure was cut short; None = nobody did."""
    with store.read() as connection:
        account_id = farewells.leaving(connection, now)
    if account_id is None:
        return None
    try:
        return f"gone {account_id}, matches resigned: {finish(store, account_id, now, chance)}"
    except Exception:
        log.exception("the departure of account %s failed and is put off", account_id)
        with store.write() as connection:
            people.change(connection, account_id, leaving_at=now + REST)
        return f"failed {account_id}"


def finish(store: Store, account_id: int, now: datetime, chance: Chance) -> int:
    """Ends the offers and matches of somebody who is shut out already; how many matches were resigned."""
    leaving.depart(store, account_id, now)
    for waiting in (invitations.sent, invitations.received):
        ties.end_offers(partial(waiting, store, account_id), store, account_id, now, chance)
    resigned = 0
    while running := matches.mine(store, account_id, "running", AT_ONCE):
        for view in running:
            resigned += _resigns(store, view, account_id, now, chance)
    with store.write() as connection:
        farewells.gone(connection, account_id)
    return resigned


def _resigns(store: Store, view: MatchView, account_id: int, now: datetime, chance: Chance) -> bool:
    if view.tournament:
        verdict = Verdict(turns.seat(view, account_id).other, Ending.FORFEIT, why="left")
        corrections.end(store, view.id, verdict, now, chance)
        return True
    request = Request(Kind.RESIGN_MATCH, view.version, via="server")
    try:
        turns.act(store, view.id, turns.seat(view, account_id), request, now, chance)
    except Stale:
        return False  # it moved on meanwhile: the next round finds it as it is then
    return True
