"""The first page of a tournament: its conditions, who may enter, and what is next for the reader."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from flask import g

from bgmail.phrases.formats import leaving_says, stage_name, stage_says
from bgmail.phrases.people import called
from bgmail.phrases.times import day, moment
from bgmail.phrases.translate import gettext as _
from bgmail.service.tournaments import forecast, leaving, lists, views
from bgmail.service.tournaments.field import field_shown
from bgmail.service.tournaments.views import EntryState, State
from bgmail.web.reader import zone_of
from bgmail.web.tournaments import terms
from bgmail.web.tournaments.frame import Visit, blueprint, render, visit
from bgmail.web.tournaments.lists import entered, when
from bgmail.web.tournaments.meetings import meetings
from bgmail.world import world


@dataclass(frozen=True, slots=True)
class StageTold:
    """One stage: its format, and what its options mean."""

    name: str
    says: list[str]


@blueprint.get("/<tournament_id>")
def overview(tournament_id: str) -> str:
    """The tournament, for everybody."""
    return overview_of(visit(tournament_id))


def overview_of(seen: Visit, wrong: str = "") -> str:
    """The page; `wrong` is why an entry was not taken."""
    store, tournament = world().store, seen.tournament
    entrants = views.entrants(store, tournament.id)
    mine = seen.entry(entrants)
    begun = tournament.started_at is not None
    pairings = views.pairings(store, tournament.id) if begun else ()
    own = [one for one in pairings if mine is not None and one.has(mine.number)]
    return render(
        "overview.html",
        seen,
        "overview",
        mine=mine,
        place=_place(entrants, mine),
        calendar=meetings(seen, entrants, pairings, own),
        entered=entered(tournament),
        when=when(tournament),
        won=_won(tournament),
        finish=_day(forecast.finish_at(store, tournament)),
        stages=[StageTold(stage_name(one), stage_says(one)) for one in tournament.plan.stages],
        leaving=leaving_says(tournament.plan),
        match_terms=terms.match_conditions(tournament),
        run_terms=terms.run_conditions(tournament),
        may_enter=_may_enter(seen, mine),
        may_leave=mine is not None
        and leaving.can_leave(tournament, field_shown(entrants, pairings, tournament.lot), mine),
        costs=tournament.state is State.RUNNING and mine is not None and mine.state is EntryState.IN,
        announcements=lists.announcements(store, tournament.id),
        when_said=_said,
        wrong=wrong,
    )


def _won(tournament: views.Tournament) -> str:
    """Who has won, once it is over; "" before."""
    if tournament.state is not State.OVER:
        return ""
    lines = views.standings(world().store, tournament.id).lines
    names = [called(one.entrant.handle) for one in lines if one.listed and one.rank == 1]
    if len(names) == 1:
        return _("%(name)s has won this tournament.", name=names[0])
    return _("Ahead of all others: %(names)s.", names=", ".join(names)) if names else ""


def _day(at: datetime | None) -> str:
    """A day in words; "" where nobody knows it."""
    return day(at, zone_of(g.account)) if at else ""


def _said(at: datetime) -> str:
    return moment(at, zone_of(g.account), world().now())


def _place(entrants: tuple[views.Entrant, ...], mine: views.Entrant | None) -> int:
    """The reader's place on the waiting list, from 1; 0 when not waiting."""
    if mine is None or mine.state is not EntryState.WAITING:
        return 0
    waiting = [one for one in entrants if one.state is EntryState.WAITING]
    return sorted(waiting, key=lambda one: (one.entered_at, one.number)).index(mine) + 1


def _may_enter(seen: Visit, mine: views.Entrant | None) -> bool:
    if mine is not None and mine.state is not EntryState.LEFT:
        return False
    state = seen.tournament.state
    return state is State.OPEN or (state is State.RUNNING and seen.tournament.conditions.substitutes)
