"""The job that rates: matches in the order in which they ended, each from what the ones before it left.

A match that comes late, or whose result was corrected, is put in its place, and whatever rests on it follows, match
by match: in the end all numbers are those of a log that always said so. Whoever dies in between leaves the rest due.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import orjson
from sqlalchemy import Connection

from bgmail import rating
from bgmail.rating import Rating
from bgmail.rules.side import Side
from bgmail.rules.snapshot import from_data
from bgmail.service.ratings.verdicts import Ended, Reason, reason, weight
from bgmail.service.views import clock_of
from bgmail.store import ratings
from bgmail.store.engine import Store

MOST = 20
"""So many matches at most in one transaction: players wait for it."""
PERIOD = timedelta(days=rating.PERIOD_DAYS)
LISTED_FOR = timedelta(days=365)
SIDES = (Side.WHITE, Side.BLACK)
_KEPT = ("value", "deviation", "volatility")
_COUNTED = ("won", "lost", "level")

log = logging.getLogger(__name__)


class Unreadable(ValueError):
    """A match whose row nobody can read."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Somebody's rating as their last match that counted left it, at `at` (None = there was none yet), and how those
    matches ended for them."""

    rating: Rating = Rating()
    won: int = 0
    lost: int = 0
    level: int = 0
    at: datetime | None = None

    @property
    def matches(self) -> int:
        return self.won + self.lost + self.level

    def idle(self, now: datetime) -> float:
        """The periods since the last match that counted."""
        return max(0.0, (now - self.at) / PERIOD) if self.at else 0.0

    def today(self, now: datetime) -> Rating:
        """The rating as it is now: as good, and less sure the longer it is since then."""
        return rating.grown(self.rating, self.idle(now))

    def with_match(self, after: Rating, score: float, at: datetime) -> Standing:
        """The standing after one more match."""
        return Standing(
            after, self.won + (score == 1), self.lost + (score == 0), self.level + (score == 0.5), at
        )

    @property
    def listed_until(self) -> datetime | None:
        """When it becomes too old or too unsure for the list; None where it is too unsure already."""
        spare = rating.PROVISIONAL**2 - self.rating.deviation**2
        if self.at is None or spare < 0:
            return None
        yearly = rating.grown(Rating(0, 0, self.rating.volatility), 1).deviation ** 2
        return self.at + min(LISTED_FOR, PERIOD * (spare / yearly))


def standing_of(row: Any | None) -> Standing:
    """The standing in a row that has its columns; of nobody's row, the one that everybody begins with."""
    if row is None:
        return Standing()
    at = getattr(row, "finished_at", None) or row.rated_at
    return Standing(Rating(row.value, row.deviation, row.volatility), row.won, row.lost, row.level, at)


def rate_some(store: Store, now: datetime, most: int = MOST) -> list[str]:
    """Rates the matches that have waited longest, `most` of them, in one transaction. Says what was done about each;
    [] = none is due."""
    with store.read() as connection:
        if not ratings.due(connection, 1):
            return []
    match_id = ""
    try:
        with store.write() as connection:
            ratings.alone(connection)
            said = []
            for match_id in ratings.due(connection, most):
                said.append(_rate(connection, match_id, now))  # the fault's handler names it
    except Unreadable:
        log.exception("the match %s can't be rated and is left out", match_id)
        with store.write() as connection:
            ratings.fail(connection, match_id, Reason.FAILED.value)
        return [f"failed {match_id}"]
    return said


def recompute(store: Store, now: datetime) -> tuple[int, int]:
    """Rates everything again, from the first match on; (matches, changes of which were another than before).

    Safe to repeat, and to cut short: the job finishes it. Matches that ended unnoted are noted.
    """
    while _note_forgotten(store):
        pass
    with store.write() as connection:
        total = ratings.all_again(connection)
    changed = 0
    while said := rate_some(store, now, MOST):
        changed += sum(one.startswith("rated anew") for one in said)
    return total, changed


def _note_forgotten(store: Store) -> int:
    with store.write() as connection:
        found = ratings.forgotten(connection, 500)
        ratings.owe(
            connection,
            [
                {
                    "match_id": row.id,
                    "pace": clock_of(row.clock)[0].control.pace,
                    "finished_at": row.finished_at,
                    "white_id": row.white_id,
                    "black_id": row.black_id,
                }
                for row in found
            ],
        )
    return len(found)


def _rate(connection: Connection, match_id: str, now: datetime) -> str:
    row = ratings.ended(connection, match_id)
    try:
        ended = ended_of(row)
    except (ValueError, KeyError, TypeError) as error:
        raise Unreadable(match_id) from error
    before = tuple(_before(connection, ended, row["pace"], side) for side in SIDES)
    why = reason(connection, ended)
    values = effect(ended, why, (before[0], before[1]))
    known = row["made_at"] is not None
    changed = any(row[name] != value for name, value in values.items())
    revised = now if known and changed else row["revised_at"]
    ratings.keep(connection, match_id, {**values, "made_at": row["made_at"] or now, "revised_at": revised})
    if changed:
        _follow(connection, ended, row)
    for side in SIDES:
        _stand(connection, ended, row["pace"], side)
    return f"{'rated' if not known else 'rated anew' if changed else 'confirmed'} {match_id}"


def ended_of(row: Mapping[str, Any]) -> Ended:
    """The match of a row of `bgmail.store.ratings.ended`."""
    return Ended(
        row["match_id"],
        from_data(orjson.loads(row["state"])),
        (row["white_id"], row["black_id"]),
        row["finished_at"],
        bool(row["white_bot"] or row["black_bot"]),
    )


def effect(ended: Ended, why: Reason, before: tuple[Standing, Standing]) -> dict[str, Any]:
    """The columns of what a match did; where it doesn't count, nothing but why."""
    on_time = ended.on_time
    told: dict[str, Any] = {"reason": why.value, "on_time": None if on_time is None else on_time.word}
    after = _after(ended, before) if why is Reason.COUNTS else (None, None)
    counts = why is Reason.COUNTS
    told |= {"score": ended.score if counts else None, "weight": weight(ended.match) if counts else None}
    for seat, was, left in zip(ratings.SEATS, before, after, strict=True):
        told[f"{seat}_before"] = was.rating.value if left else None
        told |= {f"{seat}_{name}": getattr(left.rating, name) if left else None for name in _KEPT}
        told |= {f"{seat}_{name}": getattr(left, name) if left else None for name in _COUNTED}
    return told


def _after(ended: Ended, before: tuple[Standing, Standing]) -> tuple[Standing, Standing]:
    white, black = before
    steepness = rating.slope(weight(ended.match))
    idle = (white.idle(ended.at), black.idle(ended.at))
    after = rating.after_match(white.rating, black.rating, ended.score, steepness, idle)
    return (
        white.with_match(after[0], ended.score, ended.at),
        black.with_match(after[1], 1 - ended.score, ended.at),
    )


def _before(connection: Connection, ended: Ended, pace: str, side: Side) -> Standing:
    person = ended.people[side]
    return standing_of(ratings.before(connection, person, pace, ended.at, ended.match_id))


def _follow(connection: Connection, ended: Ended, was: Mapping[str, Any]) -> None:
    """What rests on this match is rated again: each side's next one, and the loser's next loss on time."""
    here = (ended.at, ended.match_id)
    again = [ratings.after(connection, person, was["pace"], *here) for person in ended.people]
    late = {ended.on_time} | ({Side.named(was["on_time"])} if was["on_time"] else set())
    again += [
        ratings.next_on_time(connection, ended.people[side], *here) for side in late if side is not None
    ]
    ratings.again(connection, again)


def _stand(connection: Connection, ended: Ended, pace: str, side: Side) -> None:
    """Somebody's rating is what their last match left; while later ones are still to be rated, they see to it."""
    person = ended.people[side]
    if ratings.after(connection, person, pace, ended.at, ended.match_id) is not None:
        return
    last = ratings.last(connection, person, pace)
    if last is None:
        ratings.fall(connection, person, pace)
        return
    standing = standing_of(last)
    ratings.stand(
        connection,
        {
            "account_id": person,
            "pace": pace,
            **{name: getattr(standing.rating, name) for name in _KEPT},
            **{name: getattr(standing, name) for name in _COUNTED},
            "rated_at": standing.at,
            "listed_until": standing.listed_until,
        },
    )
