"""Series: leagues, whose divisions are tournaments season after season, and knockouts of which there is always one to
enter. Whoever joins a league confirms its conditions once and plays every season until they leave.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

import orjson
from sqlalchemy import Connection, Row
from sqlalchemy.exc import IntegrityError

from bgmail.ledger.entry import canonical
from bgmail.pairing.plan import MOST_ENTRIES, Plan
from bgmail.service import accounts
from bgmail.service.errors import Forbidden, KeyReused, NotFound, Refused
from bgmail.service.keys import check_key
from bgmail.service.terms import has_controls
from bgmail.service.tournaments.conditions import Conditions, Rounds, digest_of
from bgmail.service.tournaments.creating import check_organiser, check_start, judged_plan
from bgmail.service.tournaments.views import State
from bgmail.store import people
from bgmail.store import series as rows
from bgmail.store.engine import Store

MOST_NAME = 60
MOST_DIVISION, MOST_FIELD = 32, MOST_ENTRIES
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
        conditions.terms.offered()
        if conditions.rounds is Rounds.HAND:  # nobody is there to draw them: seasons go on by themselves
            raise Refused("condition", field="rounds")
        if (
            self.kind is Kind.LEAGUE and not conditions.ends
        ):  # and each waits for the last match of the one before
            raise Refused("series_clock")
        name = " ".join(self.name.split())
        if not 0 < len(name) <= MOST_NAME or has_controls(name):
            raise Refused("tournament_name", most=MOST_NAME)
        most = min(MOST_DIVISION if self.kind is Kind.LEAGUE else MOST_FIELD, plan.most_entries)
        if not 2 <= self.size <= most:
            raise Refused("series_size", most=most)
        moves = self.moves if self.kind is Kind.LEAGUE else 0
        if not 0 <= moves <= (self.size - 1) // 2:
            raise Refused("series_moves", most=(self.size - 1) // 2)
        if not 2 <= self.least <= MOST_FIELD:
            raise Refused("series_least", most=MOST_FIELD)
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

    def digest(self) -> str:
        """Tells two wishes with one key apart."""
        told = {**asdict(self), "starts_at": self.starts_at.isoformat() if self.starts_at else None}
        return hashlib.sha256(canonical(told).encode()).hexdigest()


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
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody who plays the seasons of a league. `played` is the last one they were in, 0 = none yet."""

    account_id: int
    handle: str
    joined_at: datetime
    played: int


def create(store: Store, account_id: int, wish: Founding, now: datetime, *, key: str | None = None) -> Series:
    """Begins a series: its first season begins by the job, as soon as it may. The same again under one `key` is the
    same series.

    Raises Refused (terms, plan, name, numbers, a machine, an address that isn't proven, too many), KeyReused; Forbidden
    for who is shut out.
    """
    check_key(key)
    who = accounts.require_active(store, account_id)
    check_organiser(who)
    values = wish.judged(now) | {"created_by": account_id, "created_at": now}
    if key is not None:
        values |= {"key": key, "body_digest": wish.digest()}
    most = MOST_OWN_STAFF if who.is_staff else MOST_OWN
    try:
        return load(store, _write(store, values, most))
    except IntegrityError:
        with store.read() as connection:
            made = _made_before(connection, values)
        if made is None:
            raise
        return load(store, made)


def _write(store: Store, values: Mapping[str, Any], most: int) -> int:
    """The id of the series that there is now. Raises IntegrityError where another wish under the key was quicker."""
    with store.write() as connection:
        people.hold(connection, values["created_by"])
        made = _made_before(connection, values)
        if made is not None:
            return made
        if rows.running_of(connection, values["created_by"]) >= most:
            raise Refused("too_many_series", most=most)
        return rows.add(connection, values)


def _made_before(connection: Connection, values: Mapping[str, Any]) -> int | None:
    """The series that the same wish made. Raises KeyReused where another had its key."""
    found = rows.by_key(connection, values["created_by"], values["key"]) if "key" in values else None
    if found is None:
        return None
    if found.body_digest != values["body_digest"]:
        raise KeyReused("key_reused")
    return int(found.id)


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


def mark(store: Store, series_id: int) -> str:
    """What changes whenever something happens in a series. Raises NotFound."""
    with store.read() as connection:
        found = rows.mark(connection, series_id)
    if found is None:
        raise NotFound("no_series")
    return hashlib.sha256("|".join(map(str, found)).encode()).hexdigest()[:16]


def listed(store: Store, limit: int, offset: int = 0) -> tuple[Series, ...]:
    """So many series, those that go on first."""
    with store.read() as connection:
        return tuple(series_of(row) for row in rows.all_of(connection, limit, offset))


def is_member(store: Store, series_id: int, account_id: int) -> bool:
    """Whether somebody plays the next season."""
    with store.read() as connection:
        row = rows.membership(connection, series_id, account_id)
    return row is not None and row.left_at is None


def joined(store: Store, found: Sequence[Series], account_id: int) -> frozenset[int]:
    """The ids of those of the series whose next season somebody plays."""
    with store.read() as connection:
        rows_ = rows.memberships(connection, [one.id for one in found], account_id)
    return frozenset(row.series_id for row in rows_)


def members(store: Store, series_id: int, limit: int | None = None, offset: int = 0) -> tuple[Member, ...]:
    """Who plays the next season (`limit` None = all of them), in the order in which they joined."""
    with store.read() as connection:
        found = rows.members(connection, series_id, limit, offset)
    return tuple(map(_member, found))


def newcomers(store: Store, found: Series, limit: int, offset: int = 0) -> tuple[tuple[Member, ...], int]:
    """So many of those whose first season is the next one, in the order in which they joined, and how many they are (0
    where `offset` is past the last)."""
    if not found.is_league or found.ended_at is not None:
        return (), 0
    with store.read() as connection:
        fresh = rows.newcomers(connection, found.id, found.season, limit, offset)
    return tuple(map(_member, fresh)), fresh[0].of if fresh else 0


def _member(row: Row[Any]) -> Member:
    return Member(row.account_id, row.handle, row.joined_at, row.played)


def held(store: Store, series_id: int, limit: int = MOST_SHOWN, offset: int = 0) -> tuple[Held, ...]:
    """So many tournaments of a series, the latest season first and in it the highest division."""
    with store.read() as connection:
        return tuple(held_of(row) for row in rows.seasons(connection, series_id, limit, offset))


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
    return Held(row.id, row.name, State(row.state), number, row.division, row.started_at, row.finished_at)
