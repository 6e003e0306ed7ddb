"""What lists of tournaments say: how many there are of each kind, and whether one has changed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import orjson
from sqlalchemy import Connection

from bgmail.pairing.plan import Plan
from bgmail.service.errors import NotFound
from bgmail.service.tournaments.views import State
from bgmail.store import tournament_lists as rows
from bgmail.store.engine import Store

SHOWN = (State.OPEN, State.RUNNING, State.OVER, State.CANCELLED)


@dataclass(frozen=True, slots=True)
class Counts:
    """How many tournaments are open to entries, running and over (or cancelled); `mine` are those that somebody plays
    or organises."""

    open: int
    running: int
    over: int
    mine: int = 0


@dataclass(frozen=True, slots=True)
class PlayedFor:
    """What a match is played for: its tournament (`season` and `division` of a league, else 0), and the key and round
    of the pairing it decides. `size` is the number of entries in that stage, or of the places in its bracket."""

    tournament_id: str
    name: str
    season: int
    division: int
    plan: Plan
    key: str
    round: int
    size: int


@dataclass(frozen=True, slots=True)
class Announcement:
    """What an organiser has told everybody who plays."""

    at: datetime
    author: str | None
    text: str


def counts(store: Store, account_id: int | None = None) -> Counts:
    """How many there are; drafts count among one's own alone."""
    with store.read() as connection:
        found = rows.counted(connection, [state.value for state in SHOWN])
        mine = rows.counted_of(connection, account_id) if account_id is not None else 0
    over = found.get(State.OVER, 0) + found.get(State.CANCELLED, 0)
    return Counts(found.get(State.OPEN, 0), found.get(State.RUNNING, 0), over, mine)


def mark(store: Store, tournament_id: str) -> str:
    """What changes whenever something happens in a tournament. Raises NotFound."""
    with store.read() as connection:
        found = rows.mark(connection, tournament_id)
    if found is None:
        raise NotFound("no_tournament")
    return f"{found.head}-{found.stirred}"


def played_for(store: Store, match_id: str) -> PlayedFor | None:
    """Which pairing a match decides; None for a match of no tournament."""
    with store.read() as connection:
        return pairing_of(connection, match_id)


def pairing_of(connection: Connection, match_id: str) -> PlayedFor | None:
    """The same on an open connection."""
    row = rows.of_match(connection, match_id)
    if row is None:
        return None
    size = stage_size(connection, row.id, row.key, row.entered)
    return PlayedFor(
        row.id,
        row.name,
        row.season,
        row.division,
        Plan.from_data(orjson.loads(row.plan)),
        row.key,
        row.round,
        size,
    )


def stage_size(connection: Connection, tournament_id: str, key: str, entered: int) -> int:
    """How many play in the stage of a pairing, or how many places its bracket has; `entered` have in the first."""
    stage, colon, _ = key.rpartition(":")
    return 2 * rows.first_round(connection, tournament_id, f"{stage}:") if colon else entered


def announcements(store: Store, tournament_id: str, most: int = 5) -> tuple[Announcement, ...]:
    """What organisers have announced, the latest first."""
    with store.read() as connection:
        found = rows.announced(connection, tournament_id, most)
    return tuple(
        Announcement(row.at, row.author, str(orjson.loads(row.data).get("text", ""))) for row in found
    )
