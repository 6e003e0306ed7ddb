"""Who plays: entries, and the waiting list behind them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row

from bgmail.dice import Chance
from bgmail.service import accounts
from bgmail.service.errors import Refused
from bgmail.service.notices import Kind
from bgmail.service.ratings.reading import strength
from bgmail.service.tournaments import telling
from bgmail.service.tournaments.desk import Desk, Wish, at_desk
from bgmail.service.tournaments.views import EntryState, State, Tournament, load
from bgmail.service.turns import check_nonce
from bgmail.store import tournaments as rows
from bgmail.store.engine import Store


@dataclass(frozen=True, slots=True)
class Entering:
    """What somebody says who enters: the `digest` of the conditions that they have read, that they play fair (no
    program and nobody else tells them what to play), and their part of the dice (None = the server makes it)."""

    digest: str
    fair_play: bool
    nonce: str | None = None


def enter(
    store: Store, tournament_id: str, account_id: int, wish: Entering, now: datetime, chance: Chance
) -> Tournament:
    """Takes a place, or one on the waiting list where all are taken; a second time changes nothing.

    Raises NotFound, Forbidden (shut out), Refused: `tournament_state`, `conditions_changed`, `fair_play`,
    `no_machines`, `unverified_entry`, `excluded`, `bad_nonce`.
    """
    check_nonce(wish.nonce)
    who = accounts.require_active(store, account_id)
    nonce = wish.nonce or chance.nonce()
    with at_desk(store, tournament_id, now, account_id) as desk:
        known = next((row for row in desk.entries() if row.account_id == account_id), None)
        if known is None or known.state == EntryState.LEFT:
            _may_enter(desk, wish, who)
            _take_place(desk, account_id, known, nonce, made_here=wish.nonce is None)
        elif known.state not in (EntryState.IN, EntryState.WAITING):
            raise Refused("excluded")
    return load(store, tournament_id, account_id)


def give_up(desk: Desk, entry: Row[Any], author_id: int | None, wish: Wish) -> None:
    """Takes out an entry that has not begun, whoever says so, and lets the waiting list move up."""
    rows.change_entry(desk.connection, desk.id, entry.number, state="left", seed=None, changed_at=desk.now)
    desk.note(author_id, wish)
    if entry.state == EntryState.IN:
        move_up(desk)


def move_up(desk: Desk) -> None:
    """Gives free places to those who have waited longest."""
    tournament = desk.tournament
    if tournament.state is not State.OPEN:
        return
    found = desk.entries()
    taken = sum(row.state == EntryState.IN for row in found)
    free = tournament.most - taken
    waiting = sorted(
        (row for row in found if row.state == EntryState.WAITING),
        key=lambda row: (row.entered_at, row.number),
    )
    for row in waiting[: max(0, free)]:
        rows.change_entry(desk.connection, desk.id, row.number, state="in", changed_at=desk.now)
        told = desk.note(None, Wish("moved_up", {"entry": row.number}))
        telling.tell(desk.connection, Kind.TOURNAMENT_ENTERED, desk.id, [row], desk.now, str(told))
    _starts_if_full(desk, taken + len(waiting[: max(0, free)]))


def _may_enter(desk: Desk, wish: Entering, who: accounts.Account) -> None:
    tournament = desk.tournament
    waits_for_a_gap = tournament.state is State.RUNNING and tournament.conditions.substitutes
    if tournament.state is not State.OPEN and not waits_for_a_gap:
        raise Refused("tournament_state", state=tournament.state.value)
    if wish.digest != tournament.digest:
        raise Refused("conditions_changed")
    if not wish.fair_play:
        raise Refused("fair_play")
    if who.is_bot and not tournament.conditions.machines:
        raise Refused("no_machines")
    if not (who.verified or who.is_bot):
        raise Refused("unverified_entry")


def _take_place(desk: Desk, account_id: int, known: Row[Any] | None, nonce: str, *, made_here: bool) -> None:
    tournament = desk.tournament
    waits = tournament.state is State.RUNNING or tournament.is_full
    values = {
        "state": "waiting" if waits else "in",
        "seed": None,
        "rating": strength(desk.connection, account_id, tournament.conditions.judged()[1].pace),
        "nonce": nonce,
        "server_nonce": made_here,
        "digest": tournament.digest,
        "entered_at": desk.now,
        "changed_at": None,
    }
    if known is None:
        number = rows.next_number(desk.connection, desk.id)
        identity = {"tournament_id": desk.id, "number": number, "account_id": account_id, "section": 0}
        rows.add_entry(desk.connection, identity | values)
    else:
        number = known.number
        rows.change_entry(desk.connection, desk.id, number, **values)
    desk.note(account_id, Wish("enter", {"entry": number, "digest": tournament.digest, "nonce": nonce}))
    if not waits:
        _starts_if_full(desk, tournament.entered + 1)


def _starts_if_full(desk: Desk, taken: int) -> None:
    tournament = desk.tournament
    if tournament.state is State.OPEN and tournament.starts_full and taken >= tournament.places:
        desk.wake()
