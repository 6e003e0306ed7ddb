"""standing orders and prepared replies, and the two marks that say where there are any

Revision ID: 0017
Revises: 0016
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("account", sa.Column("orders", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("match", sa.Column("orders", sa.Integer(), nullable=False, server_default="0"))
    op.create_table(
        "standing_order",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("match_id", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("auto_roll", sa.Boolean(), nullable=True),
        sa.Column("bear_off", sa.Boolean(), nullable=True),
        sa.Column("shut_out", sa.Boolean(), nullable=True),
        sa.Column("most_a_day", sa.Integer(), nullable=True),
        sa.Column("answer", sqlmodel.sql.sqltypes.AutoString(), nullable=True),
        sa.Column("double_on_dance", sa.Boolean(), nullable=False),
        sa.Column("day", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("unfit", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_standing_order_account_id_account")
        ),
        sa.PrimaryKeyConstraint("account_id", "match_id", name=op.f("pk_standing_order")),
    )
    op.create_table(
        "prepared_reply",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("steps", sa.Text(), nullable=False),
        sa.Column("at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_prepared_reply_match_id_match")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_prepared_reply_account_id_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_prepared_reply")),
    )
    op.create_index(op.f("ix_prepared_reply_match_id"), "prepared_reply", ["match_id"])
    op.create_index(op.f("ix_prepared_reply_account_id"), "prepared_reply", ["account_id"])


def downgrade() -> None:
    op.drop_table("prepared_reply")
    op.drop_table("standing_order")
    op.drop_column("match", "orders")
    op.drop_column("account", "orders")
