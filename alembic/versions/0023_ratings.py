"""ratings, and what each match did to them

Revision ID: 0023
Revises: 0022
"""

from __future__ import annotations

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

TEXT, INSTANT = sqlmodel.sql.sqltypes.AutoString, sqlmodel.sql.sqltypes.UTCDateTime
SEATS = ("white", "black")
KEPT = ("before", "value", "deviation", "volatility")
COUNTED = ("won", "lost", "level")

# What has ended already is rated by the job. Somebody stays at the board where a turn lasts two hours at most.
ENDED = """
INSERT INTO rating_change (match_id, pace, finished_at, white_id, black_id, due)
SELECT id, CASE WHEN {per_turn} + {bank} > 7200 THEN 'correspondence' ELSE 'live' END,
       finished_at, white_id, black_id, {yes}
FROM match
WHERE rated AND NOT imported AND finished_at IS NOT NULL AND started_at IS NOT NULL
      AND white_id IS NOT NULL AND black_id IS NOT NULL
"""
IN_JSON = {
    "sqlite": "json_extract(clock, '$.control.{}')",
    "postgresql": "CAST(CAST(clock AS json) -> 'control' ->> '{}' AS bigint)",
}


def upgrade() -> None:
    op.create_table(
        "rating",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("pace", TEXT(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("volatility", sa.Float(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("rated_at", INSTANT(), nullable=False),
        sa.Column("listed_until", INSTANT(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_rating_account_id_account")),
        sa.PrimaryKeyConstraint("account_id", "pace", name=op.f("pk_rating")),
    )
    op.create_index(
        "ix_rating_listed",
        "rating",
        ["pace", "value", "account_id"],
        sqlite_where=sa.text("listed_until IS NOT NULL"),
        postgresql_where=sa.text("listed_until IS NOT NULL"),
    )
    _changes()
    kind = op.get_bind().dialect.name
    value, yes = IN_JSON[kind], "1" if kind == "sqlite" else "true"
    op.execute(ENDED.format(per_turn=value.format("per_turn"), bank=value.format("bank"), yes=yes))


def _changes() -> None:
    op.create_table(
        "rating_change",
        sa.Column("match_id", TEXT(), nullable=False),
        sa.Column("pace", TEXT(), nullable=False),
        sa.Column("finished_at", INSTANT(), nullable=False),
        *(sa.Column(f"{seat}_id", sa.Integer(), nullable=False) for seat in SEATS),
        sa.Column("due", sa.Boolean(), nullable=False),
        sa.Column("reason", TEXT(), nullable=True),
        sa.Column("on_time", TEXT(), nullable=True),
        sa.Column("score", sa.Float(), nullable=True),
        sa.Column("weight", sa.Integer(), nullable=True),
        *(sa.Column(f"{seat}_{name}", sa.Float(), nullable=True) for seat in SEATS for name in KEPT),
        *(sa.Column(f"{seat}_{name}", sa.Integer(), nullable=True) for seat in SEATS for name in COUNTED),
        sa.Column("made_at", INSTANT(), nullable=True),
        sa.Column("revised_at", INSTANT(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_rating_change_match_id_match")),
        *(
            sa.ForeignKeyConstraint(
                [f"{seat}_id"], ["account.id"], name=op.f(f"fk_rating_change_{seat}_id_account")
            )
            for seat in SEATS
        ),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_rating_change")),
    )
    for seat in SEATS:
        op.create_index(
            f"ix_rating_change_{seat}", "rating_change", [f"{seat}_id", "pace", "finished_at", "match_id"]
        )
    op.create_index(
        "ix_rating_change_due",
        "rating_change",
        ["finished_at", "match_id"],
        sqlite_where=sa.text("due"),
        postgresql_where=sa.text("due"),
    )


def downgrade() -> None:
    op.drop_table("rating_change")
    op.drop_table("rating")
