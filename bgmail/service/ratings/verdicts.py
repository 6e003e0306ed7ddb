"""Which finished matches count for the rating, and why the others don't.

Only what was played for the rating is asked about: a match that was agreed on as unrated, without a clock or from a
file has no part in this.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import Connection

from bgmail.rules.match import Match, Phase
from bgmail.rules.score import Ending
from bgmail.rules.side import Side
from bgmail.rules.state import without_wager
from bgmail.service.views import MatchView
from bgmail.store import appearances, ratings

GIVEN_UP = frozenset({Ending.TIMEOUT, Ending.FORFEIT, Ending.RESIGNED, Ending.PASS})
"""Endings that nobody needs to be there for: the clock or the server may have brought them about."""


class Reason(StrEnum):
    """Why a match counts for nobody's rating; COUNTS = it does."""

    COUNTS = ""
    MACHINE = "machine"
    ANNULLED = "annulled"
    NOBODY = "nobody"  # nobody won, and nobody played it to a level end
    NO_PLAY = (
        "no_play"  # the loser never did anything in it: nobody resigned or passed by their own hand either
    )
    FAILED = "failed"  # its rows can't be read: nothing is due before somebody has seen to it
    ABSENT = "absent"  # lost on time in an absence in which another match had been lost on time and counted


@dataclass(frozen=True, slots=True)
class Ended:
    """A finished match as the judge sees it. `match` is its final state, `machines`: one sits in it."""

    match_id: str
    match: Match
    people: tuple[int, int]
    at: datetime
    machines: bool = False

    @property
    def loser(self) -> Side | None:
        result = self.match.result
        return result.winner.other if result and result.winner is not None else None

    @property
    def ending(self) -> Ending | None:
        return self.match.result.ending if self.match.result else None

    @property
    def on_time(self) -> Side | None:
        """The side that lost the match on time."""
        return self.loser if self.ending is Ending.TIMEOUT else None

    @property
    def score(self) -> float:
        """White's: 1 won, 0 lost, 0.5 level."""
        return 0.5 if self.loser is None else float(self.loser)


def to_rate(view: MatchView) -> list[dict[str, object]]:
    """What is to be noted of a match for the job that rates, where it is over and was played for the rating."""
    white, black = view.white, view.black
    if view.match.phase is not Phase.OVER or not view.rated or view.started_at is None:
        return []
    if white is None or black is None:
        return []
    return [
        {
            "match_id": view.id,
            "pace": view.clock.control.pace,
            "finished_at": view.finished_at,
            "white_id": white.id,
            "black_id": black.id,
        }
    ]


def weight(match: Match) -> int:
    """The length that a match weighs by: of a match with a wager the wagers that it lasts, of a points session its
    games."""
    return without_wager(match).length or match.games


def reason(connection: Connection, ended: Ended) -> Reason:
    """Whether a match counts. What it rests on is in the log, and in what was decided of matches that ended before."""
    if ended.machines:
        return Reason.MACHINE
    if ended.ending is Ending.ANNULLED:
        return Reason.ANNULLED
    loser = ended.loser
    if loser is None:
        return Reason.COUNTS if _level(ended) else Reason.NOBODY
    if ended.ending in GIVEN_UP and not _took_part(connection, ended, loser):
        return Reason.NO_PLAY
    return Reason.ABSENT if _was_away(connection, ended) else Reason.COUNTS


def _level(ended: Ended) -> bool:
    return not ended.match.length and ended.ending not in GIVEN_UP


def _took_part(connection: Connection, ended: Ended, side: Side) -> bool:
    """Whether that side's person did anything themselves: the same question as tournaments ask for a forfeit."""
    return bool(appearances.acted(connection, [ended.match_id]) & {(ended.match_id, side.word)})


def _was_away(connection: Connection, ended: Ended) -> bool:
    """Whether the loser on time has done nothing of their own since they lost another one on time."""
    if ended.on_time is None:
        return False
    person = ended.people[ended.on_time]
    since = ratings.last_on_time(connection, person, ended.at, ended.match_id)
    return since is not None and not ratings.acted(connection, person, since, ended.at)
