"""What the pages of one tournament have in common: who may see it, its heading, and the tabs between its pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, g, render_template, url_for

from bgmail.pairing.elimination import Elimination
from bgmail.pairing.plan import KINDS, Stage
from bgmail.phrases.formats import plan_name
from bgmail.phrases.tournaments import full_name
from bgmail.phrases.translate import gettext as _
from bgmail.phrases.translate import lazy_gettext
from bgmail.service.errors import Forbidden
from bgmail.service.tournaments import lists, views
from bgmail.service.tournaments.views import State, Tournament
from bgmail.world import world

blueprint = Blueprint("tournaments", __name__, url_prefix="/tournaments")


@dataclass(frozen=True, slots=True)
class Visit:
    """One tournament, as the reader may see it. `mark` changes with everything that happens in it."""

    tournament: Tournament
    organisers: tuple[views.Organiser, ...]
    reader_id: int | None
    mark: str

    @property
    def organises(self) -> bool:
        """Whether the reader commands it."""
        return any(one.account_id == self.reader_id for one in self.organisers)

    def entry(self, entrants: tuple[views.Entrant, ...]) -> views.Entrant | None:
        """The reader's own entry."""
        return next((one for one in entrants if one.account_id == self.reader_id), None)


@dataclass(frozen=True, slots=True)
class Tab:
    """One page of a tournament, and when there is anything on it."""

    endpoint: str
    label: Any
    shown: Callable[[Visit], bool]


def has_begun(visit: Visit) -> bool:
    """Whether there are pairings."""
    return visit.tournament.started_at is not None


def has_bracket(visit: Visit) -> bool:
    """Whether one of its stages is drawn as a bracket."""
    return has_begun(visit) and any(is_bracket(stage) for stage in visit.tournament.plan.stages)


def has_cross_table(visit: Visit) -> bool:
    """Whether one of its stages is no bracket."""
    return has_begun(visit) and not all(is_bracket(stage) for stage in visit.tournament.plan.stages)


def is_bracket(stage: Stage) -> bool:
    """Whether the format of a stage is drawn as a bracket."""
    return stage.format in KINDS and isinstance(stage.strategy(()), Elimination)


def may_organise(visit: Visit) -> bool:
    """Whether the reader commands it: its organisers do, and the staff."""
    return visit.organises or bool(g.account and g.account.is_staff)


def entrusted(tournament_id: str) -> Visit:
    """Raises NotFound for a draft of others, Forbidden for what others organise."""
    seen = visit(tournament_id)
    if not may_organise(seen):
        raise Forbidden("not_organiser")
    return seen


TABS = (
    Tab("tournaments.overview", lazy_gettext("Overview"), lambda _visit: True),
    Tab("tournaments.bracket", lazy_gettext("Bracket"), has_bracket),
    Tab("tournaments.standings", lazy_gettext("Standings"), has_begun),
    Tab("tournaments.cross_table", lazy_gettext("Cross table"), has_cross_table),
    Tab("tournaments.rounds", lazy_gettext("Pairings"), has_begun),
    Tab("tournaments.players", lazy_gettext("Players"), lambda _visit: True),
    Tab("tournaments.organise", lazy_gettext("Organise"), may_organise),
)


def visit(tournament_id: str) -> Visit:
    """Raises NotFound, also for a draft of others."""
    store, reader_id = world().store, g.account.id if g.account else None
    mark = lists.mark(store, tournament_id)
    found = views.load(store, tournament_id, reader_id)
    return Visit(found, views.organisers(store, tournament_id), reader_id, mark)


def render(template: str, seen: Visit, here: str, **values: Any) -> str:
    """A page of a tournament: `here` is its own endpoint without the blueprint's name."""
    tournament = seen.tournament
    tabs = [
        (
            str(tab.label),
            url_for(tab.endpoint, tournament_id=tournament.id),
            tab.endpoint.endswith(f".{here}"),
        )
        for tab in TABS
        if tab.shown(seen)
    ]
    return render_template(
        f"tournaments/{template}",
        here="tournaments",
        visit=seen,
        tournament=tournament,
        full_name=full_name(tournament.name, tournament.season, tournament.division),
        tabs=tabs,
        format_name=plan_name(tournament.plan),
        state_name=state_name(tournament.state),
        **values,
    )


def state_name(state: State) -> str:
    """Where a tournament is, in a word or two."""
    return {
        State.DRAFT: _("draft"),
        State.OPEN: _("open to enter"),
        State.RUNNING: _("running"),
        State.OVER: _("over"),
        State.CANCELLED: _("cancelled"),
    }[state]
