"""vacations, and whether somebody's may begin by itself

Revision ID: 0015
Revises: 0014
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

TEXT, INSTANT = sqlmodel.sql.sqltypes.AutoString, sqlmodel.sql.sqltypes.UTCDateTime


def upgrade() -> None:
    for name in ("auto_vacation", "rests"):
        op.add_column("account", sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "vacation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("from_at", INSTANT(), nullable=False),
        sa.Column("until_at", INSTANT(), nullable=False),
        sa.Column("wished_until", INSTANT(), nullable=True),
        sa.Column("zone", TEXT(), nullable=False),
        sa.Column("automatic", sa.Boolean(), nullable=False),
        sa.Column("with_play", sa.Boolean(), nullable=False),
        sa.Column("made_at", INSTANT(), nullable=False),
        sa.Column("ended_at", INSTANT(), nullable=True),
        sa.Column("behind", sa.Boolean(), nullable=False),
        sa.Column("key", TEXT(), nullable=True),
        sa.Column("body_digest", TEXT(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_vacation_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vacation")),
        sa.UniqueConstraint("account_id", "key", name=op.f("uq_vacation_account_id_key")),
    )
    op.create_index("ix_vacation_account_id_from_at", "vacation", ["account_id", "from_at"])
    for name, column, condition in (
        ("ix_vacation_until_at", "until_at", sa.text("ended_at IS NULL")),
        ("ix_vacation_behind", "id", sa.text("behind")),
    ):
        op.create_index(name, "vacation", [column], sqlite_where=condition, postgresql_where=condition)


def downgrade() -> None:
    op.drop_table("vacation")
    op.drop_column("account", "rests")
    op.drop_column("account", "auto_vacation")
