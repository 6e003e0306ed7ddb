"""the times in which the service was away

Revision ID: 0019
Revises: 0018
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

TEXT, INSTANT = sqlmodel.sql.sqltypes.AutoString, sqlmodel.sql.sqltypes.UTCDateTime


def upgrade() -> None:
    op.create_table(
        "outage",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("why", TEXT(), nullable=False),
        sa.Column("from_at", INSTANT(), nullable=False),
        sa.Column("until_at", INSTANT(), nullable=False),
        sa.Column("noted_at", INSTANT(), nullable=False),
        sa.Column("told", TEXT(), nullable=False),
        sa.Column("renewed_to", TEXT(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outage")),
        sa.UniqueConstraint("why", "from_at", name=op.f("uq_outage_why_from_at")),
    )
    op.create_index(
        "ix_outage_to_renew",
        "outage",
        ["id"],
        sqlite_where=sa.text("renewed_to IS NOT NULL"),
        postgresql_where=sa.text("renewed_to IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_table("outage")
