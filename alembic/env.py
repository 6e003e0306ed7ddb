"""How Alembic reaches the database: by the connection it is handed, or by the settings of the environment."""

from __future__ import annotations

from pathlib import Path

from alembic import context
from sqlalchemy import Connection

from bgmail.settings import from_environment
from bgmail.store import tables
from bgmail.store.engine import Store

ROOT = Path(__file__).resolve().parent.parent


def migrate(connection: Connection) -> None:
    """Runs the migrations in the connection's own transaction."""
    context.configure(
        connection=connection,
        target_metadata=tables.metadata,
        render_as_batch=connection.dialect.name == "sqlite",
        transaction_per_migration=False,
    )
    context.run_migrations()


def run() -> None:
    connection = context.config.attributes.get("connection")
    if connection is not None:
        migrate(connection)
        return
    store = Store(from_environment(instance=ROOT / "instance").database_url)
    with store.write() as own:
        migrate(own)
    store.close()


run()
