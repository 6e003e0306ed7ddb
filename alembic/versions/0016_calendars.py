"""a person's weekend and night, at which their clocks stand still

Revision ID: 0016
Revises: 0015
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("account", sa.Column("calendar", sa.Text(), nullable=True))
    op.add_column("account", sa.Column("calendar_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True))


def downgrade() -> None:
    op.drop_column("account", "calendar_at")
    op.drop_column("account", "calendar")
