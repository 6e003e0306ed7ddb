"""how people want their boards

Revision ID: 0004
Revises: 0005
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "board_preference",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("theme", sa.String(), nullable=False),
        sa.Column("checkers", sa.String(), nullable=False),
        sa.Column("home_left", sa.Boolean(), nullable=False),
        sa.Column("home_top", sa.Boolean(), nullable=False),
        sa.Column("upright", sa.String(), nullable=False),
        sa.Column("numbers", sa.Boolean(), nullable=False),
        sa.Column("pips", sa.Boolean(), nullable=False),
        sa.Column("motion", sa.Boolean(), nullable=False),
        sa.Column("click", sa.String(), nullable=False),
        sa.Column("ask_double", sa.Boolean(), nullable=False),
        sa.Column("ask_take", sa.Boolean(), nullable=False),
        sa.Column("ask_pass", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_board_preference_account_id_account")
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_board_preference")),
    )


def downgrade() -> None:
    op.drop_table("board_preference")
