"""What people are shown of ratings: everybody's own, the list of a pace, and what each match did to whom."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from bgmail.rating import Rating
from bgmail.rules.side import Side
from bgmail.service.errors import Refused
from bgmail.service.ratings.chain import Standing, standing_of
from bgmail.service.ratings.verdicts import Reason
from bgmail.service.views import MatchView, Person
from bgmail.store import rankings
from bgmail.store.engine import Store

PACES = ("correspondence", "live")
MOST_POINTS = 500
"""A graph shows so many changes at most, the latest."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Somebody's rating at a pace as it is `today`, how their rated matches ended, and whether it is in the list."""

    pace: str
    today: Rating
    won: int
    lost: int
    level: int
    rated_at: datetime
    listed: bool

    @property
    def matches(self) -> int:
        return self.won + self.lost + self.level


@dataclass(frozen=True, slots=True)
class Ranked:
    """One line of the list. Equal ratings share a rank."""

    rank: int
    person: Person
    shown: Shown


@dataclass(frozen=True, slots=True)
class Effect:
    """What one match did to one person's rating. `reason` tells why it did nothing; None while it waits for the job.

    `score` is theirs: 1, 0.5 or 0; None where nobody won. `weight` is the length that it weighed by. `revised_at` is
    when it was changed after it had been known.
    """

    match_id: str
    pace: str
    at: datetime
    opponent: Person
    length: int
    score: float | None
    ending: str
    reason: Reason | None
    before: float | None
    after: float | None
    deviation: float | None
    opponent_before: float | None
    weight: int | None
    revised_at: datetime | None

    @property
    def counts(self) -> bool:
        return self.reason is Reason.COUNTS

    @property
    def gain(self) -> float:
        """How much it changed the rating; 0 where it doesn't count."""
        return (self.after or 0.0) - (self.before or 0.0)


@dataclass(frozen=True, slots=True)
class Point:
    """A rating at an instant."""

    at: datetime
    value: float
    deviation: float


@dataclass(frozen=True, slots=True)
class AtTable:
    """What the page of a match tells: the ratings of its two, before it once it is over; then also what they were
    `after` it, and the `reason`, which is None while that isn't known and wherever nothing is at stake."""

    before: Mapping[Side, Rating]
    after: Mapping[Side, float] = field(default_factory=dict)
    reason: Reason | None = None


def strength(connection: Connection, account_id: int, pace: str) -> float:
    """Somebody's rating at a pace; the one that everybody begins with, where they have none."""
    rows = rankings.of(connection, [account_id])
    return next((float(row.value) for row in rows if row.pace == pace), Rating().value)


def of(store: Store, account_id: int, now: datetime) -> list[Shown]:
    """Somebody's ratings, at the paces at which they have one."""
    return of_all(store, [account_id], now).get(account_id, [])


def of_all(store: Store, account_ids: Collection[int], now: datetime) -> dict[int, list[Shown]]:
    """The ratings of some people, by account, by one query."""
    found: dict[int, list[Shown]] = {}
    with store.read() as connection:
        for row in rankings.of(connection, account_ids) if account_ids else ():
            found.setdefault(row.account_id, []).append(_shown(row, now))
    return {key: sorted(each, key=lambda one: PACES.index(one.pace)) for key, each in found.items()}


def ranking(
    store: Store, pace: str, now: datetime, after: tuple[float, int] | None = None, limit: int = 50
) -> list[Ranked]:
    """A page of the list of a pace: those whose rating is no first guess and who played within a year, the best
    first. `after` is `cursor` of the last line of the page before. Raises Refused for another pace."""
    check_pace(pace)
    with store.read() as connection:
        rows = rankings.ranking(connection, pace, now, after, limit)
        ahead = better = 0
        if rows and after is not None:
            ahead, better = rankings.above(connection, pace, now, rows[0].value, rows[0].account_id)
    lines: list[Ranked] = []
    rank, value = better + 1, rows[0].value if rows else None
    for place, row in enumerate(rows, ahead + 1):
        if row.value != value:
            rank, value = place, row.value
        lines.append(Ranked(rank, Person(row.account_id, row.handle), _shown(row, now)))
    return lines


def cursor(line: Ranked) -> tuple[float, int]:
    """Where the list goes on after a line."""
    return line.shown.today.value, line.person.id


def history(
    store: Store,
    account_id: int,
    pace: str,
    after: tuple[datetime, str] | None = None,
    limit: int = 25,
) -> list[Effect]:
    """What somebody's matches did that were played for the rating, the last one first; also those that don't count.

    Raises Refused for another pace.
    """
    check_pace(pace)
    with store.read() as connection:
        return [_effect(row) for row in rankings.effects(connection, account_id, pace, after, limit)]


def everything(store: Store, account_id: int) -> Iterator[Effect]:
    """The same for all paces, a page of rows at a time."""
    return (_effect(row) for row in rankings.all_effects(store, account_id))


def course(store: Store, account_id: int, own: Shown, now: datetime) -> list[Point]:
    """How somebody's rating went, the oldest point first, the last one as it is now."""
    with store.read() as connection:
        rows = rankings.course(connection, account_id, own.pace, MOST_POINTS)
    points = [Point(row.finished_at, row.value, row.deviation) for row in rows]
    if points and now > points[-1].at:
        points.append(Point(now, own.today.value, own.today.deviation))
    return points


def at_table(store: Store, view: MatchView, now: datetime) -> AtTable:
    """What is told of a match and the ratings of its two, by one query."""
    if view.finished_at is not None and view.rated:
        with store.read() as connection:
            row = rankings.change_of(connection, view.id)
        return _over(row) if row is not None else AtTable({})
    ids = {person.id: side for side in Side if (person := view.person(side)) and person.id > 0}
    pace = view.clock.control.pace
    found = of_all(store, ids, now).items()
    return AtTable({ids[key]: one.today for key, each in found for one in each if one.pace == pace})


def check_pace(pace: str) -> None:
    """Raises Refused unless there are ratings at that pace."""
    if pace not in PACES:
        raise Refused("unknown_pace", pace=pace)


def _shown(row: Row[Any], now: datetime) -> Shown:
    standing: Standing = standing_of(row)
    listed = row.listed_until is not None and row.listed_until > now
    return Shown(row.pace, standing.today(now), row.won, row.lost, row.level, row.rated_at, listed=listed)


def _over(row: Row[Any]) -> AtTable:
    reason = _reason(row)
    if reason is not Reason.COUNTS:
        return AtTable({}, reason=reason)
    told = dict.fromkeys(Side, row._mapping)
    return AtTable(
        {
            side: Rating(kept[f"{side.word}_before"], kept[f"{side.word}_deviation"])
            for side, kept in told.items()
        },
        {side: kept[f"{side.word}_value"] for side, kept in told.items()},
        reason,
    )


def _reason(row: Row[Any]) -> Reason | None:
    return None if row.reason is None else Reason(row.reason)


def _effect(row: Row[Any]) -> Effect:
    won = None if row.winner is None else float(row.winner == (0 if row.is_white else 1))
    return Effect(
        match_id=row.match_id,
        pace=row.pace,
        at=row.finished_at,
        opponent=Person(row.opponent_id, row.handle, bool(row.is_bot)),
        length=row.length,
        score=0.5 if won is None and row.reason == "" else won,
        ending=row.ending,
        reason=_reason(row),
        before=row.before,
        after=row.value,
        deviation=row.deviation,
        opponent_before=row.opponent_before,
        weight=row.weight,
        revised_at=row.revised_at,
    )
