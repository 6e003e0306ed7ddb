"""Backup and restore of the embedded database, all or nothing."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from bgmail.dice import Chance
from bgmail.service.restores import Renewal, renew
from bgmail.store import schema
from bgmail.store.backup import BadCopy, copy, put_back, revision
from bgmail.store.engine import Store
from bgmail.store.presence import alone

SIDES = ("", "-wal", "-shm", ".gate", ".open")


class NoBackup(RuntimeError):
    """A backup or restore that can't be; the message tells the operator why, and what to do."""


def backup(store: Store, target: Path) -> int:
    """Copies the database to `target` while it is in use; the copy's size in bytes.

    Raises NoBackup, and BadCopy or OSError when the copy fails.
    """
    database = _embedded(store)
    if _is_part_of(target, database):
        raise NoBackup(f"{target} is the database itself: name another file.")
    copy(store, target)
    return target.stat().st_size


def restore(
    store: Store, source: Path, now: datetime, chance: Chance, *, hold_letters: bool = True
) -> Renewal:
    """Puts a backup in the place of the database, fit to go on. Ends the store's own use of it.

    Raises NoBackup, InUse while the service runs, and BadCopy for a file that is no sound backup.
    """
    database = _embedded(store)
    if _is_part_of(source, database):
        raise NoBackup(f"{source} is the database itself: name the file of a backup.")
    done: list[Renewal] = []
    store.close()
    with alone(database):
        put_back(source, database, lambda path: done.append(_made_fit(path, now, chance, hold_letters)))
    return done[0]


def _made_fit(path: Path, now: datetime, chance: Chance, hold_letters: bool) -> Renewal:
    """Upgrades and renews the copy before anybody can see it."""
    store = Store(f"sqlite:///{path}")
    try:
        if revision(path) not in schema.known():
            raise BadCopy("the backup was made by a newer version of bgmail: install that version first")
        schema.upgrade(store)
        return renew(store, now, chance, hold_letters=hold_letters)
    finally:
        store.close()


def _embedded(store: Store) -> Path:
    if store.path is None:
        raise NoBackup(
            "This database is PostgreSQL: back it up with pg_dump --format=custom, "
            "and put it back with pg_restore."
        )
    return store.path


def _is_part_of(path: Path, database: Path) -> bool:
    return path.absolute() in {database.absolute().with_name(database.name + side) for side in SIDES}
