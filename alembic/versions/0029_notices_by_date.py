"""what was sent to somebody is listed by its date

Revision ID: 0029
Revises: 0028
"""

from __future__ import annotations

from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_notice_account_id_created_at_id", "notice", ["account_id", "created_at", "id"])
    op.drop_index("ix_notice_account_id_id", table_name="notice")


def downgrade() -> None:
    op.create_index("ix_notice_account_id_id", "notice", ["account_id", "id"])
    op.drop_index("ix_notice_account_id_created_at_id", table_name="notice")
