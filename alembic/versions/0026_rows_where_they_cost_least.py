"""the log grows at its end, secrets lie in their key, only keys that were sent are indexed

An entry is as long as a quarter of SQLite's page: kept inside the tree of its key, each one split a page in two.

Revision ID: 0026
Revises: 0025
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

KEY = ["match_id", "seat", "key"]
SENT: dict[str, Any] = {
    "sqlite_where": sa.text("key IS NOT NULL"),
    "postgresql_where": sa.text("key IS NOT NULL"),
}


def upgrade() -> None:
    with rebuilt("action", with_rowid=True) as action:
        action.drop_constraint("uq_action_match_id_seat_key", type_="unique")
    op.create_index("uq_action_key", "action", KEY, unique=True, **SENT)
    with rebuilt("secret", with_rowid=False):
        pass


def downgrade() -> None:
    op.drop_index("uq_action_key", "action")
    with rebuilt("action", with_rowid=False) as action:
        action.create_unique_constraint("uq_action_match_id_seat_key", KEY)
    with rebuilt("secret", with_rowid=True):
        pass


def rebuilt(table: str, *, with_rowid: bool) -> Any:
    """The table made anew on SQLite, its rows in the order of their key; PostgreSQL has only one way to keep it."""
    again = "always" if op.get_bind().dialect.name == "sqlite" else "never"
    return op.batch_alter_table(table, recreate=again, table_kwargs={"sqlite_with_rowid": with_rowid})
