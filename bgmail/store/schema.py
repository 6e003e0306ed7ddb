"""The schema of a database: made when it is empty, upgraded on request, refused when it is older than the code.

Every start of a program looks at it, and loads Alembic only where there is something to make: that would take longer
than all the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from sqlalchemy import Connection, inspect, text

from bgmail.store.engine import Store

MIGRATIONS = Path(__file__).resolve().parent.parent.parent / "alembic"
KEPT_IN = "alembic_version"
LOCK = 0x62676D61  # any number, the same for everybody: PostgreSQL's lock for making the schema


class OldSchema(RuntimeError):
    """The database was made by an older version (or a newer one) of the code."""


def ensure_schema(store: Store) -> None:
    """Makes the schema of an empty database, one process at a time. Raises OldSchema for any but the present one."""
    if _is_current(store):
        return
    with _alone(store) as connection:
        if not inspect(connection).get_table_names():
            migrate(connection, "head")
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
        migrate(connection, "head")
    return before, newest()


def revision(store: Store) -> str | None:
    """The revision of the database; None when it has no schema."""
    with store.read() as connection:
        if not inspect(connection).has_table(KEPT_IN):
            return None
        found = connection.execute(text(f"SELECT version_num FROM {KEPT_IN}"))  # noqa: S608 - a name of our own
        return found.scalar()


def newest() -> str:
    """The revision that the code needs. Raises RuntimeError where the migrations are not with the code."""
    if not known():
        raise RuntimeError("there are no migrations")
    return max(known())


@cache
def known() -> frozenset[str]:
    """The revisions that the code can upgrade from, and its own: each file is numbered by its revision."""
    return frozenset(path.name.partition("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*_*.py"))


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


def migrate(connection: Connection, target: str) -> None:
    """Brings the schema to a revision, or to "head", in the caller's transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, target)
