"""browsers that are told by push, and the key that signs what they are told

Revision ID: 0012
Revises: 0011
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

TEXT, INSTANT = sqlmodel.sql.sqltypes.AutoString, sqlmodel.sql.sqltypes.UTCDateTime


def upgrade() -> None:
    op.create_table(
        "browser",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("login_id", sa.Integer(), nullable=False),
        sa.Column("endpoint", TEXT(), nullable=False),
        sa.Column("point", TEXT(), nullable=False),
        sa.Column("auth", TEXT(), nullable=False),
        sa.Column("name", TEXT(), nullable=False),
        sa.Column("created_at", INSTANT(), nullable=False),
        sa.Column("sent_at", INSTANT(), nullable=True),
        sa.Column("failing_since", INSTANT(), nullable=True),
        sa.Column("said", TEXT(), nullable=False),
        sa.Column("rests_until", INSTANT(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_browser_account_id_account")),
        sa.ForeignKeyConstraint(
            ["login_id"], ["login.id"], name=op.f("fk_browser_login_id_login"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_browser")),
        sa.UniqueConstraint("login_id", name=op.f("uq_browser_login_id")),
        sa.UniqueConstraint("endpoint", name=op.f("uq_browser_endpoint")),
    )
    op.create_index(op.f("ix_browser_account_id"), "browser", ["account_id"])
    op.create_table(
        "push_key",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", INSTANT(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_push_key")),
    )


def downgrade() -> None:
    op.drop_table("push_key")
    op.drop_table("browser")
