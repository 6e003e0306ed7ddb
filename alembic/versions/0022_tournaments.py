"""tournaments: entries, pairings, organisers and the log of what was decided

Revision ID: 0022
Revises: 0021
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

TEXT, INSTANT = sqlmodel.sql.sqltypes.AutoString, sqlmodel.sql.sqltypes.UTCDateTime
DUE, PLAYED = sa.text("due_at IS NOT NULL"), sa.text("tournament_id IS NOT NULL")


def upgrade() -> None:
    op.add_column("match", sa.Column("tournament_id", TEXT(), nullable=True))
    op.create_index(
        "ix_match_tournament_id",
        "match",
        ["tournament_id"],
        sqlite_where=PLAYED,
        postgresql_where=PLAYED,
    )
    _tournament()
    _people()
    _pairings()


def _of_tournament(table: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_tournament_id_tournament")
    return sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"], name=name)


def _of_account(table: str, column: str = "account_id") -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], ["account.id"], name=op.f(f"fk_{table}_{column}_account"))


def _tournament() -> None:
    op.create_table(
        "tournament",
        sa.Column("id", TEXT(), nullable=False),
        sa.Column("name", TEXT(), nullable=False),
        sa.Column("state", TEXT(), nullable=False),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.Column("conditions", sa.Text(), nullable=False),
        sa.Column("digest", TEXT(), nullable=False),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("starts_at", INSTANT(), nullable=True),
        sa.Column("starts_full", sa.Boolean(), nullable=False),
        sa.Column("commitment", TEXT(), nullable=False),
        sa.Column("published", TEXT(), nullable=True),
        sa.Column("lot", TEXT(), nullable=False),
        sa.Column("rounds_begun", sa.Integer(), nullable=False),
        sa.Column("head", sa.Integer(), nullable=False),
        sa.Column("due_at", INSTANT(), nullable=True),
        sa.Column("stirred", sa.Integer(), nullable=False),
        sa.Column("standings", sa.Text(), nullable=True),
        sa.Column("series_id", sa.Integer(), nullable=True),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("division", sa.Integer(), nullable=False),
        sa.Column("created_by", sa.Integer(), nullable=False),
        sa.Column("created_at", INSTANT(), nullable=False),
        sa.Column("opened_at", INSTANT(), nullable=True),
        sa.Column("started_at", INSTANT(), nullable=True),
        sa.Column("finished_at", INSTANT(), nullable=True),
        _of_account("tournament", "created_by"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournament")),
    )
    op.create_index(op.f("ix_tournament_created_by"), "tournament", ["created_by"])
    op.create_index("ix_tournament_due_at", "tournament", ["due_at"], sqlite_where=DUE, postgresql_where=DUE)
    op.create_index("ix_tournament_state", "tournament", ["state", "created_at", "id"])
    op.create_index("ix_tournament_series", "tournament", ["series_id", "season", "division"])
    op.create_table(
        "tournament_secret",
        sa.Column("tournament_id", TEXT(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        _of_tournament("tournament_secret"),
        sa.PrimaryKeyConstraint("tournament_id", name=op.f("pk_tournament_secret")),
    )


def _people() -> None:
    op.create_table(
        "organiser",
        sa.Column("tournament_id", TEXT(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("added_at", INSTANT(), nullable=False),
        _of_tournament("organiser"),
        _of_account("organiser"),
        sa.PrimaryKeyConstraint("tournament_id", "account_id", name=op.f("pk_organiser")),
    )
    op.create_index(op.f("ix_organiser_account_id"), "organiser", ["account_id"])
    op.create_table(
        "entry",
        sa.Column("tournament_id", TEXT(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("state", TEXT(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=True),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("section", sa.Integer(), nullable=False),
        sa.Column("nonce", TEXT(), nullable=False),
        sa.Column("server_nonce", sa.Boolean(), nullable=False),
        sa.Column("digest", TEXT(), nullable=False),
        sa.Column("entered_at", INSTANT(), nullable=False),
        sa.Column("changed_at", INSTANT(), nullable=True),
        _of_tournament("entry"),
        _of_account("entry"),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_entry")),
        sa.UniqueConstraint("tournament_id", "account_id", name=op.f("uq_entry_tournament_id_account_id")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_entry_account_id"), "entry", ["account_id"])


def _pairings() -> None:
    op.create_table(
        "pairing",
        sa.Column("tournament_id", TEXT(), nullable=False),
        sa.Column("key", TEXT(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("second", sa.Integer(), nullable=True),
        sa.Column("fixed", sa.Boolean(), nullable=False),
        sa.Column("match_id", TEXT(), nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.Column("how", TEXT(), nullable=True),
        sa.Column("decided", sa.Boolean(), nullable=False),
        sa.Column("made_at", INSTANT(), nullable=False),
        sa.Column("begun_at", INSTANT(), nullable=True),
        sa.Column("ended_at", INSTANT(), nullable=True),
        sa.Column("until", INSTANT(), nullable=True),
        _of_tournament("pairing"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_pairing_match_id_match")),
        sa.PrimaryKeyConstraint("tournament_id", "key", name=op.f("pk_pairing")),
        sa.UniqueConstraint("match_id", name=op.f("uq_pairing_match_id")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tournament_log",
        sa.Column("tournament_id", TEXT(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", INSTANT(), nullable=False),
        sa.Column("author_id", sa.Integer(), nullable=True),
        sa.Column("command", TEXT(), nullable=False),
        sa.Column("reason", TEXT(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("key", TEXT(), nullable=True),
        sa.Column("body_digest", TEXT(), nullable=True),
        _of_tournament("tournament_log"),
        _of_account("tournament_log", "author_id"),
        sa.PrimaryKeyConstraint("tournament_id", "seq", name=op.f("pk_tournament_log")),
        sa.UniqueConstraint("tournament_id", "key", name=op.f("uq_tournament_log_tournament_id_key")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    for table in ("tournament_log", "pairing", "entry", "organiser", "tournament_secret", "tournament"):
        op.drop_table(table)
    op.drop_index("ix_match_tournament_id", "match")
    op.drop_column("match", "tournament_id")
