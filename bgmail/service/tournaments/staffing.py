"""Who has which place, and who organises: people taken out, replaced, and organisers who come and go."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row

from bgmail.service import names
from bgmail.service.errors import Refused
from bgmail.service.tournaments import leaving
from bgmail.service.tournaments.desk import Desk, Wish, entry_at, reasoned
from bgmail.service.tournaments.views import EntryState, State
from bgmail.store import people
from bgmail.store import tournaments as rows

MOST_ORGANISERS = 20
GONE = (EntryState.WITHDRAWN, EntryState.EXCLUDED, EntryState.DISQUALIFIED, EntryState.BARRED)


def withdraw(desk: Desk, author_id: int, wish: Wish) -> None:
    """Takes an entry out as if it had withdrawn itself. Raises Refused("no_entry")."""
    entry = entry_at(desk, wish, EntryState.WAITING, EntryState.IN, EntryState.LEFT, EntryState.WITHDRAWN)
    if entry.state in (EntryState.WAITING, EntryState.IN):
        leaving.take_out(desk, entry, author_id, wish)


def exclude(desk: Desk, author_id: int, wish: Wish) -> None:
    """Takes an entry out for good, before the start or later; it can't come back. Raises Refused("no_entry"),
    ("reason_needed")."""
    reasoned(wish)
    entry = entry_at(desk, wish, EntryState.WAITING, EntryState.IN, EntryState.LEFT, *GONE)
    _put_out(desk, entry, author_id, wish, EntryState.EXCLUDED)


def disqualify(desk: Desk, author_id: int, wish: Wish) -> None:
    """Takes an entry out and annuls its results as far as the format can: also of one that is out already, and when all
    is over. Raises as `exclude`."""
    reasoned(wish)
    entry = entry_at(desk, wish, EntryState.WAITING, EntryState.IN, EntryState.LEFT, *GONE)
    _put_out(desk, entry, author_id, wish, EntryState.DISQUALIFIED)


def _put_out(desk: Desk, entry: Row[Any], author_id: int, wish: Wish, state: EntryState) -> None:
    if entry.state in (state, EntryState.BARRED):
        return
    running = desk.tournament.state in (State.RUNNING, State.OVER)
    if not running or entry.state in (EntryState.WAITING, EntryState.LEFT):
        if entry.state != EntryState.LEFT:
            leaving.take_out(desk, entry, author_id, wish)
        else:
            desk.note(author_id, wish)
        rows.change_entry(desk.connection, desk.id, entry.number, state=EntryState.BARRED.value)
    elif entry.state == EntryState.IN and desk.tournament.state is State.RUNNING:
        leaving.take_out(desk, entry, author_id, wish)
    else:
        rows.change_entry(desk.connection, desk.id, entry.number, state=state.value, changed_at=desk.now)
        desk.note(author_id, wish)
        desk.wake()


def replace(desk: Desk, author_id: int, wish: Wish) -> None:
    """Gives the place of an entry that has not played to somebody who waits: the one named `by` number, or the first.

    Raises Refused: no_entry, nobody_waits, has_played.
    """
    desk.require(State.RUNNING)
    entry = entry_at(desk, wish, EntryState.IN, EntryState.WITHDRAWN, EntryState.EXCLUDED)
    by = wish.data.get("by")
    if by is None:
        substitute = leaving.first_waiting(desk)
    else:
        substitute = entry_at(desk, Wish(wish.command, {"entry": by}), EntryState.WAITING)
    if substitute is None:
        raise Refused("nobody_waits")
    if leaving.has_played(desk, entry):
        raise Refused("has_played")
    leaving.replace(desk, entry, substitute, author_id, wish)


def add_organiser(desk: Desk, author_id: int, wish: Wish) -> None:
    """Lets another person command it too: `handle`. Raises Refused("no_such_organiser"), ("too_many_organisers")."""
    account = _named(desk, wish)
    account_id = account.id
    if not _can_organise(account):
        raise Refused("no_such_organiser")
    if rows.is_organiser(desk.connection, desk.id, account_id):
        return
    if len(rows.organisers(desk.connection, desk.id)) >= MOST_ORGANISERS:
        raise Refused("too_many_organisers", most=MOST_ORGANISERS)
    rows.add_organiser(desk.connection, desk.id, account_id, desk.now)
    desk.note(author_id, wish, kept={"handle": account_id})


def remove_organiser(desk: Desk, author_id: int, wish: Wish) -> None:
    """Somebody commands it no more; one has to stay who still can. Raises Refused("no_such_organiser"),
    ("last_organiser")."""
    account_id = _named(desk, wish).id
    if not rows.is_organiser(desk.connection, desk.id, account_id):
        return
    found = rows.organisers(desk.connection, desk.id)
    if not any(one.id != account_id and _can_organise(one) for one in found):
        raise Refused("last_organiser")
    rows.drop_organiser(desk.connection, desk.id, account_id)
    desk.note(author_id, wish, kept={"handle": account_id})


def _named(desk: Desk, wish: Wish) -> Row[Any]:
    handle = wish.data.get("handle")
    row = people.by_handle(desk.connection, names.handle_key(handle)) if isinstance(handle, str) else None
    if row is None or not names.same(row.handle, str(handle)):
        raise Refused("no_such_organiser")
    return row


def _can_organise(account: Row[Any]) -> bool:
    """A person does, who is here."""
    return account.closed_at is None and account.banned_at is None and not account.is_bot
