"""attempts are found by the time at which they began, for the operator's figures

Revision ID: 0014
Revises: 0013
"""

from __future__ import annotations

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(op.f("ix_delivery_started_at"), "delivery", ["started_at"])


def downgrade() -> None:
    op.drop_index(op.f("ix_delivery_started_at"), "delivery")
