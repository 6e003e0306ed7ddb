"""when tournaments are expected to be over

Revision ID: 0024
Revises: 0023
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

TEXT, INSTANT = sqlmodel.sql.sqltypes.AutoString, sqlmodel.sql.sqltypes.UTCDateTime


def upgrade() -> None:
    op.create_table(
        "tournament_forecast",
        sa.Column("tournament_id", TEXT(), nullable=False),
        sa.Column("finish_at", INSTANT(), nullable=False),
        sa.Column("made_at", INSTANT(), nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"]),
        sa.PrimaryKeyConstraint("tournament_id"),
    )


def downgrade() -> None:
    op.drop_table("tournament_forecast")
