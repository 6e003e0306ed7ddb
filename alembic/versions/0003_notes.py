"""notes of one's own on matches and on people

Revision ID: 0003
Revises: 0002
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "match_note",
        sa.Column("author_id", sa.Integer(), nullable=False),
        sa.Column("match_id", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["author_id"], ["account.id"], name=op.f("fk_match_note_author_id_account")),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_match_note_match_id_match")),
        sa.PrimaryKeyConstraint("author_id", "match_id", name=op.f("pk_match_note")),
    )
    op.create_table(
        "person_note",
        sa.Column("author_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["author_id"], ["account.id"], name=op.f("fk_person_note_author_id_account")),
        sa.ForeignKeyConstraint(["person_id"], ["account.id"], name=op.f("fk_person_note_person_id_account")),
        sa.PrimaryKeyConstraint("author_id", "person_id", name=op.f("pk_person_note")),
    )


def downgrade() -> None:
    op.drop_table("person_note")
    op.drop_table("match_note")
