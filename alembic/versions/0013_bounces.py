"""what came back of letters, and the addresses that get none any more

Revision ID: 0013
Revises: 0012
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

TEXT, INSTANT = sqlmodel.sql.sqltypes.AutoString, sqlmodel.sql.sqltypes.UTCDateTime


def upgrade() -> None:
    op.create_table(
        "report",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("delivery_id", sa.Integer(), nullable=False),
        sa.Column("sort", TEXT(), nullable=False),
        sa.Column("status", TEXT(), nullable=False),
        sa.Column("said", TEXT(), nullable=False),
        sa.Column("at", INSTANT(), nullable=False),
        sa.ForeignKeyConstraint(
            ["delivery_id"], ["delivery.id"], name=op.f("fk_report_delivery_id_delivery")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report")),
        sa.UniqueConstraint("delivery_id", "sort", name=op.f("uq_report_delivery_id_sort")),
    )
    op.create_index(op.f("ix_report_at"), "report", ["at"])
    op.create_table(
        "trouble",
        sa.Column("address_key", TEXT(), nullable=False),
        sa.Column("about", TEXT(), nullable=False),
        sa.Column("address", TEXT(), nullable=False),
        sa.Column("status", TEXT(), nullable=False),
        sa.Column("said", TEXT(), nullable=False),
        sa.Column("stopped_at", INSTANT(), nullable=True),
        sa.Column("again_at", INSTANT(), nullable=True),
        sa.PrimaryKeyConstraint("address_key", "about", name=op.f("pk_trouble")),
    )


def downgrade() -> None:
    op.drop_table("trouble")
    op.drop_index(op.f("ix_report_at"), "report")
    op.drop_table("report")
