"""leagues, and knockouts that reopen when they are full

Revision ID: 0025
Revises: 0024
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

TEXT, INSTANT = sqlmodel.sql.sqltypes.AutoString, sqlmodel.sql.sqltypes.UTCDateTime


def upgrade() -> None:
    op.create_table(
        "series",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", TEXT(), nullable=False),
        sa.Column("name", TEXT(), nullable=False),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.Column("conditions", sa.Text(), nullable=False),
        sa.Column("digest", TEXT(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("least", sa.Integer(), nullable=False),
        sa.Column("starts_at", INSTANT(), nullable=True),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("created_by", sa.Integer(), nullable=False),
        sa.Column("created_at", INSTANT(), nullable=False),
        sa.Column("ended_at", INSTANT(), nullable=True),
        sa.Column("rests_until", INSTANT(), nullable=True),
        sa.ForeignKeyConstraint(["created_by"], ["account.id"], name=op.f("fk_series_created_by_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_series")),
    )
    op.create_index(
        "ix_series_goes_on",
        "series",
        ["id"],
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    op.create_table(
        "series_member",
        sa.Column("series_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("digest", TEXT(), nullable=False),
        sa.Column("joined_at", INSTANT(), nullable=False),
        sa.Column("left_at", INSTANT(), nullable=True),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["series_id"], ["series.id"], name=op.f("fk_series_member_series_id_series")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_series_member_account_id_account")
        ),
        sa.PrimaryKeyConstraint("series_id", "account_id", name=op.f("pk_series_member")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_series_member_account_id"), "series_member", ["account_id"])


def downgrade() -> None:
    op.drop_table("series_member")
    op.drop_table("series")
