"""An insert that minds what is there already, in the words of both databases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite


def put(connection: Connection, table: Table, values: Mapping[str, Any]) -> None:
    """Inserts a row, or gives the row with the same primary key these values."""
    insert = insert_postgresql if connection.dialect.name == "postgresql" else insert_sqlite
    statement = insert(table).values(**values)
    key = [column.name for column in table.primary_key]
    changed = {name: statement.excluded[name] for name in values if name not in key}
    connection.execute(statement.on_conflict_do_update(index_elements=key, set_=changed))
