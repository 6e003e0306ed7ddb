"""the secret addresses of people's calendars and feeds

Revision ID: 0007
Revises: 0006
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "feed",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("mark", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("made_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("read_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_feed_account_id_account")),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_feed")),
    )


def downgrade() -> None:
    op.drop_table("feed")
