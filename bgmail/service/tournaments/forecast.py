"""When a tournament will be over, if everybody replies as soon as they usually do.

A rough figure, made anew a few times a day by a job: the longest chain of matches that is left, each taking as many
turns as matches of its length usually do, at the players' own median time for a turn.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from statistics import median
from typing import Any

from sqlalchemy import Row

from bgmail.pairing.outlook import Pace, remaining
from bgmail.service import profiles
from bgmail.service.tournaments import advancing
from bgmail.service.tournaments.views import State, Tournament
from bgmail.store import forecasts
from bgmail.store.engine import Store

TURNS_A_GAME = 17
"""Of one side, with dances and only plays done by the server: `make bench ONLY=visits` counts both sides."""
GAMES_A_POINT = 0.7
"""So many games more a match has for each point that it is longer: gammons and the cube count for several."""
MOST_ASKED = 40
"""Of so many people the usual time is looked up; the others are taken to be as quick as those in the middle."""
EVERY = timedelta(hours=6)
LONGEST = timedelta(days=36_500)
"""Nobody is told of a day that is farther away than that."""

log = logging.getLogger(__name__)


def step(store: Store, now: datetime) -> list[str]:
    """Makes the forecast of one running tournament that has none, or an old one; [] = none is due.

    One that fails is put off alone, and nobody is told a day meanwhile.
    """
    with store.read() as connection:
        tournament_id = forecasts.due(connection, now - EVERY)
    if tournament_id is None:
        return []
    try:
        said, at = "forecast", _foreseen(store, tournament_id, now)
    except Exception:
        log.exception("the forecast of tournament %s failed and is put off", tournament_id)
        said, at = "failed", None
    with store.write() as connection:
        forecasts.keep(connection, tournament_id, at, now)
    return [f"{said} {tournament_id}"]


def _foreseen(store: Store, tournament_id: str, now: datetime) -> datetime | None:
    seen = advancing.read(store, tournament_id)
    return now + expected(store, seen, now) if seen else None


def finish_at(store: Store, tournament: Tournament) -> datetime | None:
    """When a running tournament is expected to be over; None where nobody knows yet."""
    if tournament.state is not State.RUNNING:
        return None
    with store.read() as connection:
        return forecasts.of(connection, tournament.id)


def expected(store: Store, seen: advancing.Seen, now: datetime) -> timedelta:
    """How long a tournament still takes, at most `LONGEST`."""
    times = _reply_times(store, seen, now)
    usual = median(times.values()) if times else _unknown(seen.tournament)
    turns = TURNS_A_GAME * (1 + GAMES_A_POINT * (seen.tournament.conditions.length - 1))

    def takes(one: int | None, other: int | None) -> float:
        return turns * sum(times.get(entry, usual) if entry is not None else usual for entry in (one, other))

    had = {row.key: (now - row.begun_at).total_seconds() for row in seen.pairings if row.begun_at is not None}
    pace = Pace(takes, had, seen.tournament.conditions.at_once)
    seconds = remaining(seen.tournament.plan.format(), seen.field(), pace)
    return timedelta(seconds=min(seconds, LONGEST.total_seconds()))


def _reply_times(store: Store, seen: advancing.Seen, now: datetime) -> Mapping[int, float]:
    """The usual times, in seconds, of people who still play and of whom they are known."""
    found = {}
    for row in _asked(seen.entries, seen.pairings):
        time = profiles.reply_time(store, row.account_id, now)
        if time is not None:
            found[row.number] = time.total_seconds()
    return found


def _asked(entries: Sequence[Row[Any]], pairings: Sequence[Row[Any]]) -> list[Row[Any]]:
    """Those whose matches run come first, then the best seeds."""
    busy = {number for row in pairings if row.how is None for number in (row.first, row.second)}
    still_in = [row for row in entries if row.state == "in"]
    still_in.sort(key=lambda row: (row.number not in busy, row.seed or row.number, row.number))
    return still_in[:MOST_ASKED]


def _unknown(tournament: Tournament) -> float:
    """A turn of people of whom nothing is known: a third of what they have for it."""
    _, control = tournament.conditions.judged()
    turns = TURNS_A_GAME * max(1, tournament.conditions.length)
    return (control.per_turn + control.bank / turns) / 3 if not control.untimed else 86_400.0
