"""What lists of tournaments say: how many there are of each kind, and whether one has changed."""

from __future__ import annotations

from dataclasses import dataclass

from bgmail.service.errors import NotFound
from bgmail.service.tournaments.views import State
from bgmail.store import tournament_lists as rows
from bgmail.store.engine import Store

SHOWN = (State.OPEN, State.RUNNING, State.OVER, State.CANCELLED)


@dataclass(frozen=True, slots=True)
class Counts:
    """How many tournaments are open to entries, running and over (or cancelled); `mine` are those that somebody plays
    or organises."""

    open: int
    running: int
    over: int
    mine: int = 0


def counts(store: Store, account_id: int | None = None) -> Counts:
    """How many there are; drafts count among one's own alone."""
    with store.read() as connection:
        found = rows.counted(connection, [state.value for state in SHOWN])
        mine = rows.counted_of(connection, account_id) if account_id is not None else 0
    over = found.get(State.OVER, 0) + found.get(State.CANCELLED, 0)
    return Counts(found.get(State.OPEN, 0), found.get(State.RUNNING, 0), over, mine)


def mark(store: Store, tournament_id: str) -> str:
    """What changes whenever something happens in a tournament. Raises NotFound."""
    with store.read() as connection:
        found = rows.mark(connection, tournament_id)
    if found is None:
        raise NotFound("no_tournament")
    return f"{found.head}-{found.stirred}"
