"""Who has the embedded database open: every store holds a shared lock on a side file, a restore an exclusive
one.

A lock ends with its process, however that ends.
"""

from __future__ import annotations

import fcntl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class InUse(RuntimeError):
    """Somebody has the database open."""


class Presence:
    """This process's share of a database's lock; taken by the first connection, given back by `leave`."""

    def __init__(self, database: Path) -> None:
        self._path = lock_file(database)
        self._threads = threading.Lock()
        self._file: Any = None

    def enter(self) -> None:
        """Waits while somebody restores the database."""
        with self._threads:
            if self._file is None:
                file = self._path.open("ab")
                fcntl.flock(file, fcntl.LOCK_SH)
                self._file = file

    def leave(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def lock_file(database: Path) -> Path:
    """The side file of a database."""
    return database.with_name(database.name + ".open")


@contextmanager
def alone(database: Path) -> Iterator[None]:
    """Keeps everybody else out of the database for a while. Raises InUse when somebody is in it."""
    with lock_file(database).open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InUse(f"{database} is in use") from error
        yield
