"""mail that came in and is to be handled, and the other addresses that people answer from

Revision ID: 0011
Revises: 0010
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

TEXT, INSTANT = sqlmodel.sql.sqltypes.AutoString, sqlmodel.sql.sqltypes.UTCDateTime
DUE = sa.text("due_at IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "inbound",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", TEXT(), nullable=False),
        sa.Column("token", TEXT(), nullable=False),
        sa.Column("match_id", TEXT(), nullable=False),
        sa.Column("sender", TEXT(), nullable=True),
        sa.Column("received_at", INSTANT(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due_at", INSTANT(), nullable=True),
        sa.Column("outcome", TEXT(), nullable=False),
        sa.Column("fingerprint", TEXT(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbound")),
        sa.UniqueConstraint("digest", "token", name=op.f("uq_inbound_digest_token")),
        sa.UniqueConstraint("fingerprint", name=op.f("uq_inbound_fingerprint")),
    )
    op.create_index("ix_inbound_received_at", "inbound", ["received_at"])
    for column in ("due_at", "match_id"):
        op.create_index(f"ix_inbound_{column}", "inbound", [column], sqlite_where=DUE, postgresql_where=DUE)
    op.create_table(
        "sender",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("address_key", TEXT(), nullable=False),
        sa.Column("at", INSTANT(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_sender_account_id_account")),
        sa.PrimaryKeyConstraint("account_id", "address_key", name=op.f("pk_sender")),
    )


def downgrade() -> None:
    op.drop_table("sender")
    op.drop_table("inbound")
