"""What other pages say about tournaments: that of a match what it is played for, that of a person where they play."""

from __future__ import annotations

from dataclasses import dataclass

from bgmail.phrases.formats import pairing_name
from bgmail.phrases.tournaments import full_name
from bgmail.service.tournaments import lists, views
from bgmail.service.tournaments.views import State
from bgmail.service.views import MatchView
from bgmail.web.tournaments.frame import blueprint, state_name
from bgmail.world import world

MOST = 10


@dataclass(frozen=True, slots=True)
class PlayedFor:
    """The tournament of a match, and what the round of the match is called there."""

    id: str
    name: str
    round: str


@blueprint.app_template_global()
def played_for(view: MatchView) -> PlayedFor | None:
    """What a match is played for; None for a match of no tournament."""
    found = lists.played_for(world().store, view.id) if view.tournament else None
    if found is None:
        return None
    name = full_name(found.name, found.season, found.division)
    return PlayedFor(found.tournament_id, name, pairing_name(found.plan, found.key, found.round, found.size))


@blueprint.app_template_global()
def tournaments_of(account_id: int) -> list[tuple[str, str, str]]:
    """The latest tournaments that somebody plays or organises: id, name and state."""
    states = [state for state in State if state is not State.DRAFT]
    found = views.listed(world().store, states, account_id=account_id, limit=MOST)
    return [(one.id, full_name(one.name, one.season, one.division), state_name(one.state)) for one in found]
