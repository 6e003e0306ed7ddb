"""The pairings, a round at a time, and the stream that tells an open page when something is new."""

from __future__ import annotations

from flask import Response, g, request, url_for

from bgmail import streams
from bgmail.phrases.formats import round_name
from bgmail.service.tournaments import lists, views
from bgmail.web.guard import client
from bgmail.web.tournaments.frame import blueprint, render, visit
from bgmail.web.tournaments.meetings import meetings
from bgmail.world import world


@blueprint.get("/<tournament_id>/pairings")
def rounds(tournament_id: str) -> str:
    """One round: the one asked for, or the last that has something to play."""
    seen = visit(tournament_id)
    store = world().store
    entrants = views.entrants(store, tournament_id)
    pairings = views.pairings(store, tournament_id)
    numbers = sorted({one.round for one in pairings})
    chosen = chosen_round(numbers, pairings)
    found = [one for one in pairings if one.round == chosen]
    return render(
        "rounds.html",
        seen,
        "rounds",
        lines=meetings(seen, entrants, pairings, found),
        numbers=[
            (number, url_for("tournaments.rounds", tournament_id=tournament_id, round=number))
            for number in numbers
        ],
        chosen=chosen,
        heading=round_name(chosen) if chosen else "",
    )


def chosen_round(numbers: list[int], pairings: tuple[views.Pairing, ...]) -> int:
    """The round that is asked for, else the first that has something to play, else the last; 0 = there is none."""
    asked = request.args.get("round", "")
    if asked.isascii() and asked.isdecimal() and len(asked) < 6 and int(asked) in numbers:
        return int(asked)
    running = [one.round for one in pairings if one.how is None]
    return min(running) if running else max(numbers, default=0)


@blueprint.get("/<tournament_id>/news")
def news(tournament_id: str) -> Response:
    """Server-sent events for an open page: the mark of the tournament whenever it is another than was seen."""
    visit(tournament_id)
    store = world().store
    return streams.marks(g.account.id if g.account else client(), lambda: lists.mark(store, tournament_id))
