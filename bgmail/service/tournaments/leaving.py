"""How an entry ends before the tournament does: by its own word, by an organiser's, or because its account is gone.

Whoever hasn't played yet may be replaced by the first on the waiting list; else the pairings that are left are lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row

from bgmail.dice import Chance
from bgmail.pairing.ahead import has_more
from bgmail.pairing.field import Field, How
from bgmail.rules.match import Phase
from bgmail.rules.score import Ending
from bgmail.rules.side import Side
from bgmail.service.errors import Refused
from bgmail.service.notices import Kind
from bgmail.service.tournaments import advancing, rounds, telling
from bgmail.service.tournaments.desk import Desk, Wish, at_desk
from bgmail.service.tournaments.entering import give_up
from bgmail.service.tournaments.field import field_of, pairing_of
from bgmail.service.tournaments.views import Entrant, EntryState, State, Tournament, load
from bgmail.store import appearances, series
from bgmail.store import tournaments as rows
from bgmail.store.engine import Store

OUT = {
    "withdraw": EntryState.WITHDRAWN,
    "exclude": EntryState.EXCLUDED,
    "disqualify": EntryState.DISQUALIFIED,
}
PUT_OUT = ("exclude", "disqualify")
"""The commands after which somebody can't come back."""


def leave(store: Store, tournament_id: str, account_id: int, now: datetime, chance: Chance) -> Tournament:
    """Gives a place up: before the start the first who waits gets it, later one's matches that are left are lost. A
    second time changes nothing.

    Raises NotFound, and Refused("not_entered"), ("nothing_left") for somebody who has played all or was eliminated, or
    ("tournament_state") where it is over.
    """
    with at_desk(store, tournament_id, now) as desk:
        known = next((row for row in desk.entries() if row.account_id == account_id), None)
        if known is None:
            raise Refused("not_entered")
        if known.state in (EntryState.IN, EntryState.WAITING):
            desk.require(State.OPEN, State.RUNNING)
            if not can_leave(desk.tournament, _field(desk), known):
                raise Refused("nothing_left")
            take_out(desk, known, account_id, Wish("withdraw", {"entry": known.number}))
    advancing.settle(store, tournament_id, now, chance)
    return load(store, tournament_id, account_id)


def can_leave(tournament: Tournament, field: Field, entry: Row[Any] | Entrant) -> bool:
    """Whether there is anything that an entry could give up: a place before the start or on the waiting list, later
    a match that it has or may still get."""
    if tournament.state is State.RUNNING and entry.state == EntryState.IN:
        return has_more(tournament.plan.format(), field, entry.number)
    is_here = entry.state in (EntryState.IN, EntryState.WAITING)
    return is_here and tournament.state in (State.OPEN, State.RUNNING)


def _field(desk: Desk) -> Field:
    pairings = [pairing_of(row) for row in rows.pairings(desk.connection, desk.id)]
    return field_of(desk.entries(), pairings, desk.tournament.lot)


def depart(store: Store, account_id: int, now: datetime) -> None:
    """Somebody is shut out or has closed their account: they leave every tournament that isn't over. An organiser may
    give them another's place meanwhile, and with it another number."""
    with store.read() as connection:
        found = rows.of_person(connection, account_id, (State.OPEN.value, State.RUNNING.value))
    for tournament_id in dict.fromkeys(entry.tournament_id for entry in found):
        with at_desk(store, tournament_id, now) as desk:
            known = next((row for row in desk.entries() if row.account_id == account_id), None)
            if known is not None and known.state in (EntryState.IN, EntryState.WAITING):
                take_out(desk, known, None, Wish("withdraw", {"entry": known.number, "why": "gone"}))


def take_out(desk: Desk, entry: Row[Any], author_id: int | None, wish: Wish) -> None:
    """Takes an entry out by the command of `wish`, and replaces it where the conditions say so. One that is out, or
    waits, needs no more than its row."""
    if desk.tournament.state is State.OPEN or entry.state == EntryState.WAITING:
        give_up(desk, entry, author_id, wish)
        return
    desk.require(State.RUNNING)
    substitute = first_waiting(desk) if desk.tournament.conditions.substitutes else None
    if substitute is not None and not has_played(desk, entry):
        replace(desk, entry, substitute, author_id, wish)
        return
    state = OUT[wish.command].value
    rows.change_entry(desk.connection, desk.id, entry.number, state=state, changed_at=desk.now)
    rounds.redraw_around(desk)
    _void_gifts(desk, entry)
    _out_of_the_league(desk, entry.account_id)
    desk.note(author_id, wish)
    desk.wake()


def _out_of_the_league(desk: Desk, account_id: int) -> None:
    """Who is out of a season has left its league, and may join it anew for the next one."""
    one = desk.tournament
    if one.series_id is not None:
        series.leave_if_out(desk.connection, one.series_id, one.season, account_id, desk.now)


def _void_gifts(desk: Desk, entry: Row[Any]) -> None:
    """Who was left without an opponent, and leaves while that round goes on, hasn't won it: both forfeit."""
    every = rows.pairings(desk.connection, desk.id)
    out = {row.number for row in desk.entries() if row.state != EntryState.IN}
    for row in every:
        if row.second is None or entry.number not in (row.first, row.second) or row.decided:
            continue
        is_open = any(other.how is None for other in every if other.round == row.round)
        other = row.second if entry.number == row.first else row.first
        if other in out and is_open and _won_by_forfeit(row, entry.number):
            both = {"winner": None, "how": How.FORFEIT.value, "decided": True, "ended_at": desk.now}
            rows.change_pairing(desk.connection, desk.id, row.key, **both)


def _won_by_forfeit(row: Row[Any], number: int) -> bool:
    if row.how is not None:
        return bool(row.how == How.FORFEIT and row.winner == number)
    if row.match_phase != Phase.OVER or row.match_ending != Ending.FORFEIT:
        return False
    return bool(number == (row.first if row.match_winner == Side.WHITE else row.second))


def replace(desk: Desk, entry: Row[Any], substitute: Row[Any], author_id: int | None, wish: Wish) -> None:
    """Gives the place of an entry to somebody who waits: the number stays, the person changes, and what has begun
    begins anew. Whoever had it is "left", or "barred" if put out, under the number with which the other waited."""
    theirs = ("account_id", "rating", "nonce", "server_nonce", "digest", "entered_at")
    taken = {name: getattr(substitute, name) for name in theirs}
    given = {name: getattr(entry, name) for name in theirs}
    rows.drop_entry(desk.connection, desk.id, substitute.number)
    rows.change_entry(desk.connection, desk.id, entry.number, state="in", changed_at=desk.now, **taken)
    put_out = wish.command in PUT_OUT or entry.state == EntryState.EXCLUDED
    state = (EntryState.BARRED if put_out else EntryState.LEFT).value
    left = {"state": state, "seed": None, "section": 0, "changed_at": desk.now, **given}
    rows.add_entry(desk.connection, {"tournament_id": desk.id, "number": substitute.number, **left})
    for row in pairings_of(desk, entry.number):
        if row.match_id is not None:
            again = {"match_id": None, "begun_at": None, "attempt": row.attempt + 1}
            rows.change_pairing(desk.connection, desk.id, row.key, **again)
    who = {"substitute": substitute.account_id, "instead_of": entry.account_id}
    _out_of_the_league(desk, entry.account_id)
    told = desk.note(author_id, wish, {**who, "waited": substitute.number})
    telling.tell(desk.connection, Kind.TOURNAMENT_ENTERED, desk.id, [substitute], desk.now, str(told))
    desk.wake()


def first_waiting(desk: Desk) -> Row[Any] | None:
    """Who has waited longest for a place."""
    waiting = [row for row in desk.entries() if row.state == EntryState.WAITING]
    return min(waiting, key=lambda row: (row.entered_at, row.number), default=None)


def has_played(desk: Desk, entry: Row[Any]) -> bool:
    """Whether an entry has a result already, or made a play of its own in a match that runs."""
    its = pairings_of(desk, entry.number)
    if any(row.how is not None or row.match_phase == Phase.OVER for row in its):
        return True
    seats = {row.match_id: "white" if row.first == entry.number else "black" for row in its if row.match_id}
    acted = appearances.acted(desk.connection, seats)
    return any((match_id, seat) in acted for match_id, seat in seats.items())


def pairings_of(desk: Desk, number: int) -> Sequence[Row[Any]]:
    """The pairings of an entry."""
    return [row for row in rows.pairings(desk.connection, desk.id) if number in (row.first, row.second)]
