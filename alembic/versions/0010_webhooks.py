"""webhooks: where somebody wants to be told of events, and the calls made there

Revision ID: 0010
Revises: 0009
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

TEXT, INSTANT = sqlmodel.sql.sqltypes.AutoString, sqlmodel.sql.sqltypes.UTCDateTime


def upgrade() -> None:
    op.create_table(
        "webhook",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("name", TEXT(), nullable=False),
        sa.Column("url", TEXT(), nullable=False),
        sa.Column("host", TEXT(), nullable=False),
        sa.Column("flavour", TEXT(), nullable=False),
        sa.Column("events", TEXT(), nullable=False),
        sa.Column("match_id", TEXT(), nullable=True),
        sa.Column("secret", TEXT(), nullable=False),
        sa.Column("old_secret", TEXT(), nullable=True),
        sa.Column("old_until", INSTANT(), nullable=True),
        sa.Column("state", TEXT(), nullable=False),
        sa.Column("created_at", INSTANT(), nullable=False),
        sa.Column("failing_since", INSTANT(), nullable=True),
        sa.Column("given_up", sa.Integer(), nullable=False),
        sa.Column("last_at", INSTANT(), nullable=True),
        sa.Column("taken_at", INSTANT(), nullable=True),
        sa.Column("busy_until", INSTANT(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_webhook_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook")),
    )
    op.create_index(op.f("ix_webhook_account_id"), "webhook", ["account_id"])
    op.create_table(
        "webhook_call",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("webhook_id", sa.Integer(), nullable=False),
        sa.Column("errand_id", sa.Integer(), nullable=False),
        sa.Column("message_id", TEXT(), nullable=False),
        sa.Column("event", TEXT(), nullable=False),
        sa.Column("at", INSTANT(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("outcome", TEXT(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("sent", sa.Text(), nullable=False),
        sa.Column("answered", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["webhook_id"], ["webhook.id"], name=op.f("fk_webhook_call_webhook_id_webhook")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_call")),
    )
    op.create_index("ix_webhook_call_webhook_id_id", "webhook_call", ["webhook_id", "id"])


def downgrade() -> None:
    op.drop_table("webhook_call")
    op.drop_table("webhook")
