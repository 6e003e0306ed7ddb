"""The schema of a database: made when it is empty, upgraded on request, refused when it is older than the code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from bgmail.store.engine import Store

MIGRATIONS = Path(__file__).resolve().parent.parent.parent / "alembic"
LOCK = 0x62676D61  # any number, the same for everybody: PostgreSQL's lock for making the schema


class OldSchema(RuntimeError):
    """The database was made by an older version (or a newer one) of the code."""


def ensure_schema(store: Store) -> None:
    """Makes the schema of an empty database, one process at a time. Raises OldSchema for any but the present one."""
    if _is_current(store):
        return
    with _alone(store) as connection:
        if not inspect(connection).get_table_names():
            _run(connection, "head")
    if not _is_current(store):
        _refuse_what_is_not_ours(store)
        raise OldSchema(
            f"The database has schema {revision(store)}, this version needs {newest()}. "
            "Stop the service, make a backup and run: flask --app app db upgrade"
        )


def upgrade(store: Store) -> tuple[str | None, str]:
    """Brings the schema to the present version with its data in place; the revisions before and after.

    Raises OldSchema for a database that this version can't bring there.
    """
    before = revision(store)
    _refuse_what_is_not_ours(store)
    with _alone(store) as connection:
        _run(connection, "head")
    return before, newest()


def revision(store: Store) -> str | None:
    """The revision of the database; None when it has no schema."""
    with store.read() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def newest() -> str:
    """The revision that the code needs."""
    head = ScriptDirectory.from_config(_config()).get_current_head()
    if head is None:
        raise RuntimeError("there are no migrations")
    return head


def known() -> frozenset[str]:
    """The revisions that the code can upgrade from, and its own."""
    return frozenset(script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions())


def _refuse_what_is_not_ours(store: Store) -> None:
    present = revision(store)
    if present is not None and present not in known():
        raise OldSchema(
            f"The database has schema {present}, which a newer version of bgmail made: this one knows only "
            f"those up to {newest()}. Install that version again."
        )
    with store.read() as connection:
        foreign = present is None and inspect(connection).get_table_names()
    if foreign:
        raise OldSchema(
            "The database holds tables, but no schema of bgmail: name another by BGMAIL_DATABASE_URL."
        )


def _is_current(store: Store) -> bool:
    return revision(store) == newest()


@contextmanager
def _alone(store: Store) -> Iterator[Connection]:
    """A transaction that no other maker of schemas is in. Foreign keys are off while SQLite rebuilds tables."""
    if not store.is_sqlite:
        with store.write() as connection:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
            yield connection
        return
    with store.unchecked() as connection:
        yield connection
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        if broken:
            raise RuntimeError(f"the migration would leave {len(broken)} rows without what they refer to")


def _run(connection: Connection, target: str) -> None:
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, target)


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config
