"""where a machine of this server is on turn

Revision ID: 0002
Revises: 0001
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

WHERE = sa.text("on_turn = 0 AND NOT rated")


def upgrade() -> None:
    op.create_index(
        "ix_match_machine", "match", ["white_id", "moved_at"], sqlite_where=WHERE, postgresql_where=WHERE
    )


def downgrade() -> None:
    op.drop_index("ix_match_machine", "match")
