"""What organisers say: each command is one transaction and one entry of the log, and safe to repeat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from bgmail.service.errors import Refused
from bgmail.service.tournaments import starting
from bgmail.service.tournaments.desk import Desk, Wish, at_desk, check_wish, may_command
from bgmail.service.tournaments.views import State, Tournament, load
from bgmail.store import tournaments as rows
from bgmail.store.engine import Store

Command = Callable[[Desk, int, Wish], None]


def command(store: Store, tournament_id: str, account_id: int, wish: Wish, now: datetime) -> Tournament:
    """Carries out one command; the same again under its key changes nothing.

    Raises NotFound, Forbidden("not_organiser"), KeyReused, and Refused with a code that says why it can't be done now.
    """
    check_wish(wish)
    act = COMMANDS.get(wish.command)
    if act is None:
        raise Refused("unknown_command", command=wish.command, known=", ".join(sorted(COMMANDS)))
    with at_desk(store, tournament_id, now) as desk:
        may_command(desk, account_id)
        if not desk.was_done(wish):
            act(desk, account_id, wish)
    return load(store, tournament_id, account_id)


def _open(desk: Desk, author_id: int, wish: Wish) -> None:
    """Lets people enter: from now on everybody sees it."""
    if desk.tournament.state is State.OPEN:
        return
    desk.require(State.DRAFT)
    desk.change(state=State.OPEN.value, opened_at=desk.now, due_at=desk.tournament.starts_at)
    desk.note(author_id, wish)


def _start(desk: Desk, author_id: int, wish: Wish) -> None:
    if desk.tournament.state is not State.RUNNING:
        starting.start(desk, author_id, wish)


def _seed(desk: Desk, author_id: int, wish: Wish) -> None:
    """Gives everybody who has a place a seed; those who come later are seeded behind them."""
    desk.require(State.OPEN)
    seeds = starting.seed(desk, wish)
    rows.set_seeds(desk.connection, desk.id, seeds)
    desk.note(author_id, wish, {"seeds": seeds})


COMMANDS: Mapping[str, Command] = {"open": _open, "start": _start, "seed": _seed}
