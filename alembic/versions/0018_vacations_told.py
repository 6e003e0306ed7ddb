"""how far the logs of matches have been told of a vacation

Revision ID: 0018
Revises: 0017
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

UNTOLD = sa.text("told < wave")


def upgrade() -> None:
    op.add_column("vacation", sa.Column("wave", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("vacation", sa.Column("told", sa.Integer(), nullable=False, server_default="0"))
    op.drop_index("ix_vacation_behind", "vacation")
    op.drop_column("vacation", "behind")
    op.create_index("ix_vacation_untold", "vacation", ["id"], sqlite_where=UNTOLD, postgresql_where=UNTOLD)


def downgrade() -> None:
    behind = sa.text("behind")
    op.add_column("vacation", sa.Column("behind", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.drop_index("ix_vacation_untold", "vacation")
    op.create_index("ix_vacation_behind", "vacation", ["id"], sqlite_where=behind, postgresql_where=behind)
    op.drop_column("vacation", "told")
    op.drop_column("vacation", "wave")
