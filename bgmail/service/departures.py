"""Somebody has to go: shut out at once, their matches given up through the usual door, their offers ended."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from bgmail.dice import Chance
from bgmail.rules.action import Kind
from bgmail.service import accounts, invitations, matches, turns
from bgmail.service.errors import Refused, Stale
from bgmail.service.turns import Request
from bgmail.service.views import MatchView
from bgmail.store.engine import Store

AT_ONCE = 100


def ban(store: Store, account_id: int, now: datetime, chance: Chance) -> int:
    """Shuts a person out, resigns their running matches and ends their offers; how many matches that were.

    The opponents are told by the letters that such an end owes them. Safe to repeat: what one call did not
    reach, the next one does. Letting somebody in again (`accounts.unban`) brings no result back.
    """
    accounts.ban(store, account_id, now)
    for invitation in invitations.sent(store, account_id):
        _unless_moved(invitations.cancel, store, invitation.view.id, account_id, now, chance)
    for invitation in invitations.received(store, account_id):
        _unless_moved(invitations.decline, store, invitation.view.id, account_id, now, chance)
    resigned = 0
    while running := matches.mine(store, account_id, "running", AT_ONCE):
        for view in running:
            resigned += _resigns(store, view, account_id, now, chance)
    return resigned


def _resigns(store: Store, view: MatchView, account_id: int, now: datetime, chance: Chance) -> bool:
    request = Request(Kind.RESIGN_MATCH, view.version, via="server")
    try:
        turns.act(store, view.id, turns.seat(view, account_id), request, now, chance)
    except Stale:
        return False  # it moved on meanwhile: the next round finds it as it is then
    return True


def _unless_moved(
    end: Callable[[Store, str, int, datetime, Chance], MatchView],
    store: Store,
    match_id: str,
    account_id: int,
    now: datetime,
    chance: Chance,
) -> None:
    try:
        end(store, match_id, account_id, now, chance)
    except (Refused, Stale):
        return  # answered meanwhile: if it became a match, it is among the running ones
