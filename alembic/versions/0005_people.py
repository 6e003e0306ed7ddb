"""ties between people, how many matches somebody wants, results to count, and lists of matches to look at

Revision ID: 0005
Revises: 0003
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0005"
down_revision = "0003"
branch_labels = None
depends_on = None

LEAVING = sa.text("leaving_at IS NOT NULL")
STARTED = sa.text("started_at IS NOT NULL")
RESULTS = {
    "sqlite": "UPDATE match SET winner = json_extract(state, '$.result[0]'), "
    "ending = json_extract(state, '$.result[1]') WHERE phase = 'over'",
    "postgresql": "UPDATE match SET winner = (state::json -> 'result' ->> 0)::integer, "
    "ending = state::json -> 'result' ->> 1 WHERE phase = 'over'",
}


def upgrade() -> None:
    op.create_table(
        "tie",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("kind", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("other_id", sa.Integer(), nullable=False),
        sa.Column("at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_tie_account_id_account")),
        sa.ForeignKeyConstraint(["other_id"], ["account.id"], name=op.f("fk_tie_other_id_account")),
        sa.PrimaryKeyConstraint("account_id", "kind", "other_id", name=op.f("pk_tie")),
    )
    op.create_index(op.f("ix_tie_other_id"), "tie", ["other_id"])
    op.add_column("account", sa.Column("leaving_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True))
    op.add_column("account", sa.Column("most_matches", sa.Integer(), nullable=True))
    op.create_index(
        "ix_account_leaving_at", "account", ["leaving_at"], sqlite_where=LEAVING, postgresql_where=LEAVING
    )
    op.create_index(
        "ix_account_handle_look", "account", ["handle_key"], postgresql_ops={"handle_key": "text_pattern_ops"}
    )
    op.add_column("match", sa.Column("winner", sa.Integer(), nullable=True))
    op.add_column("match", sa.Column("ending", sqlmodel.sql.sqltypes.AutoString(), nullable=True))
    op.execute(RESULTS[op.get_bind().dialect.name])
    for name, columns in (("ix_match_moved_at", []), ("ix_match_length", ["length"])):
        op.create_index(
            name, "match", [*columns, "moved_at", "id"], sqlite_where=STARTED, postgresql_where=STARTED
        )


def downgrade() -> None:
    op.drop_index("ix_match_length", "match")
    op.drop_index("ix_match_moved_at", "match")
    op.drop_column("match", "ending")
    op.drop_column("match", "winner")
    op.drop_index("ix_account_handle_look", "account")
    op.drop_index("ix_account_leaving_at", "account")
    op.drop_column("account", "most_matches")
    op.drop_column("account", "leaving_at")
    op.drop_table("tie")
