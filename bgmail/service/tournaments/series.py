"""Series: leagues, whose divisions are tournaments season after season, and knockouts of which there is always one to
enter. Whoever joins a league confirms its conditions once and plays every season until they leave.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

import orjson
from sqlalchemy import Row

from bgmail.pairing.plan import Plan
from bgmail.service import accounts
from bgmail.service.errors import Forbidden, NotFound, Refused
from bgmail.service.terms import has_controls
from bgmail.service.tournaments.conditions import Conditions, digest_of
from bgmail.service.tournaments.creating import check_start, judged_plan
from bgmail.service.tournaments.views import Entrant, Line, State, entrant_of, standings_of
from bgmail.store import series as rows
from bgmail.store import tournaments as tournament_rows
from bgmail.store.engine import Store

MOST_NAME = 60
MOST_DIVISION, MOST_FIELD = 32, 1024
MOST_OWN, MOST_OWN_STAFF = 2, 100
"""So many series of one person go on at a time."""
MOST_SHOWN = 60


class Kind(StrEnum):
    """What a series is."""

    LEAGUE = "league"
    STANDING = "standing"


USUAL_PLAN: Mapping[Kind, Mapping[str, Any]] = {
    Kind.LEAGUE: {
        "stages": [{"format": "round_robin"}],
        "tie_breaks": ["head_to_head", "sonneborn_berger"],
    },
    Kind.STANDING: {"stages": [{"format": "knockout"}], "tie_breaks": []},
}


@dataclass(frozen=True, slots=True)
class Founding:
    """A series as somebody wants it; `plan` None = as usual for its kind. The rest is as in `Series`."""

    kind: Kind
    name: str
    conditions: Mapping[str, Any]
    size: int = 8
    moves: int = 2
    least: int = 4
    starts_at: datetime | None = None
    plan: Mapping[str, Any] | None = field(default=None)

    def judged(self, now: datetime) -> dict[str, Any]:
        """The columns that follow from it. Raises Refused for a name, plan, condition, number or date that won't do."""
        plan = judged_plan(self.plan or USUAL_PLAN[self.kind])
        conditions = Conditions.from_data(self.conditions)
        name = " ".join(self.name.split())
        if not 0 < len(name) <= MOST_NAME or has_controls(name):
            raise Refused("tournament_name", most=MOST_NAME)
        most = MOST_DIVISION if self.kind is Kind.LEAGUE else MOST_FIELD
        if not 2 <= self.size <= most:
            raise Refused("series_size", most=most)
        moves = self.moves if self.kind is Kind.LEAGUE else 0
        if not 0 <= moves <= (self.size - 1) // 2 or not 2 <= self.least <= MOST_FIELD:
            raise Refused("series_moves", most=(self.size - 1) // 2)
        check_start(self.starts_at, now)
        return {
            "kind": self.kind.value,
            "name": name,
            "plan": orjson.dumps(plan.data()).decode(),
            "conditions": orjson.dumps(conditions.to_data()).decode(),
            "digest": digest_of(plan.data(), conditions),
            "size": self.size,
            "moves": moves,
            "least": self.least,
            "starts_at": self.starts_at,
        }


@dataclass(frozen=True, slots=True)
class Series:
    """One series. `size` is how many play in a division (about), or in each knockout (exactly); `moves` how many go up
    and down between two divisions; `least` how many members a season needs. `season` counts those that have begun."""

    id: int
    kind: Kind
    name: str
    plan: Plan
    conditions: Conditions
    digest: str
    size: int
    moves: int
    least: int
    starts_at: datetime | None
    season: int
    members: int
    creator: str
    creator_id: int
    created_at: datetime
    ended_at: datetime | None

    @property
    def is_league(self) -> bool:
        return self.kind is Kind.LEAGUE


@dataclass(frozen=True, slots=True)
class Held:
    """One tournament of a series."""

    id: str
    name: str
    state: State
    season: int
    division: int
    started_at: datetime | None


@dataclass(frozen=True, slots=True)
class Table:
    """The standings of one division as they are."""

    held: Held
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody who plays the seasons of a league. `played` is the last one they were in, 0 = none yet."""

    account_id: int
    handle: str
    joined_at: datetime
    played: int


def create(store: Store, account_id: int, wish: Founding, now: datetime) -> Series:
    """Begins a series: its first season begins by the job, as soon as it may.

    Raises Refused (terms, plan, name, numbers, an address that isn't proven, too many); Forbidden for who is shut out.
    """
    who = accounts.require_active(store, account_id)
    if not (who.verified or who.is_bot):
        raise Refused("unverified_organiser")
    values = wish.judged(now) | {"created_by": account_id, "created_at": now}
    most = MOST_OWN_STAFF if who.is_staff else MOST_OWN
    with store.write() as connection:
        if rows.running_of(connection, account_id) >= most:
            raise Refused("too_many_series", most=most)
        series_id = rows.add(connection, values)
    return load(store, series_id)


def end(store: Store, series_id: int, account_id: int, now: datetime) -> Series:
    """No other season begins; the one that runs is played to its end. A second time changes nothing.

    Raises NotFound, Forbidden for whoever isn't its creator or staff.
    """
    who = accounts.require_active(store, account_id)
    with store.write() as connection:
        row = rows.hold(connection, series_id)
        if row is None:
            raise NotFound("no_series")
        if not who.is_staff and row.created_by != account_id:
            raise Forbidden("not_organiser")
        if row.ended_at is None:
            rows.change(connection, series_id, ended_at=now)
    return load(store, series_id)


def join(
    store: Store, series_id: int, account_id: int, digest: str, now: datetime, *, fair_play: bool
) -> Series:
    """Plays from the next season on, and every one after it; a second time changes nothing.

    `digest` is that of the conditions that were read. Raises NotFound; Refused("no_league") for another kind,
    ("series_over"), ("conditions_changed"), ("fair_play"), ("no_machines"), ("unverified_entry"); Forbidden.
    """
    who = accounts.require_active(store, account_id)
    found = load(store, series_id)
    if not found.is_league:
        raise Refused("no_league")
    if found.ended_at is not None:
        raise Refused("series_over")
    if digest != found.digest:
        raise Refused("conditions_changed")
    if not fair_play:
        raise Refused("fair_play")
    if who.is_bot and not found.conditions.machines:
        raise Refused("no_machines")
    if not (who.verified or who.is_bot):
        raise Refused("unverified_entry")
    with store.write() as connection:
        known = rows.membership(connection, series_id, account_id)
        if known is None or known.left_at is not None:
            kept = {"played": known.played if known else 0}
            values = {"series_id": series_id, "account_id": account_id, "digest": digest, "joined_at": now}
            rows.join(connection, values | kept)
    return load(store, series_id)


def leave(store: Store, series_id: int, account_id: int, now: datetime) -> Series:
    """Plays no other season; the one that runs goes on, unless its tournament is left as well. Raises NotFound."""
    with store.write() as connection:
        rows.leave(connection, series_id, [account_id], now)
    return load(store, series_id)


def load(store: Store, series_id: int) -> Series:
    """One series. Raises NotFound."""
    with store.read() as connection:
        row = rows.by_id(connection, series_id)
    if row is None:
        raise NotFound("no_series")
    return series_of(row)


def listed(store: Store) -> tuple[Series, ...]:
    """All series, those that go on first."""
    with store.read() as connection:
        return tuple(series_of(row) for row in rows.all_of(connection))


def is_member(store: Store, series_id: int, account_id: int) -> bool:
    """Whether somebody plays the next season."""
    with store.read() as connection:
        row = rows.membership(connection, series_id, account_id)
    return row is not None and row.left_at is None


def members(store: Store, series_id: int) -> tuple[Member, ...]:
    """Who plays the next season, in the order in which they joined."""
    with store.read() as connection:
        found = rows.members(connection, series_id)
    return tuple(Member(row.account_id, row.handle, row.joined_at, row.played) for row in found)


def held(store: Store, series_id: int) -> tuple[Held, ...]:
    """The latest tournaments of a series, the latest season first and in it the highest division."""
    with store.read() as connection:
        return tuple(held_of(row) for row in rows.seasons(connection, series_id, MOST_SHOWN))


def tables(store: Store, found: Series) -> tuple[Table, ...]:
    """The standings of the season that runs or ran last, the highest division first."""
    with store.read() as connection:
        divisions = rows.divisions(connection, found.id, found.season)
        people = {
            row.id: {one.number: entrant_of(one) for one in tournament_rows.entries(connection, row.id)}
            for row in divisions
        }
    return tuple(
        Table(held_of(row, found.season), final_order(row.standings, people[row.id])) for row in divisions
    )


def final_order(kept: str | None, people: Mapping[int, Entrant]) -> tuple[Line, ...]:
    """The standings of a tournament; by seed where there are none, as in one that was called off."""
    lines = standings_of(kept, people).lines
    if lines:
        return lines
    seeded: Sequence[Entrant] = sorted(people.values(), key=lambda one: (one.seed or 0, one.number))
    return tuple(Line(place, one, 0, 0, 0, (), "", None, True) for place, one in enumerate(seeded, 1))


def series_of(row: Row[Any]) -> Series:
    """The series of a row of `bgmail.store.series`."""
    return Series(
        id=row.id,
        kind=Kind(row.kind),
        name=row.name,
        plan=Plan.from_data(orjson.loads(row.plan)),
        conditions=Conditions.from_data(orjson.loads(row.conditions)),
        digest=row.digest,
        size=row.size,
        moves=row.moves,
        least=row.least,
        starts_at=row.starts_at,
        season=row.season,
        members=row.members,
        creator=row.creator,
        creator_id=row.created_by,
        created_at=row.created_at,
        ended_at=row.ended_at,
    )


def held_of(row: Row[Any], season: int | None = None) -> Held:
    """The tournament of a row of `bgmail.store.series`."""
    number = row.season if season is None else season
    return Held(row.id, row.name, State(row.state), number, row.division, row.started_at)
