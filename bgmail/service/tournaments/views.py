"""Tournaments as pages and the API read them: frozen values with handles, each list in one or two queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

import orjson
from sqlalchemy import Connection, Row, or_, select

from bgmail.pairing.field import How
from bgmail.pairing.plan import Plan
from bgmail.rules.side import Side
from bgmail.service.errors import NotFound
from bgmail.service.tournaments.conditions import Conditions
from bgmail.service.tournaments.naming import named
from bgmail.store import people as account_rows
from bgmail.store import tournaments as rows
from bgmail.store.engine import Store


class State(StrEnum):
    """Where a tournament is. Only those who may command it see a draft."""

    DRAFT = "draft"
    OPEN = "open"
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"


ENDED = (State.OVER, State.CANCELLED)


class EntryState(StrEnum):
    """Where an entry is. WAITING for a place; LEFT before the start, or replaced; BARRED: put out before it had a place
    in the field, and for good; the others are in the field."""

    WAITING = "waiting"
    LEFT = "left"
    BARRED = "barred"
    IN = "in"
    WITHDRAWN = "withdrawn"
    EXCLUDED = "excluded"
    DISQUALIFIED = "disqualified"


@dataclass(frozen=True, slots=True)
class Tournament:
    """One tournament. `places` 0 = as many as a format can hold; `entered` and `waiting` are the numbers of entries
    with a place and without one. `digest` is what an entry confirms. `head` counts what happened: it changes with
    every change. `rounds_begun` is the last round that an organiser has let begin. `published` is the secret, in hex,
    once the tournament is over; `lot` is "" before the start."""

    id: str
    name: str
    state: State
    plan: Plan
    conditions: Conditions
    digest: str
    places: int
    starts_at: datetime | None
    starts_full: bool
    commitment: str
    published: str | None
    lot: str
    head: int
    rounds_begun: int
    creator: str
    entered: int
    waiting: int
    created_at: datetime
    opened_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None
    series_id: int | None
    season: int
    division: int

    @property
    def most(self) -> int:
        """How many can have a place: also where as many play as come, a format holds no more than so many."""
        return self.places or self.plan.most_entries

    @property
    def is_full(self) -> bool:
        """Whether whoever enters now has to wait for a place."""
        return self.entered >= self.most


@dataclass(frozen=True, slots=True)
class Organiser:
    """Somebody who may command a tournament."""

    account_id: int
    handle: str


@dataclass(frozen=True, slots=True)
class Entrant:
    """One entry and who has it. `number` is what pairings and standings call it."""

    number: int
    account_id: int
    handle: str
    is_bot: bool
    state: EntryState
    seed: int | None
    rating: float
    section: int
    entered_at: datetime
    changed_at: datetime | None

    @property
    def in_field(self) -> bool:
        """Whether the entry has a place, also if it has left since."""
        return self.state not in (EntryState.WAITING, EntryState.LEFT, EntryState.BARRED)


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entries that meet, or a bye (`second` None). `key` names the place in the format.

    `how` None = not over; `winner` is an entry's number. `match_id` None = not begun. `decided`: by an organiser.
    `until` is the date of the round. `on_turn` is the number of the entry that has to act, until `deadline_at`.
    """

    key: str
    round: int
    first: Entrant
    second: Entrant | None
    match_id: str | None
    winner: int | None
    how: How | None
    decided: bool
    fixed: bool
    made_at: datetime
    begun_at: datetime | None
    ended_at: datetime | None
    until: datetime | None
    on_turn: int | None
    deadline_at: datetime | None

    def has(self, number: int) -> bool:
        """Whether that entry is one of the two."""
        return number == self.first.number or (self.second is not None and number == self.second.number)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the standings, as `bgmail.pairing.field.Standing` has it, with its entrant."""

    rank: int
    entrant: Entrant
    wins: int
    losses: int
    played: int
    values: tuple[tuple[str, float], ...]
    decided_by: str
    out_in: int | None
    listed: bool


@dataclass(frozen=True, slots=True)
class Standings:
    """The standings as the job left them with the log's entry `head`; no lines before the start."""

    lines: tuple[Line, ...] = ()
    head: int = 0


@dataclass(frozen=True, slots=True)
class Told:
    """One entry of a tournament's log. `author` None = the server."""

    seq: int
    at: datetime
    author: str | None
    command: str
    reason: str
    data: Mapping[str, Any]


def load(store: Store, tournament_id: str, reader_id: int | None = None) -> Tournament:
    """One tournament. Raises NotFound, also for a draft that the reader may not command."""
    with store.read() as connection:
        row = rows.by_id(connection, tournament_id)
        if row is None:
            raise NotFound("no_tournament")
        found = tournament_of(row)
        if found.state is State.DRAFT:
            who = account_rows.by_id(connection, reader_id) if reader_id is not None else None
            if who is None or not commands(connection, tournament_id, who):
                raise NotFound("no_tournament")
    return found


def commands(connection: Connection, tournament_id: str, who: Row[Any]) -> bool:
    """Whether that account commands it: its organisers do, and the staff."""
    return bool(who.is_staff) or rows.is_organiser(connection, tournament_id, who.id)


def find(store: Store, tournament_id: str) -> Tournament:
    """One tournament, a draft too: for whoever runs this server. Raises NotFound."""
    with store.read() as connection:
        row = rows.by_id(connection, tournament_id)
    if row is None:
        raise NotFound("no_tournament")
    return tournament_of(row)


def organisers(store: Store, tournament_id: str) -> tuple[Organiser, ...]:
    """Who commands it, the longest first."""
    with store.read() as connection:
        return tuple(Organiser(row.id, row.handle) for row in rows.organisers(connection, tournament_id))


@dataclass(frozen=True, slots=True)
class Around:
    """Who organises a tournament, and the reader's entry in it: its number and where it is."""

    organisers: tuple[Organiser, ...] = ()
    mine: tuple[int, EntryState] | None = None


def around(store: Store, ids: Sequence[str], account_id: int) -> dict[str, Around]:
    """The same for several tournaments, in two queries."""
    found = dict.fromkeys(ids, Around())
    with store.read() as connection:
        for row in rows.organisers_of(connection, ids):
            before = found[row.tournament_id]
            organiser = Organiser(row.id, row.handle)
            found[row.tournament_id] = replace(before, organisers=(*before.organisers, organiser))
        for row in rows.entries_of(connection, ids, account_id):
            mine = (row.number, EntryState(row.state))
            found[row.tournament_id] = replace(found[row.tournament_id], mine=mine)
    return found


def entrants(store: Store, tournament_id: str) -> tuple[Entrant, ...]:
    """All entries, in the order in which they came; those who wait and those who left are among them."""
    with store.read() as connection:
        return tuple(entrant_of(row) for row in rows.entries(connection, tournament_id))


def pairings(store: Store, tournament_id: str) -> tuple[Pairing, ...]:
    """All pairings, in the order in which they were made."""
    with store.read() as connection:
        people = _by_number(connection, tournament_id)
        found = rows.pairings(connection, tournament_id)
    return tuple(pairing_of(row, people) for row in found)


def standings(store: Store, tournament_id: str) -> Standings:
    """The standings as they were last computed: nothing is computed here."""
    with store.read() as connection:
        row = rows.by_id(connection, tournament_id)
        people = _by_number(connection, tournament_id)
    if row is None:
        raise NotFound("no_tournament")
    return standings_of(row.standings, people)


def log(store: Store, tournament_id: str, after: int = 0) -> tuple[Told, ...]:
    """What happened, from the entry after `after` on; at most 1000 entries."""
    with store.read() as connection:
        found = rows.log_of(connection, tournament_id, after)
        told = named(connection, [orjson.loads(row.data) for row in found])
    return tuple(
        Told(row.seq, row.at, row.author, row.command, row.reason, data)
        for row, data in zip(found, told, strict=True)
    )


def listed(
    store: Store, states: Iterable[State], *, account_id: int | None = None, limit: int = 50, offset: int = 0
) -> tuple[Tournament, ...]:
    """Tournaments in these states, the newest first; with `account_id` those that a person plays or organises."""
    wanted = [state.value for state in states]
    query = rows.TOURNAMENTS.where(rows.tournament.c.state.in_(wanted))
    if account_id is not None:
        query = query.where(or_(*_of(account_id)))
    newest = (rows.tournament.c.created_at.desc(), rows.tournament.c.id)
    with store.read() as connection:
        found = rows.listed(connection, query.order_by(*newest).limit(limit).offset(offset))
    return tuple(tournament_of(row) for row in found)


def _of(account_id: int) -> tuple[Any, Any]:
    entry, organiser = rows.entry, rows.organiser
    played = select(entry.c.tournament_id).where(entry.c.account_id == account_id, entry.c.state != "left")
    run = select(organiser.c.tournament_id).where(organiser.c.account_id == account_id)
    return rows.tournament.c.id.in_(played), rows.tournament.c.id.in_(run)


def tournament_of(row: Row[Any]) -> Tournament:
    """The tournament of a row of `bgmail.store.tournaments`."""
    return Tournament(
        id=row.id,
        name=row.name,
        state=State(row.state),
        plan=Plan.from_data(orjson.loads(row.plan)),
        conditions=Conditions.from_data(orjson.loads(row.conditions)),
        digest=row.digest,
        places=row.places,
        starts_at=row.starts_at,
        starts_full=row.starts_full,
        commitment=row.commitment,
        published=row.published,
        lot=row.lot,
        head=row.head,
        rounds_begun=row.rounds_begun,
        creator=row.creator,
        entered=row.entered,
        waiting=row.waiting,
        created_at=row.created_at,
        opened_at=row.opened_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
        series_id=row.series_id,
        season=row.season,
        division=row.division,
    )


def entrant_of(row: Row[Any]) -> Entrant:
    """The entrant of a row."""
    return Entrant(
        number=row.number,
        account_id=row.account_id,
        handle=row.handle,
        is_bot=row.is_bot,
        state=EntryState(row.state),
        seed=row.seed,
        rating=row.rating,
        section=row.section,
        entered_at=row.entered_at,
        changed_at=row.changed_at,
    )


def pairing_of(row: Row[Any], people: Mapping[int, Entrant]) -> Pairing:
    """The pairing of a row. White is the first of the two."""
    over = row.how is not None
    side = None if over or row.match_on_turn is None else Side(row.match_on_turn)
    return Pairing(
        key=row.key,
        round=row.round,
        first=people[row.first],
        second=None if row.second is None else people[row.second],
        match_id=row.match_id,
        winner=row.winner,
        how=None if row.how is None else How(row.how),
        decided=row.decided,
        fixed=row.fixed,
        made_at=row.made_at,
        begun_at=row.begun_at,
        ended_at=row.ended_at,
        until=row.until,
        on_turn=None if side is None else row.first if side is Side.WHITE else row.second,
        deadline_at=None if over else row.match_deadline_at,
    )


def standings_of(kept: str | None, people: Mapping[int, Entrant]) -> Standings:
    """The standings of the JSON that the job keeps."""
    if kept is None:
        return Standings()
    data = orjson.loads(kept)
    return Standings(tuple(_line(line, people) for line in data["lines"]), data["head"])


def _line(kept: Sequence[Any], people: Mapping[int, Entrant]) -> Line:
    rank, number, wins, losses, played, values, decided_by, out_in, is_listed = kept
    told = tuple((name, value) for name, value in values)
    return Line(rank, people[number], wins, losses, played, told, decided_by, out_in, is_listed)


def _by_number(connection: Connection, tournament_id: str) -> dict[int, Entrant]:
    return {row.number: entrant_of(row) for row in rows.entries(connection, tournament_id)}
