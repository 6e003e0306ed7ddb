"""The demo's league: two seasons that are over, which give everybody a rating with a history, and one under way."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from bgmail.demo.events import Pace, advance, begun, play_on, to_the_end
from bgmail.dice import Chance
from bgmail.service.tournaments import seasons, series
from bgmail.service.tournaments.series import Founding, Kind, Series
from bgmail.service.views import MatchView
from bgmail.store.engine import Store

NAME = "Winter league"
LEAGUE = Founding(Kind.LEAGUE, NAME, {"length": 3, "text": "Three points a match, a move a day."}, 3, 1)
SEASONS = ((70, 42), (40, 12))
"""So many days ago the seasons that are over began and ended."""
PRESENT = timedelta(days=7)
"""How long the season under way has lasted."""
MIDDLE = 30
"""So many entries has the log of a match that has got somewhere."""


def play(store: Store, dana: int, members: Sequence[int], now: datetime, chance: Chance) -> None:
    """Founds the league and plays it up to now. `members`: Alice first; no match of the league waits for her."""
    league = _founded(store, dana, members, now - timedelta(days=SEASONS[0][0] + 2))
    for number, (begins, ends) in enumerate(SEASONS, 1):
        _season(store, league, number, now - timedelta(days=begins), now - timedelta(days=ends), chance)
    _under_way(store, league, members[0], now, chance)


def _founded(store: Store, dana: int, members: Sequence[int], now: datetime) -> Series:
    known = next((one for one in series.listed(store, 10) if one.name == NAME), None)
    found = known or series.create(store, dana, LEAGUE, now)
    if found.season == 0:
        for member in members:
            found = series.join(store, found.id, member, found.digest, now, fair_play=True)
    return found


def _season(
    store: Store, league: Series, number: int, begins: datetime, ends: datetime, chance: Chance
) -> None:
    """A season from its first match to its last."""
    for place, match_id in enumerate(_matches(store, league, number, begins, chance)):
        play_on(store, match_id, Pace(timedelta(hours=2 + place % 3), ends), chance)
    advance(store, ends, chance)


def _under_way(store: Store, league: Series, alice: int, now: datetime, chance: Chance) -> None:
    """A season in which the first match of each division is over, and the others have got somewhere."""
    number = len(SEASONS) + 1
    pace = Pace(timedelta(hours=5), now - timedelta(hours=6))

    def has_got_somewhere(view: MatchView) -> bool:
        waits = view.match.on_turn
        person = view.person(waits) if waits is not None else None
        return view.head > MIDDLE and person is not None and person.id != alice

    matches = _matches(store, league, number, now - PRESENT, chance)
    for place, match_id in enumerate(matches):
        stops = has_got_somewhere if place % (len(matches) // 2) else to_the_end
        play_on(store, match_id, pace, chance, stops=stops)
    advance(store, now - timedelta(hours=5), chance)


def _matches(store: Store, league: Series, number: int, begins: datetime, chance: Chance) -> list[str]:
    """The matches of a season, those of the first division first; the season begins where it hasn't yet."""
    if series.load(store, league.id).season < number and not seasons.step(store, begins, chance):
        raise RuntimeError(f"season {number} of the demo's league can't begin")
    advance(store, begins, chance)
    divisions = [held for held in series.held(store, league.id) if held.season == number]
    return [match_id for held in divisions for _, match_id in begun(store, held.id)]
