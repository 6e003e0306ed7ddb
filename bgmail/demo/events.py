"""What the demo's tournaments have in common: the work of their job at instants of the past, and matches that are
played on in between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from bgmail.demo.player import lively
from bgmail.dice import Chance
from bgmail.rules.match import Phase
from bgmail.service import turns
from bgmail.service.ratings.chain import rate_some
from bgmail.service.tournaments import advancing, views
from bgmail.service.tournaments.views import Pairing
from bgmail.service.views import MatchView
from bgmail.store.engine import Store

Stop = Callable[[MatchView], bool]
"""Asked before each action: whether the match stays as it is."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How quickly a match is played: an action every `gap`, and whatever is left then at `end`."""

    gap: timedelta
    end: datetime

    def instant(self, view: MatchView) -> datetime:
        """When the next action is made: never before the last one."""
        return max(view.moved_at, min(view.moved_at + self.gap, self.end))


def to_the_end(_view: MatchView) -> bool:
    """Nothing stops the match."""
    return False


def play_on(
    store: Store,
    match_id: str,
    pace: Pace,
    chance: Chance,
    *,
    stops: Stop = to_the_end,
) -> MatchView:
    """Plays a match until it shows what it is for, or is over. One that stands there already stays as it is."""
    view = turns.load(store, match_id)
    while view.match.on_turn is not None and view.match.phase is not Phase.OVER and not stops(view):
        side = view.match.on_turn
        request = lively(view.match, side, view.version)
        view = turns.act(store, match_id, side, request, pace.instant(view), chance).view
    return view


def advance(store: Store, now: datetime, chance: Chance) -> None:
    """What the jobs do until nothing is due: ratings first, since entries are seeded by them."""
    while rate_some(store, now) or advancing.step(store, now, chance):
        pass


def begun(store: Store, tournament_id: str) -> list[tuple[Pairing, str]]:
    """The pairings of a tournament whose matches have begun, in their order, each with its match."""
    found = views.pairings(store, tournament_id)
    return [(pairing, pairing.match_id) for pairing in found if pairing.match_id is not None]
