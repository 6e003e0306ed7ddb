"""An insert that minds what is there already, in the words of both databases."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from sqlalchemy import Connection, Executable, Table
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite


def put(connection: Connection, table: Table, values: Mapping[str, Any]) -> None:
    """Inserts a row, or gives the row with the same primary key these values."""
    connection.execute(upsert(connection.dialect.name, table, tuple(values)), dict(values))


@cache
def upsert(dialect: str, table: Table, names: tuple[str, ...]) -> Executable:
    """The statement of `put`, made once: naming what is to be changed takes longer than the change."""
    statement = (insert_postgresql if dialect == "postgresql" else insert_sqlite)(table)
    key = [column.name for column in table.primary_key]
    changed = {name: statement.excluded[name] for name in names if name not in key}
    return statement.on_conflict_do_update(index_elements=key, set_=changed)
