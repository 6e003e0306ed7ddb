"""Matches, the log and the secrets of their dice, invitations and imports."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, Column, Index, LargeBinary, Text, UniqueConstraint
from sqlmodel import Field

from bgmail.store.tables.base import Table, index_of_some


def _to_watch(which: str, condition: str) -> tuple[Index, Index]:
    """The indexes of a list of matches to look at, the newest moves first, of any length or of one."""
    return (
        index_of_some(f"ix_match_{which}", "moved_at", "id", where=condition),
        index_of_some(f"ix_match_{which}_length", "length", "moved_at", "id", where=condition),
    )


class MatchRow(Table, table=True):
    """The cached state of a match; the log is the truth and `audit` compares the two.

    `head` is the seq of the last entry, `version` that of the last one that changed the game for the side on
    turn. `due_at` is the next instant at which the sweep has to look: a reminder, the deadline or the expiry.
    `state` and `clock` are the JSON of `bgmail.rules.snapshot` and `bgmail.timing`. `winner` (0 = White) and `ending`
    repeat the result that `state` has, for counting. `orders` is 0 where nobody ordered anything for this match alone,
    and another number after each change of what was ordered. `tournament_id` is None for a match outside of any.
    """

    __tablename__ = "match"
    id: str = Field(primary_key=True)
    white_id: int | None = Field(default=None, foreign_key="account.id")
    black_id: int | None = Field(default=None, foreign_key="account.id")
    phase: str
    on_turn: int | None = None
    length: int
    rules: str
    rated: bool
    imported: bool = False
    public: bool = True
    version: int
    head: int
    head_hash: str
    rolls: int = 0  # in the current game, an opening tie included
    state: str = Field(sa_column=Column(Text, nullable=False))
    clock: str = Field(sa_column=Column(Text, nullable=False))
    created_at: datetime
    started_at: datetime | None = None
    moved_at: datetime
    finished_at: datetime | None = None
    deadline_at: datetime | None = None
    due_at: datetime | None = None
    winner: int | None = None
    ending: str | None = None
    orders: int = 0
    tournament_id: str | None = None
    __table_args__ = (
        CheckConstraint("white_id IS NULL OR black_id IS NULL OR white_id <> black_id", name="two_people"),
        index_of_some("ix_match_due_at", "due_at", where="due_at IS NOT NULL"),
        index_of_some("ix_match_invited", "created_at", where="phase = 'invited'"),
        index_of_some(
            "ix_match_machine",  # where a machine of this server is on turn: it invites, and plays unrated
            "white_id",
            "moved_at",
            where="on_turn = 0 AND NOT rated",
        ),
        index_of_some("ix_match_tournament_id", "tournament_id", where="tournament_id IS NOT NULL"),
        *_to_watch("running", "started_at IS NOT NULL AND finished_at IS NULL"),
        *_to_watch("finished", "finished_at IS NOT NULL"),
        Index("ix_match_white_id_phase", "white_id", "phase", "deadline_at"),
        Index("ix_match_black_id_phase", "black_id", "phase", "deadline_at"),
    )


class SecretRow(Table, table=True):
    """The secret of one game's dice, in a table of its own until it is published in the log."""

    __tablename__ = "secret"
    match_id: str = Field(primary_key=True, foreign_key="match.id")
    game: int = Field(primary_key=True)
    secret: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    __table_args__ = ({"sqlite_with_rowid": False},)


class ActionRow(Table, table=True):
    """One entry of a match's log, as hashed. Rows are added, never changed or deleted, and on SQLite lie in the order
    in which they came: inside the tree of their key each would split a page."""

    __tablename__ = "action"
    match_id: str = Field(primary_key=True, foreign_key="match.id")
    seq: int = Field(primary_key=True)
    version: int
    at: int = Field(sa_column=Column(BigInteger, nullable=False))
    seat: str | None = None
    via: str
    kind: str
    data: str = Field(sa_column=Column(Text, nullable=False))
    nonce: str | None = None
    text: str = Field(sa_column=Column(Text, nullable=False))
    hash: str
    key: str | None = None
    body_digest: str | None = None
    __table_args__ = (
        index_of_some("uq_action_key", "match_id", "seat", "key", unique=True, where="key IS NOT NULL"),
    )


class InvitationRow(Table, table=True):
    """How a match was offered: to a handle, to an address, or to anyone in the lobby (`invitee` and `email` None).

    `key` and `body_digest` make an offer safe to repeat. `answers` is the match whose terms this one counters.
    `expires_at` is 14 days on.
    """

    __tablename__ = "invitation"
    match_id: str = Field(primary_key=True, foreign_key="match.id")
    inviter_id: int = Field(foreign_key="account.id", index=True)
    invitee_id: int | None = Field(default=None, foreign_key="account.id", index=True)
    email: str | None = None
    open: bool = False
    message: str = ""
    answers: str | None = None
    key: str | None = None
    body_digest: str | None = None
    created_at: datetime
    expires_at: datetime
    __table_args__ = (UniqueConstraint("inviter_id", "key"),)


class ImportRow(Table, table=True):
    """The names in a match that came from elsewhere: nobody here need be behind them, so its seats stay empty."""

    __tablename__ = "import"
    match_id: str = Field(primary_key=True, foreign_key="match.id")
    white: str
    black: str
