"""The page of those who organise a tournament: entries and seeds, rounds and results, people, words to all, the log.

Each form says one command with a key of its own, so that a second press changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from flask import flash, g, redirect, request, url_for
from flask.typing import ResponseReturnValue

from bgmail.phrases.organising import done, log_line
from bgmail.phrases.people import called
from bgmail.phrases.times import moment
from bgmail.phrases.translate import gettext as _
from bgmail.service.errors import Forbidden, Refused
from bgmail.service.tournaments import views
from bgmail.service.tournaments.commands import MOST_ANNOUNCED, command
from bgmail.service.tournaments.conditions import Rounds
from bgmail.service.tournaments.desk import MOST_REASON
from bgmail.service.tournaments.extending import MOST_DAYS
from bgmail.service.tournaments.views import EntryState, State
from bgmail.web.explained import told
from bgmail.web.guard import signed_in
from bgmail.web.reader import zone_of
from bgmail.web.tournaments.frame import Visit, blueprint, may_organise, render, visit
from bgmail.web.tournaments.meetings import meetings
from bgmail.web.tournaments.organiser_form import wish_of
from bgmail.web.tournaments.round_pages import chosen_round
from bgmail.world import world

MOST_TOLD = 100
"""So many of the last entries of the log."""


@dataclass(frozen=True, slots=True)
class Seat:
    """An entry that has a place or waits for one."""

    number: int
    handle: str
    seed: int
    rating: int


@dataclass(frozen=True, slots=True)
class Note:
    """An entry of the log."""

    at: str
    author: str
    says: str
    reason: str


@blueprint.get("/<tournament_id>/organise")
@signed_in
def organise(tournament_id: str) -> str:
    """Everything that can be done now."""
    return _page(_entrusted(tournament_id))


@blueprint.post("/<tournament_id>/organise")
@signed_in
def commanded(tournament_id: str) -> ResponseReturnValue:
    """One command."""
    here, seen = world(), _entrusted(tournament_id)
    try:
        wish = wish_of(request.form)
        command(here.store, tournament_id, g.account.id, wish, here.now(), here.chance)
    except Refused as error:
        return _page(_entrusted(tournament_id), str(told(error))), 422
    flash(done(wish.command))
    back = "tournaments.organise" if may_organise(visit(tournament_id)) else "tournaments.overview"
    return redirect(url_for(back, tournament_id=seen.tournament.id), 303)


def _entrusted(tournament_id: str) -> Visit:
    """Raises NotFound for a draft of others, Forbidden for what others organise."""
    seen = visit(tournament_id)
    if not may_organise(seen):
        raise Forbidden("not_organiser")
    return seen


def _page(seen: Visit, wrong: str = "") -> str:
    store, tournament = world().store, seen.tournament
    entrants = views.entrants(store, tournament.id)
    pairings = views.pairings(store, tournament.id)
    log = views.log(store, tournament.id, max(0, tournament.head - MOST_TOLD))
    return render(
        "organise.html",
        seen,
        "organise",
        wrong=wrong,
        key=lambda: uuid4().hex,
        typed=request.form if wrong else {},
        seats=_seats(entrants, EntryState.IN),
        waiting=_seats(entrants, EntryState.WAITING),
        named=lambda seats: [(one.number, one.handle) for one in seats],
        people=[(one.number, called(one.handle)) for one in entrants if one.state is not EntryState.LEFT],
        by_hand=tournament.conditions.rounds is Rounds.HAND,
        drawn=_drawn(seen, pairings),
        notes=_notes(log, entrants),
        most={"reason": MOST_REASON, "text": MOST_ANNOUNCED, "days": MOST_DAYS},
        ended=tournament.state in views.ENDED,
        **_round(seen, entrants, pairings),
    )


def _round(
    seen: Visit, entrants: tuple[views.Entrant, ...], pairings: tuple[views.Pairing, ...]
) -> dict[str, Any]:
    """The pairings of one round, and the one whose result is to be decided. Byes are nobody's to decide."""
    key = request.args.get("pairing") or (request.form.get("pairing") if "result" in request.form else None)
    chosen = next((one for one in pairings if one.key == key and one.second), None)
    numbers = sorted({one.round for one in pairings})
    number = chosen.round if chosen else chosen_round(numbers, pairings)
    real = [one for one in pairings if one.round == number and one.second is not None]
    results = meetings(seen, entrants, pairings, real)
    return {
        "results": results,
        "rounds": numbers,
        "round": number,
        "chosen": next((one for one in results if chosen and one.key == chosen.key), None),
        "numbers": chosen and (chosen.first.number, chosen.second and chosen.second.number),
        "running": [one for one in results if one.match_id and not one.over],
    }


def _seats(entrants: Sequence[views.Entrant], state: EntryState) -> list[Seat]:
    """In the order of their seeds; whoever has none comes behind, in the order of entry."""
    found = [one for one in entrants if one.state is state]
    found.sort(key=lambda one: (one.seed is None, one.seed or 0, one.entered_at, one.number))
    return [
        Seat(one.number, called(one.handle), place, round(one.rating)) for place, one in enumerate(found, 1)
    ]


def _drawn(seen: Visit, pairings: Sequence[views.Pairing]) -> bool:
    """Whether a round is drawn that an organiser has to begin."""
    if seen.tournament.state is not State.RUNNING or seen.tournament.conditions.rounds is not Rounds.HAND:
        return False
    return any(one.begun_at is None and one.match_id is None and one.how is None for one in pairings)


def _notes(log: Sequence[views.Told], entrants: Sequence[views.Entrant]) -> list[Note]:
    people, zone, now = (
        {one.number: called(one.handle) for one in entrants},
        zone_of(g.account),
        world().now(),
    )
    return [
        Note(
            moment(one.at, zone, now),
            called(one.author) if one.author else _("the server"),
            log_line(one.command, one.data, people),
            one.reason,
        )
        for one in reversed(log)
    ]
