"""Entering and leaving, and who is in."""

from __future__ import annotations

from dataclasses import dataclass

from flask import flash, g, redirect, request, url_for
from flask.typing import ResponseReturnValue

from bgmail.phrases.people import called
from bgmail.phrases.times import day
from bgmail.phrases.translate import gettext as _
from bgmail.service.errors import Refused
from bgmail.service.tournaments import entering, leaving, views
from bgmail.service.tournaments.views import EntryState, State
from bgmail.web.explained import told
from bgmail.web.guard import signed_in
from bgmail.web.reader import zone_of
from bgmail.web.tournaments.frame import blueprint, render, visit
from bgmail.web.tournaments.overview import overview_of
from bgmail.world import world


@dataclass(frozen=True, slots=True)
class Entered:
    """One line of the list of players."""

    handle: str
    linked: bool
    is_bot: bool
    seed: int | None
    rating: int | None
    says: str
    mine: bool


@blueprint.post("/<tournament_id>/enter")
@signed_in
def enter(tournament_id: str) -> ResponseReturnValue:
    """Take a place."""
    here = world()
    seen = visit(tournament_id)
    wish = entering.Entering(
        request.form.get("conditions", ""), "fair_play" in request.form, request.form.get("nonce") or None
    )
    if "agreed" not in request.form:
        wrong = _("Read the conditions, and say that you accept them. Nothing was changed.")
        return overview_of(seen, wrong), 422
    try:
        found = entering.enter(here.store, tournament_id, g.account.id, wish, here.now(), here.chance)
    except Refused as error:
        return overview_of(visit(tournament_id), told(error)), 422
    waits = found.state is State.RUNNING or seen.tournament.is_full
    flash(_("You are on the waiting list.") if waits else _("You have entered."))
    return redirect(url_for("tournaments.overview", tournament_id=tournament_id), 303)


@blueprint.post("/<tournament_id>/leave")
@signed_in
def leave(tournament_id: str) -> ResponseReturnValue:
    """Give the place up: once it runs, only with a tick."""
    here = world()
    seen = visit(tournament_id)
    if seen.tournament.state is State.RUNNING and "sure" not in request.form:
        flash(_("Tick that you are sure. Nothing was changed."), "error")
        return redirect(url_for("tournaments.overview", tournament_id=tournament_id), 303)
    try:
        leaving.leave(here.store, tournament_id, g.account.id, here.now(), here.chance)
    except Refused as error:
        flash(told(error), "error")
    else:
        flash(_("You have left the tournament."))
    return redirect(url_for("tournaments.overview", tournament_id=tournament_id), 303)


@blueprint.get("/<tournament_id>/players")
def players(tournament_id: str) -> str:
    """Who plays, who waits."""
    seen = visit(tournament_id)
    entrants = views.entrants(world().store, tournament_id)
    inside = sorted(
        (one for one in entrants if one.in_field), key=lambda one: (one.seed or one.number, one.number)
    )
    waiting = [one for one in entrants if one.state is EntryState.WAITING]
    waiting.sort(key=lambda one: (one.entered_at, one.number))
    return render(
        "players.html",
        seen,
        "players",
        inside=[_line(one, seen.reader_id) for one in inside],
        waiting=[_line(one, seen.reader_id) for one in waiting],
        seeded=any(one.seed is not None for one in inside),
    )


def _line(one: views.Entrant, reader_id: int | None) -> Entered:
    handle = called(one.handle)
    return Entered(
        handle=handle,
        linked=handle == one.handle,
        is_bot=one.is_bot,
        seed=one.seed,
        rating=round(one.rating),
        says=_says(one),
        mine=one.account_id == reader_id,
    )


def _says(one: views.Entrant) -> str:
    zone = zone_of(g.account)
    at = day(one.changed_at or one.entered_at, zone)
    return {
        EntryState.WITHDRAWN: _("withdrawn %(day)s", day=at),
        EntryState.EXCLUDED: _("excluded %(day)s", day=at),
        EntryState.DISQUALIFIED: _("disqualified %(day)s", day=at),
    }.get(one.state) or _("entered %(day)s", day=day(one.entered_at, zone))
