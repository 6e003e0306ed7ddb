"""The page of those who organise a tournament: entries and seeds, rounds and results, people, words to all, the log.

Each form says one command with a key of its own, so that a second press changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from flask import flash, g, redirect, request, url_for
from flask.typing import ResponseReturnValue

from bgmail.phrases.organising import done, log_line
from bgmail.phrases.people import called
from bgmail.phrases.times import moment
from bgmail.phrases.translate import gettext as _
from bgmail.service.errors import Refused
from bgmail.service.tournaments import decisions, views
from bgmail.service.tournaments.commands import MOST_ANNOUNCED, command
from bgmail.service.tournaments.conditions import Rounds
from bgmail.service.tournaments.decisions import is_elimination
from bgmail.service.tournaments.desk import MOST_REASON
from bgmail.service.tournaments.extending import MOST_DAYS
from bgmail.service.tournaments.views import EntryState, State
from bgmail.web.explained import told
from bgmail.web.guard import signed_in
from bgmail.web.reader import zone_of
from bgmail.web.tournaments.frame import Visit, blueprint, entrusted, may_organise, render, visit
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
    return _page(entrusted(tournament_id))


@blueprint.post("/<tournament_id>/organise")
@signed_in
def commanded(tournament_id: str) -> ResponseReturnValue:
    """One command."""
    here, seen = world(), entrusted(tournament_id)
    try:
        wish = wish_of(request.form)
        command(here.store, tournament_id, g.account.id, wish, here.now(), here.chance)
    except Refused as error:
        return _page(entrusted(tournament_id), told(error)), 422
    flash(done(wish.command))
    back = "tournaments.organise" if may_organise(visit(tournament_id)) else "tournaments.overview"
    return redirect(url_for(back, tournament_id=seen.tournament.id), 303)


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
        typed=lambda *commands: request.form if wrong and request.form.get("command") in commands else {},
        seats=_seats(entrants, EntryState.IN),
        waiting=_seats(entrants, EntryState.WAITING),
        named=lambda seats: [(one.number, one.handle) for one in seats],
        people=[(one.number, called(one.handle)) for one in entrants if one.state is not EntryState.LEFT],
        by_hand=tournament.conditions.rounds is Rounds.HAND,
        drawn=_drawn(seen, pairings),
        notes=_notes(log, entrants, _named(seen, entrants, pairings, log)),
        most={"reason": MOST_REASON, "text": MOST_ANNOUNCED, "days": MOST_DAYS},
        ended=tournament.state in views.ENDED,
        **_round(seen, entrants, pairings),
    )


def _round(
    seen: Visit, entrants: tuple[views.Entrant, ...], pairings: tuple[views.Pairing, ...]
) -> dict[str, Any]:
    """The pairings of one round, the one whose result is to be decided, and what runs, in whatever round. Byes and what
    was made anew are nobody's to decide."""
    key = request.args.get("pairing") or request.form.get("pairing")
    named = next((one for one in pairings if one.key == key and one.second), None)
    closed = decisions.closed(seen.tournament, pairings)
    wanted_result = "pairing" in request.args or "result" in request.form
    chosen = named if named and wanted_result and named.key not in closed else None
    numbers = sorted({one.round for one in pairings})
    number = named.round if named else chosen_round(numbers, pairings)
    real = [one for one in pairings if one.second is not None]
    wanted = [one for one in real if one.round == number or (one.match_id and one.how is None)]
    here = {one.key for one in real if one.round == number}
    every = meetings(seen, entrants, pairings, wanted)
    results = [one for one in every if one.key in here]
    return {
        "results": results,
        "rounds": numbers,
        "round": number,
        "closed": closed,
        "chosen": next((one for one in results if chosen and one.key == chosen.key), None),
        "made_anew": bool(chosen and is_elimination(seen.tournament.plan, chosen.key)),
        "numbers": chosen and (chosen.first.number, chosen.second and chosen.second.number),
        "running": [one for one in every if one.match_id and not one.over],
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
    return any(one.round > seen.tournament.rounds_begun for one in pairings)


def _named(
    seen: Visit,
    entrants: Sequence[views.Entrant],
    pairings: Sequence[views.Pairing],
    log: Sequence[views.Told],
) -> dict[str, str]:
    """What the pairings that the log speaks of are called, by their keys: "Final, Anna – Ben"."""
    spoken = {one.data.get("pairing") for one in log}
    wanted = [one for one in pairings if one.key in spoken and one.second is not None]
    told = meetings(seen, entrants, pairings, wanted) if wanted else []
    return {
        one.key: f"{one.round}, {one.first.handle} – {one.second.handle}"
        for one in told
        if one.second is not None
    }


def _notes(
    log: Sequence[views.Told], entrants: Sequence[views.Entrant], named: Mapping[str, str]
) -> list[Note]:
    """The newest first, with the names of then: whoever replaces somebody takes over the number of their place."""
    people, zone, now = (
        {one.number: called(one.handle) for one in entrants},
        zone_of(g.account),
        world().now(),
    )
    found = []
    for one in reversed(log):
        _change_back(people, one.data)
        author = called(one.author) if one.author else None
        data = {**one.data, "pairing": named.get(one.data.get("pairing", ""), one.data.get("pairing", ""))}
        says = log_line(one.command, data, people, author)
        found.append(Note(moment(one.at, zone, now), author or _("the server"), says, one.reason))
    return found


def _change_back(people: dict[int, str], data: Mapping[str, Any]) -> None:
    """Gives both numbers back to whom they had before this entry of the log."""
    if "substitute" not in data:
        return
    place = data["entry"]
    gone = called(data["instead_of"])
    waited = data.get("waited") or next((number for number, name in people.items() if name == gone), place)
    people[place], people[waited] = people[waited], people[place]
