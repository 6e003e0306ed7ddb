"""The door to the database: readers never wait, writers take turns.

On SQLite a write transaction begins IMMEDIATE, behind a gate that lets processes and threads in one after the
other (SQLite's own busy handler can starve a writer for seconds). On PostgreSQL the gate is open.
"""

from __future__ import annotations

import fcntl
import sqlite3
import threading
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any
from weakref import WeakSet

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlmodel import Session

from bgmail.store.faults import driver_error, retold
from bgmail.store.presence import Presence

BUSY_MILLISECONDS = 10_000
FIRST_SAFE_SQLITE = (3, 51, 3)


class Store:
    """One database. `read()` and `write()` give a connection, `reading()` and `writing()` an ORM session.

    A write commits at the end of its block, or rolls back when the block raises.
    """

    def __init__(self, url: str) -> None:
        parsed = make_url(url)
        self.url = url
        self.is_sqlite = parsed.get_backend_name() == "sqlite"
        self.path = Path(parsed.database) if self.is_sqlite and parsed.database else None
        self._gate = _Gate(self.path) if self.path else None
        self._turn = self._gate or nullcontext()
        self._presence = Presence(self.path) if self.path else None
        self.engine = _sqlite_engine(url, self._presence) if self.is_sqlite else _server_engine(url)
        self._writer = self.engine.execution_options(begin_immediate=True)
        self._kept: WeakSet[Connection] = WeakSet()
        self._mine = _Mine(self.engine, self._kept)

    def read(self) -> AbstractContextManager[Connection]:
        """The connection that this thread keeps, on SQLite: getting one from the pool costs more than using it.

        Whoever needs a second one meanwhile gets it from the pool, and on PostgreSQL everybody does.
        """
        return self._mine if self.is_sqlite and not self._mine.busy else self.engine.connect()

    @contextmanager
    def write(self) -> Iterator[Connection]:
        with self._turn, self.read() as connection:
            if self.is_sqlite:
                _begin(connection, "BEGIN IMMEDIATE")
                yield connection
                _commit(connection)
            else:
                with connection.begin():
                    yield connection

    @contextmanager
    def reading(self) -> Iterator[Session]:
        with Session(self.engine) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        with self._turn, Session(self._writer, expire_on_commit=False) as session, session.begin():
            yield session

    @contextmanager
    def unchecked(self) -> Iterator[Connection]:
        """A write on SQLite with foreign keys off, for migrations: rebuilding a table must not empty others."""
        with self._turn, self._writer.connect() as connection:
            driver = connection.connection.driver_connection
            if driver is None:
                raise RuntimeError("the connection is gone")
            driver.execute("PRAGMA foreign_keys=OFF")
            try:
                with connection.begin():
                    yield connection
            finally:
                driver.execute("PRAGMA foreign_keys=ON")

    def close(self) -> None:
        for connection in list(self._kept):
            connection.close()
        self.engine.dispose()
        if self._gate:
            self._gate.close()
        if self._presence:
            self._presence.leave()


class _Mine(threading.local):
    """The connection that a thread keeps, lent to one block at a time; `busy` while it is."""

    def __init__(self, engine: Engine, kept: WeakSet[Connection]) -> None:
        self._engine, self._kept = engine, kept
        self._connection: Connection | None = None
        self.busy = False

    def __enter__(self) -> Connection:
        connection = self._connection
        if connection is None or connection.closed or connection.invalidated:
            connection = self._connection = self._engine.connect()
            self._kept.add(connection)
        self.busy = True
        return connection

    def __exit__(self, *_: object) -> None:
        self.busy = False
        if self._connection is not None:
            _roll_back(self._connection)


class _Gate:
    """Lets one writer in at a time, among threads by a lock and among processes by a lock on a side file."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(database.name + ".gate")
        self._threads = threading.Lock()
        self._file: Any = None

    def __enter__(self) -> None:
        self._threads.acquire()
        try:
            if self._file is None:
                self._file = self._path.open("ab")
            fcntl.flock(self._file, fcntl.LOCK_EX)
        except BaseException:
            self._threads.release()
            raise

    def __exit__(self, *_: object) -> None:
        fcntl.flock(self._file, fcntl.LOCK_UN)
        self._threads.release()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def driver() -> ModuleType:
    """pysqlite3 where the system's SQLite has the WAL-reset fault (before 3.51.3) and pysqlite3 doesn't."""
    if sqlite3.sqlite_version_info >= FIRST_SAFE_SQLITE:
        return sqlite3
    try:
        from pysqlite3 import dbapi2
    except ImportError:
        warnings.warn(
            f"SQLite {sqlite3.sqlite_version} can lose a commit when two connections reset the log; "
            "install pysqlite3 for a newer one",
            RuntimeWarning,
            stacklevel=2,
        )
        return sqlite3
    module: ModuleType = dbapi2
    return module


def _server_engine(url: str) -> Engine:
    return create_engine(url, pool_pre_ping=True, hide_parameters=True)


def _sqlite_engine(url: str, presence: Presence | None) -> Engine:
    engine = create_engine(
        url,
        module=driver(),
        connect_args={"timeout": BUSY_MILLISECONDS / 1000, "check_same_thread": False},
        pool_size=0,  # no limit: every thread keeps one
        hide_parameters=True,  # secrets of dice to come are among them, and errors go to logs
    )

    @event.listens_for(engine, "do_connect")
    def before_connect(*_: object) -> None:
        if presence:  # before the file is opened: nobody opens it while it is restored
            presence.enter()

    @event.listens_for(engine, "connect")
    def on_connect(connection: Any, _: object) -> None:
        connection.isolation_level = None
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "cache_size=-32000"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        immediate = connection.get_execution_options().get("begin_immediate")
        _begin(connection, "BEGIN IMMEDIATE" if immediate else "BEGIN")

    return engine


def _begin(connection: Connection, statement: str) -> None:
    """Begins a transaction unless there is one, past SQLAlchemy's machinery: that would cost more than it does."""
    raw: Any = connection.connection.dbapi_connection
    if not raw.in_transaction:
        try:
            raw.execute(statement)
        except driver_error(connection) as fault:
            raise retold(connection, statement, fault) from fault


def _commit(connection: Connection) -> None:
    """Commits what `_begin` began; SQLAlchemy does it where it came to know of the transaction."""
    if connection.in_transaction():
        connection.commit()
        return
    try:
        connection.connection.commit()
    except driver_error(connection) as fault:
        raise retold(connection, "COMMIT", fault) from fault


def _roll_back(connection: Connection) -> None:
    """Drops what wasn't committed, whoever began it."""
    raw: Any = connection.connection.dbapi_connection
    if (
        connection.get_transaction() is not None
    ):  # one whose commit failed isn't active, and has to go as well
        connection.rollback()
    if raw.in_transaction:
        raw.rollback()
