"""Core statements for the hot path: compiled once, then run on the driver's own cursor.

A play costs a handful of small statements, and SQLAlchemy's way from a statement to the driver costs more than the
statements themselves. What is compiled here is plain Core, so the same code speaks SQLite and PostgreSQL; types are
converted as SQLAlchemy would. Transactions remain the connection's: outside of one, each read sees its own moment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import SimpleNamespace
from typing import Any

from sqlalchemy import Connection, Executable, Float
from sqlalchemy.engine import Dialect
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.types import TypeEngine
from sqlmodel.sql.sqltypes import UTCDateTime

from bgmail.store.faults import driver_error, retold
from bgmail.timing.instants import utc

Convert = Callable[[Any], Any] | None
_WITHOUT_ZONE = len("2026-03-02 12:00:00.000000")
Values = Mapping[str, Any]
Joined = tuple[dict[str, Any], list[Sequence[Any]]]


@dataclass(frozen=True, slots=True)
class _Plan:
    """A statement for one dialect. `order` are the names of its places, None where they are named in the text."""

    text: str
    order: tuple[str, ...] | None
    fixed: dict[str, Any]
    binders: tuple[tuple[str, Callable[[Any], Any]], ...]
    names: tuple[str, ...]
    readers: tuple[tuple[int, Callable[[Any], Any]], ...]

    def arguments(self, values: Values) -> Sequence[Any] | Values:
        """The values as the driver takes them."""
        if not self.fixed and not self.binders:
            return values if self.order is None else [values[name] for name in self.order]
        ready = {**self.fixed, **values}
        for name, convert in self.binders:
            ready[name] = convert(ready[name])
        return ready if self.order is None else [ready[name] for name in self.order]

    def row(self, found: Sequence[Any]) -> dict[str, Any]:
        """A row as the types say."""
        row = dict(zip(self.names, found, strict=True))
        for place, convert in self.readers:
            row[self.names[place]] = convert(found[place])
        return row


class Prepared:
    """A Core statement with bound parameters. `columns` are those that an insert or update sets by value."""

    def __init__(self, statement: Executable, columns: Iterable[str] | None = None) -> None:
        self._statement = statement
        self._columns = None if columns is None else list(columns)
        self._plans: dict[str, _Plan] = {}

    def rows(self, connection: Connection, **values: Any) -> list[dict[str, Any]]:
        """All rows of a query, by column name."""
        plan, cursor = self._run(connection, values)
        return [plan.row(found) for found in cursor.fetchall()]

    def joined(self, connection: Connection, key: str, many: int, **values: Any) -> list[Joined]:
        """The rows of a query that joins a table to one with several rows for each of its own: every row of the first
        once, and beside it the last `many` columns of all that belong to it, as the driver has them."""
        plan, cursor = self._run(connection, values)
        place, found = plan.names.index(key), dict[Any, Joined]()
        for row in cursor.fetchall():
            if row[place] not in found:
                found[row[place]] = plan.row(row), []
            found[row[place]][1].append(row[-many:])
        return list(found.values())

    def records(self, connection: Connection, **values: Any) -> list[Any]:
        """All rows of a query, their columns as attributes."""
        return [SimpleNamespace(**row) for row in self.rows(connection, **values)]

    def record(self, connection: Connection, **values: Any) -> Any | None:
        """The first row of a query, its columns as attributes; None where there is no row."""
        return next(iter(self.records(connection, **values)), None)

    def scalar(self, connection: Connection, **values: Any) -> Any:
        """The first column of the first row as the driver has it; None where there is no row."""
        _, cursor = self._run(connection, values)
        found = cursor.fetchone()
        return None if found is None else found[0]

    def column(self, connection: Connection, **values: Any) -> list[Any]:
        """The first column of all rows as the driver has it."""
        _, cursor = self._run(connection, values)
        return [found[0] for found in cursor.fetchall()]

    def change(self, connection: Connection, values: Values) -> int:
        """Runs an update, insert or delete; how many rows it changed."""
        _, cursor = self._run(connection, values)
        count: int = cursor.rowcount
        return count

    def change_each(self, connection: Connection, rows: Iterable[Values]) -> None:
        """Runs it once for each of the rows."""
        several = list(rows)
        if len(several) < 2:
            for values in several:
                self._run(connection, values)
            return
        plan = self._plan(connection)
        raw: Any = connection.connection.dbapi_connection
        arguments = [plan.arguments(values) for values in several]
        try:
            raw.cursor().executemany(plan.text, arguments)
        except driver_error(connection) as fault:
            raise retold(connection, plan.text, fault) from fault

    def _run(self, connection: Connection, values: Values) -> tuple[_Plan, Any]:
        plan = self._plan(connection)
        raw: Any = connection.connection.dbapi_connection
        arguments = plan.arguments(values)
        try:
            cursor = raw.execute(plan.text, arguments)
        except driver_error(connection) as fault:
            raise retold(connection, plan.text, fault) from fault
        return plan, cursor

    def _plan(self, connection: Connection) -> _Plan:
        return self._plans.get(connection.dialect.name) or self._compile(connection.dialect)

    def _compile(self, dialect: Dialect) -> _Plan:
        compiled: Any = self._statement.compile(dialect=dialect, column_keys=self._columns)  # type: ignore[attr-defined]
        plan = _plan(compiled, dialect)
        self._plans[dialect.name] = plan
        return plan


def _plan(compiled: SQLCompiler, dialect: Dialect) -> _Plan:
    columns = list(getattr(compiled.statement, "selected_columns", ()))
    readers = [_reader(column.type, dialect) for column in columns]
    binders = [(name, _binder(bind.type, dialect)) for name, bind in compiled.binds.items()]
    return _Plan(
        text=compiled.string,
        order=tuple(compiled.positiontup or ()) if compiled.positional else None,
        fixed={name: value for name, value in compiled.params.items() if value is not None},
        binders=tuple((name, convert) for name, convert in binders if convert),
        names=tuple(column.name for column in columns),
        readers=tuple((place, convert) for place, convert in enumerate(readers) if convert),
    )


def _reader(kind: TypeEngine[Any], dialect: Dialect) -> Convert:
    if _is_text(kind, dialect):
        return _instant
    if isinstance(kind, Float):
        return None  # both drivers give a float; PostgreSQL's dialect would ask the driver which
    return kind.dialect_impl(dialect).result_processor(dialect, None)


def _binder(kind: TypeEngine[Any], dialect: Dialect) -> Convert:
    if _is_text(kind, dialect):
        return _text
    return kind.dialect_impl(dialect).bind_processor(dialect)


def _is_text(kind: TypeEngine[Any], dialect: Dialect) -> bool:
    """Whether it is an instant that SQLite keeps as text: a row has half a dozen, each goes through three layers."""
    return isinstance(kind, UTCDateTime) and dialect.name == "sqlite"


def _instant(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text + "+00:00")


def _text(instant: datetime | None) -> str | None:
    return None if instant is None else utc(instant).isoformat(" ", "microseconds")[:_WITHOUT_ZONE]
