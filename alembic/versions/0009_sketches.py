"""sketches: plays that are laid out on the board and not submitted; a fact owed to an address is owed once

Revision ID: 0009
Revises: 0008
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

NO_ACCOUNT = sa.text("account_id IS NULL")
TWICE = (
    "SELECT id FROM notice WHERE account_id IS NULL AND id NOT IN (SELECT min(id) FROM notice "
    "WHERE account_id IS NULL GROUP BY address, match_id, kind, version, which)"
)
"""Facts owed to an address that are owed to it already."""


def upgrade() -> None:
    op.create_table(
        "sketch",
        sa.Column("match_id", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("play", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_sketch_match_id_match")),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_sketch_account_id_account")),
        sa.PrimaryKeyConstraint("match_id", "account_id", name=op.f("pk_sketch")),
    )
    op.create_index(op.f("ix_sketch_account_id"), "sketch", ["account_id"])
    for attached in ("delivery", "errand"):
        op.execute(f"DELETE FROM {attached} WHERE notice_id IN ({TWICE})")  # noqa: S608
    op.execute(f"DELETE FROM notice WHERE id IN ({TWICE})")  # noqa: S608
    op.create_index(
        "uq_notice_fact_address",
        "notice",
        ["address", "match_id", "kind", "version", "which"],
        unique=True,
        sqlite_where=NO_ACCOUNT,
        postgresql_where=NO_ACCOUNT,
    )


def downgrade() -> None:
    op.drop_index("uq_notice_fact_address", "notice")
    op.drop_index(op.f("ix_sketch_account_id"), "sketch")
    op.drop_table("sketch")
