"""whoever makes a league twice under one key has made one

Revision ID: 0028
Revises: 0027
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

TEXT = sqlmodel.sql.sqltypes.AutoString
KNOWN = sa.text("key IS NOT NULL")


def upgrade() -> None:
    op.add_column("series", sa.Column("key", TEXT(), nullable=True))
    op.add_column("series", sa.Column("body_digest", TEXT(), nullable=True))
    op.create_index(
        "ix_series_key",
        "series",
        ["created_by", "key"],
        unique=True,
        sqlite_where=KNOWN,
        postgresql_where=KNOWN,
    )


def downgrade() -> None:
    op.drop_index("ix_series_key", table_name="series")
    op.drop_column("series", "body_digest")
    op.drop_column("series", "key")
