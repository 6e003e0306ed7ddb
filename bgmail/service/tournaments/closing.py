"""How a tournament ends: when nothing is left to play, by an organiser's word, or by being cancelled."""

from __future__ import annotations

from typing import Any

from bgmail.rules.match import Phase
from bgmail.service.errors import Refused
from bgmail.service.notices import Kind
from bgmail.service.tournaments import telling
from bgmail.service.tournaments.desk import Desk, Wish, reasoned
from bgmail.service.tournaments.views import State
from bgmail.store import tournaments as rows
from bgmail.store.tournaments import PLAYING


def finish(desk: Desk) -> None:
    """It is over, and its secret is published: everybody can check what followed from it."""
    desk.change(state=State.OVER.value, finished_at=desk.now)
    players = [row for row in desk.entries() if row.state in PLAYING]
    telling.tell(desk.connection, Kind.TOURNAMENT_OVER, desk.id, players, desk.now)
    publish(desk)


def publish(desk: Desk) -> None:
    """Shows the secret, once no match needs it any more."""
    desk.change(published=desk.secret().hex())
    rows.drop_secret(desk.connection, desk.id)


def close(desk: Desk, author_id: int, wish: Wish) -> None:
    """Ends a tournament with the standings as they are; what has not begun is not played. Raises
    Refused("matches_run") while a match goes on, ("reason_needed")."""
    if desk.tournament.state is State.OVER:
        return
    reasoned(wish)
    desk.require(State.RUNNING)
    found = rows.pairings(desk.connection, desk.id)
    if any(row.match_id is not None and row.match_phase != Phase.OVER for row in found):
        raise Refused("matches_run")
    if any(row.how is None and row.match_id is not None for row in found):
        raise Refused("results_come")
    rows.drop_pairings(desk.connection, desk.id, [row.key for row in found if row.how is None])
    desk.note(author_id, wish)
    finish(desk)
    desk.wake()


def cancel(desk: Desk, author_id: int, wish: Wish) -> None:
    """Calls a tournament off: the matches that run are annulled, those that ended stay. Raises
    Refused("reason_needed")."""
    if desk.tournament.state is State.CANCELLED:
        return
    reasoned(wish)
    desk.require(State.DRAFT, State.OPEN, State.RUNNING)
    desk.change(state=State.CANCELLED.value, finished_at=desk.now)
    desk.note(author_id, wish)
    everybody = telling.everybody(desk.entries())
    said: dict[str, Any] = {"author": author_id, "reason": wish.reason}
    telling.tell(desk.connection, Kind.TOURNAMENT_CANCELLED, desk.id, everybody, desk.now, **said)
    desk.wake()
