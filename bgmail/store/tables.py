"""Every table of bgmail as SQLModel classes; Alembic makes them, `bgmail.store` reads and writes them.

Rows are rows: they don't validate. Instants are aware UTC datetimes; the log's `at` is in microseconds.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Index,
    LargeBinary,
    MetaData,
    Text,
    UniqueConstraint,
    text,
)
from sqlmodel import Field, SQLModel

metadata = SQLModel.metadata
metadata.naming_convention = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
).naming_convention


def _to_watch(which: str, condition: str) -> tuple[Index, Index]:
    """The indexes of a list of matches to look at, the newest moves first, of any length or of one."""
    where: Any = {"sqlite_where": text(condition), "postgresql_where": text(condition)}
    return (
        Index(f"ix_match_{which}", "moved_at", "id", **where),
        Index(f"ix_match_{which}_length", "length", "moved_at", "id", **where),
    )


class AccountRow(SQLModel, table=True):
    """A person (or a marked machine). `handle_key` and `email_key` are the folded forms that must be unique.

    `email` is an address that its owner has proven; `new_email` is one that waits for its proof. `epoch` counts
    up when everything that lets people in is ended: mailed links carry it and die with it. `leaving_at` is set while
    the matches and offers of somebody shut out are still to be ended; `most_matches` (None = any number) is how many
    matches somebody wants at a time. A closed account keeps its `handle_key`: nobody else gets the name.
    """

    __tablename__ = "account"
    id: int | None = Field(default=None, primary_key=True)
    handle: str
    handle_key: str = Field(unique=True)
    email: str | None = None
    email_key: str | None = Field(default=None, unique=True)
    email_verified_at: datetime | None = None
    new_email: str | None = None
    epoch: int = 0
    password_hash: str | None = None
    time_zone: str = "UTC"
    locale: str = "en"
    is_bot: bool = False
    is_staff: bool = False
    created_at: datetime
    seen_at: datetime | None = None
    banned_at: datetime | None = None
    closed_at: datetime | None = None
    leaving_at: datetime | None = None
    most_matches: int | None = None
    __table_args__ = (
        Index(
            "ix_account_leaving_at",
            "leaving_at",
            sqlite_where=text("leaving_at IS NOT NULL"),
            postgresql_where=text("leaving_at IS NOT NULL"),
        ),
        Index("ix_account_handle_look", "handle_key", postgresql_ops={"handle_key": "text_pattern_ops"}),
    )


class LoginRow(SQLModel, table=True):
    """A session of the browser or a personal API token: only the SHA-256 of the secret is kept."""

    __tablename__ = "login"
    id: int | None = Field(default=None, primary_key=True)
    account_id: int = Field(foreign_key="account.id", index=True)
    kind: str  # "session" | "api"
    digest: str = Field(unique=True)
    name: str = ""
    created_at: datetime
    used_at: datetime
    expires_at: datetime | None = None


class MatchRow(SQLModel, table=True):
    """The cached state of a match; the log is the truth and `audit` compares the two.

    `head` is the seq of the last entry, `version` that of the last one that changed the game for the side on
    turn. `due_at` is the next instant at which the sweep has to look: a reminder, the deadline or the expiry.
    `state` and `clock` are the JSON of `bgmail.rules.snapshot` and `bgmail.timing`. `winner` (0 = White) and `ending`
    repeat the result that `state` has, for counting.
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
    __table_args__ = (
        CheckConstraint("white_id IS NULL OR black_id IS NULL OR white_id <> black_id", name="two_people"),
        Index(
            "ix_match_due_at",
            "due_at",
            sqlite_where=text("due_at IS NOT NULL"),
            postgresql_where=text("due_at IS NOT NULL"),
        ),
        Index(
            "ix_match_invited",
            "created_at",
            sqlite_where=text("phase = 'invited'"),
            postgresql_where=text("phase = 'invited'"),
        ),
        Index(
            "ix_match_machine",  # where a machine of this server is on turn: it invites, and plays unrated
            "white_id",
            "moved_at",
            sqlite_where=text("on_turn = 0 AND NOT rated"),
            postgresql_where=text("on_turn = 0 AND NOT rated"),
        ),
        *_to_watch("running", "started_at IS NOT NULL AND finished_at IS NULL"),
        *_to_watch("finished", "finished_at IS NOT NULL"),
        Index("ix_match_white_id_phase", "white_id", "phase", "deadline_at"),
        Index("ix_match_black_id_phase", "black_id", "phase", "deadline_at"),
    )


class SecretRow(SQLModel, table=True):
    """The secret of one game's dice, in a table of its own until it is published in the log."""

    __tablename__ = "secret"
    match_id: str = Field(primary_key=True, foreign_key="match.id")
    game: int = Field(primary_key=True)
    secret: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class ActionRow(SQLModel, table=True):
    """One entry of a match's log, as hashed. Rows are added, never changed or deleted."""

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
    __table_args__ = (UniqueConstraint("match_id", "seat", "key"), {"sqlite_with_rowid": False})


class InvitationRow(SQLModel, table=True):
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


class ImportRow(SQLModel, table=True):
    """The names in a match that came from elsewhere: nobody here need be behind them, so its seats stay empty."""

    __tablename__ = "import"
    match_id: str = Field(primary_key=True, foreign_key="match.id")
    white: str
    black: str


class ChatRow(SQLModel, table=True):
    """A line of chat in a match, kept for ever; it stays outside the log."""

    __tablename__ = "chat"
    id: int | None = Field(default=None, primary_key=True)
    match_id: str = Field(foreign_key="match.id", index=True)
    author_id: int = Field(foreign_key="account.id")
    at: datetime
    body: str = Field(sa_column=Column(Text, nullable=False))


class VisitRow(SQLModel, table=True):
    """Up to which entry of a match a person has seen it on its page: what came later is news."""

    __tablename__ = "visit"
    match_id: str = Field(primary_key=True, foreign_key="match.id")
    account_id: int = Field(primary_key=True, foreign_key="account.id")
    seq: int
    at: datetime


class NoticeRow(SQLModel, table=True):
    """A fact owed to someone, written in the transaction that made it true.

    The unique key (person, match, address, kind, version, which) makes each fact once, and its order finds what
    is owed to a person about a match. `state` is "ready" until it is planned which channels tell it, then "planned",
    and in the end "sent" (by one of them at least), "gathered" (into a digest), "obsolete" or "failed". `due_at` is
    the instant before which no letter goes out: it means nothing to machines. Until `aside_until` one that made no
    sense holds up nobody.
    """

    __tablename__ = "notice"
    id: int | None = Field(default=None, primary_key=True)
    account_id: int | None = Field(default=None, foreign_key="account.id")
    address: str = ""  # for people without an account; the account's own address otherwise
    kind: str
    match_id: str = ""
    version: int = 0
    which: str = ""
    data: str = Field(default="{}", sa_column=Column(Text, nullable=False))
    state: str = "ready"
    created_at: datetime
    due_at: datetime | None
    aside_until: datetime | None = None
    __table_args__ = (
        UniqueConstraint(
            "account_id", "match_id", "address", "kind", "version", "which", name="uq_notice_fact"
        ),
        Index(
            "uq_notice_fact_address",  # of people without an account each is another to the key above
            "address",
            "match_id",
            "kind",
            "version",
            "which",
            unique=True,
            sqlite_where=text("account_id IS NULL"),
            postgresql_where=text("account_id IS NULL"),
        ),
        Index(
            "ix_notice_ready",
            "id",
            sqlite_where=text("state = 'ready'"),
            postgresql_where=text("state = 'ready'"),
        ),
        Index("ix_notice_account_id_id", "account_id", "id"),
    )


class ErrandRow(SQLModel, table=True):
    """What one channel still has to do for a notice, or has done. `target` tells several of one person apart (0 = the
    one mailbox).

    `state` is "ready", "sent", "gathered", "obsolete" or "failed"; `due_at` is when it may next be tried (also while a
    sender has claimed it), None when it has ended. `asked`: its owner wants it sent once more, overtaken or not.
    """

    __tablename__ = "errand"
    id: int | None = Field(default=None, primary_key=True)
    notice_id: int = Field(foreign_key="notice.id")
    channel: str
    target: int
    state: str = "ready"
    attempts: int = 0
    asked: bool = False
    created_at: datetime
    ended_at: datetime | None = None
    due_at: datetime | None
    __table_args__ = (
        UniqueConstraint("notice_id", "channel", "target"),
        Index(
            "ix_errand_due_at",
            "channel",
            "due_at",
            sqlite_where=text("due_at IS NOT NULL"),
            postgresql_where=text("due_at IS NOT NULL"),
        ),
    )


class DeliveryRow(SQLModel, table=True):
    """One attempt to bring a notice to its person by one channel, written before the attempt and completed after.

    `errand_id` is None for attempts older than errands.
    """

    __tablename__ = "delivery"
    id: int | None = Field(default=None, primary_key=True)
    notice_id: int = Field(foreign_key="notice.id", index=True)
    errand_id: int | None = Field(default=None, index=True)
    channel: str
    address: str
    message_id: str
    started_at: datetime = Field(index=True)
    ended_at: datetime | None = None
    outcome: str | None = None  # "sent" | "retry" | "refused" | "lost" | "returned"
    error: str = ""


class ReportRow(SQLModel, table=True):
    """What somebody's mail server or provider reported of an attempt to bring a letter, each sort once."""

    __tablename__ = "report"
    id: int | None = Field(default=None, primary_key=True)
    delivery_id: int = Field(foreign_key="delivery.id")
    sort: str  # "failed" | "delayed" | "complaint"
    status: str = ""
    said: str = ""
    at: datetime = Field(index=True)
    __table_args__ = (UniqueConstraint("delivery_id", "sort"),)


class TroubleRow(SQLModel, table=True):
    """Why letters don't go to an address: `about` is the kind that was complained about, "" = they come back.

    `stopped_at` is None once its owner wants them again, since `again_at`. The row is of the address: another one of
    the same person is in no trouble.
    """

    __tablename__ = "trouble"
    address_key: str = Field(primary_key=True)
    about: str = Field(primary_key=True)
    address: str
    status: str = ""
    said: str = ""
    stopped_at: datetime | None = None
    again_at: datetime | None = None


class ChoiceRow(SQLModel, table=True):
    """How a person wants to be told of one kind of notice by one channel; who has no row gets it at once."""

    __tablename__ = "choice"
    account_id: int = Field(primary_key=True, foreign_key="account.id")
    kind: str = Field(primary_key=True)
    channel: str = Field(primary_key=True)
    mode: str  # "now" | "absence" | "digest" | "off"


class HoursRow(SQLModel, table=True):
    """When a person doesn't want to be woken, and when the daily digest comes: minutes of the day in their zone.

    `quiet_from` and `quiet_to` are both None for no quiet hours.
    """

    __tablename__ = "hours"
    account_id: int = Field(primary_key=True, foreign_key="account.id")
    quiet_from: int | None = None
    quiet_to: int | None = None
    digest_at: int


class BoardPreferenceRow(SQLModel, table=True):
    """How a person wants boards; who has no row has chosen nothing. `bgmail.service.board_preferences` says what."""

    __tablename__ = "board_preference"
    account_id: int = Field(primary_key=True, foreign_key="account.id")
    theme: str
    checkers: str
    home_left: bool
    home_top: bool
    upright: str
    numbers: bool
    pips: bool
    motion: bool
    click: str
    ask_double: bool
    ask_take: bool
    ask_pass: bool


class FeedRow(SQLModel, table=True):
    """The secret address under which programs read somebody's turns: `mark` is what is signed in it.

    Another mark makes another address, and the one before is dead.
    """

    __tablename__ = "feed"
    account_id: int = Field(primary_key=True, foreign_key="account.id")
    mark: str
    made_at: datetime
    read_at: datetime | None = None


class TieRow(SQLModel, table=True):
    """What one person wants of another: "follow", "mute" or "block". Nobody but `account_id` gets to know."""

    __tablename__ = "tie"
    account_id: int = Field(primary_key=True, foreign_key="account.id")
    kind: str = Field(primary_key=True)
    other_id: int = Field(primary_key=True, foreign_key="account.id", index=True)
    at: datetime


class PulseRow(SQLModel, table=True):
    """When something that should go on for ever last did so: the scheduler's heartbeat."""

    __tablename__ = "pulse"
    name: str = Field(primary_key=True)
    at: datetime


class AllowanceRow(SQLModel, table=True):
    """How often something was done in a window of time, for limits that hold across processes."""

    __tablename__ = "allowance"
    key: str = Field(primary_key=True)
    window_ends: datetime
    used: int


class SpentRow(SQLModel, table=True):
    """A signed link that works once (reset, sign-in, address check), remembered until it would expire anyway."""

    __tablename__ = "spent"
    digest: str = Field(primary_key=True)
    expires_at: datetime


class MatchNoteRow(SQLModel, table=True):
    """What a person wrote down about a match, for their own eyes alone."""

    __tablename__ = "match_note"
    author_id: int = Field(primary_key=True, foreign_key="account.id")
    match_id: str = Field(primary_key=True, foreign_key="match.id")
    body: str = Field(sa_column=Column(Text, nullable=False))
    at: datetime


class PersonNoteRow(SQLModel, table=True):
    """What a person wrote down about another one, for their own eyes alone."""

    __tablename__ = "person_note"
    author_id: int = Field(primary_key=True, foreign_key="account.id")
    person_id: int = Field(primary_key=True, foreign_key="account.id")
    body: str = Field(sa_column=Column(Text, nullable=False))
    at: datetime


class SketchRow(SQLModel, table=True):
    """A play that somebody laid out on the board at one version of a match, and didn't submit."""

    __tablename__ = "sketch"
    match_id: str = Field(primary_key=True, foreign_key="match.id")
    account_id: int = Field(primary_key=True, foreign_key="account.id", index=True)
    version: int
    play: str
    at: datetime


class InboundRow(SQLModel, table=True):
    """A mail that our receiver has accepted for one address of ours, as it came.

    One mail and address is kept once (`digest` is of its bytes). `match_id` is what the address is for: while such a
    mail waits, the time of that match isn't called. `due_at` is when it may next be handled, None once it was, and
    `outcome` what came of it then; its bytes go with that. `fingerprint`, of the mail as its writer made it and of the
    address, makes sure that copies act once.
    """

    __tablename__ = "inbound"
    id: int | None = Field(default=None, primary_key=True)
    digest: str
    token: str
    match_id: str
    sender: str | None = None
    received_at: datetime
    raw: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    attempts: int = 0
    due_at: datetime | None
    outcome: str = ""
    fingerprint: str | None = Field(default=None, unique=True)
    __table_args__ = (
        UniqueConstraint("digest", "token"),
        Index("ix_inbound_received_at", "received_at"),
        *(
            Index(
                f"ix_inbound_{column}",
                column,
                sqlite_where=text("due_at IS NOT NULL"),
                postgresql_where=text("due_at IS NOT NULL"),
            )
            for column in ("due_at", "match_id")
        ),
    )


class SenderRow(SQLModel, table=True):
    """Another address that somebody answers from, besides the one their letters go to."""

    __tablename__ = "sender"
    account_id: int = Field(primary_key=True, foreign_key="account.id")
    address_key: str = Field(primary_key=True)
    at: datetime
