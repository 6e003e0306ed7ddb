"""matches to watch: running and finished ones have indexes of their own, so that few of one kind are found among many

Revision ID: 0006
Revises: 0004
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0004"
branch_labels = None
depends_on = None

STARTED = sa.text("started_at IS NOT NULL")
RUNNING = sa.text("started_at IS NOT NULL AND finished_at IS NULL")
FINISHED = sa.text("finished_at IS NOT NULL")
BY_TIME, BY_LENGTH = ["moved_at", "id"], ["length", "moved_at", "id"]


def upgrade() -> None:
    op.drop_index("ix_match_length", "match")
    op.drop_index("ix_match_moved_at", "match")
    _create("ix_match_running", BY_TIME, RUNNING)
    _create("ix_match_running_length", BY_LENGTH, RUNNING)
    _create("ix_match_finished", BY_TIME, FINISHED)
    _create("ix_match_finished_length", BY_LENGTH, FINISHED)


def downgrade() -> None:
    for name in (
        *("ix_match_finished_length", "ix_match_finished", "ix_match_running_length", "ix_match_running"),
    ):
        op.drop_index(name, "match")
    _create("ix_match_moved_at", BY_TIME, STARTED)
    _create("ix_match_length", BY_LENGTH, STARTED)


def _create(name: str, columns: list[str], where: sa.TextClause) -> None:
    op.create_index(name, "match", columns, sqlite_where=where, postgresql_where=where)
