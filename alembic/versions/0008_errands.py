"""errands: what a channel still has to do for a notice; a choice a channel; quiet hours and the time of the digest

Revision ID: 0008
Revises: 0007
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

TEXT, INSTANT = sqlmodel.sql.sqltypes.AutoString, sqlmodel.sql.sqltypes.UTCDateTime
DUE = sa.text("due_at IS NOT NULL")
READY = sa.text("state = 'ready'")


def upgrade() -> None:
    op.create_table(
        "errand",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("notice_id", sa.Integer(), nullable=False),
        sa.Column("channel", TEXT(), nullable=False),
        sa.Column("target", sa.Integer(), nullable=False),
        sa.Column("state", TEXT(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("asked", sa.Boolean(), nullable=False),
        sa.Column("created_at", INSTANT(), nullable=False),
        sa.Column("ended_at", INSTANT(), nullable=True),
        sa.Column("due_at", INSTANT(), nullable=True),
        sa.ForeignKeyConstraint(["notice_id"], ["notice.id"], name=op.f("fk_errand_notice_id_notice")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_errand")),
        sa.UniqueConstraint(
            "notice_id", "channel", "target", name=op.f("uq_errand_notice_id_channel_target")
        ),
    )
    op.create_index(
        "ix_errand_due_at", "errand", ["channel", "due_at"], sqlite_where=DUE, postgresql_where=DUE
    )
    op.add_column("delivery", sa.Column("errand_id", sa.Integer(), nullable=True))
    op.create_index(op.f("ix_delivery_errand_id"), "delivery", ["errand_id"])
    op.drop_index("ix_notice_due_at", "notice")
    op.create_index("ix_notice_ready", "notice", ["id"], sqlite_where=READY, postgresql_where=READY)
    op.drop_column("notice", "attempts")
    op.add_column("notice", sa.Column("aside_until", INSTANT(), nullable=True))
    op.create_index("ix_notice_account_id_id", "notice", ["account_id", "id"])
    op.create_table(
        "choice",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("kind", TEXT(), nullable=False),
        sa.Column("channel", TEXT(), nullable=False),
        sa.Column("mode", TEXT(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_choice_account_id_account")),
        sa.PrimaryKeyConstraint("account_id", "kind", "channel", name=op.f("pk_choice")),
    )
    op.execute("INSERT INTO choice SELECT account_id, kind, 'mail', mode FROM preference")
    op.drop_table("preference")
    op.create_table(
        "hours",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("quiet_from", sa.Integer(), nullable=True),
        sa.Column("quiet_to", sa.Integer(), nullable=True),
        sa.Column("digest_at", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_hours_account_id_account")),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_hours")),
    )


def downgrade() -> None:
    op.drop_table("hours")
    op.create_table(
        "preference",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("kind", TEXT(), nullable=False),
        sa.Column("mode", TEXT(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_preference_account_id_account")
        ),
        sa.PrimaryKeyConstraint("account_id", "kind", name=op.f("pk_preference")),
    )
    op.execute(
        "INSERT INTO preference SELECT account_id, kind, mode FROM choice WHERE channel = 'mail' AND mode = 'off'"
    )
    op.drop_table("choice")
    op.drop_index("ix_notice_account_id_id", "notice")
    op.drop_column("notice", "aside_until")
    op.add_column("notice", sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"))
    op.drop_index("ix_notice_ready", "notice")
    op.execute("UPDATE notice SET state = 'ready' WHERE state = 'planned'")
    op.execute("UPDATE notice SET due_at = NULL WHERE state <> 'ready'")
    op.create_index("ix_notice_due_at", "notice", ["due_at"], sqlite_where=DUE, postgresql_where=DUE)
    op.drop_index(op.f("ix_delivery_errand_id"), "delivery")
    op.drop_column("delivery", "errand_id")
    op.drop_index("ix_errand_due_at", "errand")
    op.drop_table("errand")
