"""Copies of the embedded database: made whole while it is in use, checked, and put back while it isn't."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from bgmail.store.engine import Store, driver

SIDE_FILES = ("-wal", "-shm", "-journal")


class BadCopy(ValueError):
    """A file that is no sound database; the message says what is wrong with it."""


def copy(store: Store, target: Path) -> None:
    """Writes the database as of now to `target`, all or nothing, whatever writes meanwhile.

    Raises BadCopy when the copy can't be made or fails its check, OSError when it can't be put in place.
    """
    unfinished = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        _vacuum_into(store, unfinished)
        unfinished.chmod(0o600)  # it holds what the database holds: addresses and unpublished dice
        check(unfinished)
        _sync(unfinished)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    _sync(target.parent)


def _vacuum_into(store: Store, target: Path) -> None:
    try:
        with closing(store.engine.raw_connection()) as connection:
            connection.cursor().execute("VACUUM INTO ?", (str(target),))
    except driver().Error as error:
        raise BadCopy(f"the copy can't be written: {error}") from error


def check(path: Path) -> None:
    """Raises BadCopy unless the file is a database whose pages and foreign keys are in order."""
    module = driver()
    try:
        with closing(module.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            _check_open(connection)
    except module.DatabaseError as error:
        raise BadCopy(f"{path} is no readable database: {error}") from error


def _check_open(connection: Any) -> None:
    found = connection.execute("PRAGMA integrity_check").fetchall()
    if found != [("ok",)]:
        raise BadCopy(f"the copy is damaged: {found[0][0]}")
    if connection.execute("PRAGMA foreign_key_check").fetchone():
        raise BadCopy("the copy has rows that belong to nothing")
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone():
        raise BadCopy("the file is a database, but not one of bgmail")


def revision(path: Path) -> str | None:
    """The schema revision that a copy is at."""
    with closing(driver().connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return str(row[0]) if row else None


def put_back(source: Path, target: Path, prepare: Callable[[Path], None]) -> None:
    """Makes `target` the database of `source`; nobody may have it open.

    `prepare` makes the copy fit before it takes its place. What was there is kept beside it, named
    .before-restore. Raises BadCopy for a file that is none; then, and when `prepare` fails, nothing is
    changed.
    """
    check(source)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as workshop:
        unfinished = Path(workshop) / target.name
        _clone(source, unfinished)
        prepare(unfinished)
        check(unfinished)
        _sync(unfinished)
        for suffix in (*SIDE_FILES, ""):  # pages of the old database must not be mixed into the new one
            _set_aside(target, suffix)
        unfinished.replace(target)
    _sync(target.parent)


def _set_aside(database: Path, suffix: str) -> None:
    """What was there is kept under a name of its own, until the next restore."""
    with suppress(FileNotFoundError):
        aside = database.with_name(f"{database.name}.before-restore{suffix}")
        aside.unlink(missing_ok=True)
        database.with_name(database.name + suffix).replace(aside)


def _clone(source: Path, target: Path) -> None:
    module = driver()
    with (
        closing(module.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as old,
        closing(module.connect(target)) as new,
    ):
        old.backup(new)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
