"""who is at the board of a live match

Revision ID: 0020
Revises: 0019
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

TEXT, INSTANT = sqlmodel.sql.sqltypes.AutoString, sqlmodel.sql.sqltypes.UTCDateTime
LEAVES = sa.text("leaves_at IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "attendance",
        sa.Column("match_id", TEXT(), nullable=False),
        sa.Column("side", sa.Integer(), nullable=False),
        sa.Column("seen_at", INSTANT(), nullable=False),
        sa.Column("leaves_at", INSTANT(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_attendance_match_id_match")),
        sa.PrimaryKeyConstraint("match_id", "side", name=op.f("pk_attendance")),
    )
    op.create_index(
        "ix_attendance_leaves_at", "attendance", ["leaves_at"], sqlite_where=LEAVES, postgresql_where=LEAVES
    )


def downgrade() -> None:
    op.drop_table("attendance")
