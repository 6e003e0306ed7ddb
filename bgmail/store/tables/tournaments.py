"""Tournaments: their conditions, who organises and who plays them, who meets whom, and what was decided."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, Index, LargeBinary, Text, UniqueConstraint
from sqlmodel import Field

from bgmail.store.tables.base import Table, index_of_some


class TournamentRow(Table, table=True):
    """One tournament. `plan` is the JSON of `bgmail.pairing.plan`, `conditions` that of
    `bgmail.service.tournaments.conditions`, and `digest` what both add up to.

    `state` is "draft", "open", "running", "over" or "cancelled". `places` 0 = any number. `head` is the seq of the last
    entry of its log; `due_at` the next instant at which the job has to look, and `stirred` counts whatever made it due.
    `commitment` is the SHA-256 of its secret, which is `published` in the end; `lot` is drawn from it at the start.
    `rounds_begun` is the last round that may be played where the organiser draws and begins each. `standings` is the
    JSON of the standings as the job left them. `series_id`, `season` and `division` belong to leagues and standing
    knockouts.
    """

    __tablename__ = "tournament"
    id: str = Field(primary_key=True)
    name: str
    state: str = "draft"
    plan: str = Field(sa_column=Column(Text, nullable=False))
    conditions: str = Field(sa_column=Column(Text, nullable=False))
    digest: str
    places: int = 0
    starts_at: datetime | None = None
    starts_full: bool = False
    commitment: str
    published: str | None = None
    lot: str = ""
    rounds_begun: int = 0
    head: int = 0
    due_at: datetime | None = None
    stirred: int = 0
    standings: str | None = Field(default=None, sa_column=Column(Text, nullable=True))
    series_id: int | None = None
    season: int = 0
    division: int = 0
    created_by: int = Field(foreign_key="account.id", index=True)
    created_at: datetime
    opened_at: datetime | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    __table_args__ = (
        index_of_some("ix_tournament_due_at", "due_at", where="due_at IS NOT NULL"),
        Index("ix_tournament_state", "state", "created_at", "id"),
        Index("ix_tournament_series", "series_id", "season", "division"),
    )


class TournamentSecretRow(Table, table=True):
    """The secret of a tournament, in a table of its own until it is published: ids and first dice come from it."""

    __tablename__ = "tournament_secret"
    tournament_id: str = Field(primary_key=True, foreign_key="tournament.id")
    secret: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class OrganiserRow(Table, table=True):
    """Who may command a tournament."""

    __tablename__ = "organiser"
    tournament_id: str = Field(primary_key=True, foreign_key="tournament.id")
    account_id: int = Field(primary_key=True, foreign_key="account.id", index=True)
    added_at: datetime


class EntryRow(Table, table=True):
    """One place in a tournament, and who has it. `number` counts within the tournament, in the order of entry.

    `state` is "waiting", "left" (before the start, or replaced), "barred" (put out before the start), or a word of
    `bgmail.pairing.field.Status`. `seed` is None until it is set, at the latest by the start. `nonce` opens the log of
    each match of theirs; `server_nonce`: the server made it. `digest` is that of the conditions that were confirmed.
    """

    __tablename__ = "entry"
    tournament_id: str = Field(primary_key=True, foreign_key="tournament.id")
    number: int = Field(primary_key=True)
    account_id: int = Field(foreign_key="account.id", index=True)
    state: str
    seed: int | None = None
    rating: float = 1500.0
    section: int = 0
    nonce: str
    server_nonce: bool = False
    digest: str
    entered_at: datetime
    changed_at: datetime | None = None
    __table_args__ = (UniqueConstraint("tournament_id", "account_id"), {"sqlite_with_rowid": False})


class PairingRow(Table, table=True):
    """Two entries that meet, or one that has a bye (`second` None); `key` names the place in the format.

    `match_id` is None until the match begins; `attempt` counts the matches of this pairing. `how` and `winner` are None
    until there is a result; `decided`: an organiser's word, which no match changes. `until` is the date of the round.
    """

    __tablename__ = "pairing"
    tournament_id: str = Field(primary_key=True, foreign_key="tournament.id")
    key: str = Field(primary_key=True)
    place: int
    round: int
    first: int
    second: int | None = None
    fixed: bool = False
    match_id: str | None = Field(default=None, foreign_key="match.id", unique=True)
    attempt: int = 0
    winner: int | None = None
    how: str | None = None
    decided: bool = False
    made_at: datetime
    begun_at: datetime | None = None
    ended_at: datetime | None = None
    until: datetime | None = None
    __table_args__ = ({"sqlite_with_rowid": False},)


class TournamentLogRow(Table, table=True):
    """What happened in a tournament and who said so (None = the server). Rows are added, never changed or deleted."""

    __tablename__ = "tournament_log"
    tournament_id: str = Field(primary_key=True, foreign_key="tournament.id")
    seq: int = Field(primary_key=True)
    at: datetime
    author_id: int | None = Field(default=None, foreign_key="account.id")
    command: str
    reason: str = ""
    data: str = Field(sa_column=Column(Text, nullable=False))
    key: str | None = None
    body_digest: str | None = None
    __table_args__ = (UniqueConstraint("tournament_id", "key"), {"sqlite_with_rowid": False})
