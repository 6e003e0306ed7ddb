"""a forecast that fails is put off without a day

Revision ID: 0027
Revises: 0026
"""

from __future__ import annotations

import sqlmodel
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

TABLE, INSTANT = "tournament_forecast", sqlmodel.sql.sqltypes.UTCDateTime


def upgrade() -> None:
    with op.batch_alter_table(TABLE) as forecast:
        forecast.alter_column("finish_at", existing_type=INSTANT(), nullable=True)


def downgrade() -> None:
    op.execute(f"DELETE FROM {TABLE} WHERE finish_at IS NULL")  # noqa: S608 - a constant
    with op.batch_alter_table(TABLE) as forecast:
        forecast.alter_column("finish_at", existing_type=INSTANT(), nullable=False)
