"""What organisers say: each command is one transaction and one entry of the log, and safe to repeat.

What follows from it in matches is done right after, and by the job where a process dies in between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import orjson

from bgmail.dice import Chance
from bgmail.service.errors import Refused
from bgmail.service.notices import Kind
from bgmail.service.terms import has_controls
from bgmail.service.tournaments import (
    advancing,
    changing,
    closing,
    decisions,
    extending,
    rounds,
    staffing,
    starting,
    telling,
)
from bgmail.service.tournaments.desk import Desk, Wish, at_desk, check_wish, may_command
from bgmail.service.tournaments.views import State, Tournament, load
from bgmail.store import tournaments as rows
from bgmail.store.engine import Store

MOST_ANNOUNCED = 2000
Command = Callable[[Desk, int, Wish], None]


def command(
    store: Store, tournament_id: str, account_id: int, wish: Wish, now: datetime, chance: Chance
) -> Tournament:
    """Carries out one command; the same again under its key changes nothing.

    Raises NotFound, Forbidden("not_organiser"), KeyReused, and Refused with a code that says why it can't be done now.
    """
    check_wish(wish)
    if wish.command == "pair":
        rounds.draw(store, tournament_id, account_id, wish, now)
        return load(store, tournament_id, account_id)
    act = COMMANDS.get(wish.command)
    if act is None:
        raise Refused("unknown_command", command=wish.command, known=", ".join(sorted([*COMMANDS, "pair"])))
    with at_desk(store, tournament_id, now) as desk:
        may_command(desk, account_id)
        if not desk.was_done(wish):
            act(desk, account_id, wish)
    if wish.command == "extend":
        _extended(store, tournament_id, now, chance)
    advancing.settle(store, tournament_id, now, chance)
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


def _announce(desk: Desk, author_id: int, wish: Wish) -> None:
    """Says something to everybody who has entered."""
    text = wish.data.get("text")
    if not isinstance(text, str) or not 0 < len(text.strip()) <= MOST_ANNOUNCED or has_controls(text):
        raise Refused("announcement", most=MOST_ANNOUNCED)
    desk.require(State.OPEN, State.RUNNING, State.OVER)
    seq = desk.note(author_id, wish)
    said: dict[str, Any] = {"author": author_id, "text": text.strip()}
    everybody = telling.everybody(desk.entries())
    telling.tell(desk.connection, Kind.TOURNAMENT_SAYS, desk.id, everybody, desk.now, str(seq), **said)


def _extended(store: Store, tournament_id: str, now: datetime, chance: Chance) -> None:
    """Brings the latest days that were given into the matches, as far as they haven't got them."""
    with store.read() as connection:
        told = rows.log_with(connection, tournament_id, ["extend"])
    if told:
        data, mark = orjson.loads(told[-1].data), f"{tournament_id}-{told[-1].seq}"
        extending.carry_out(store, mark, told[-1].author_id, data["matches"], data["days"], now, chance)


COMMANDS: Mapping[str, Command] = {
    "change": changing.change,
    "open": _open,
    "start": _start,
    "seed": _seed,
    "begin": rounds.begin,
    "bye": rounds.bye,
    "decide": decisions.decide,
    "correct": decisions.decide,
    "replace": staffing.replace,
    "withdraw": staffing.withdraw,
    "exclude": staffing.exclude,
    "disqualify": staffing.disqualify,
    "extend": extending.extend,
    "announce": _announce,
    "add_organiser": staffing.add_organiser,
    "remove_organiser": staffing.remove_organiser,
    "close": closing.close,
    "cancel": closing.cancel,
}
