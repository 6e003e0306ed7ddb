"""Faults of the database, told as SQLAlchemy tells them by whoever asks the driver past it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError


def driver_error(connection: Connection) -> type[Exception]:
    """What every fault of this connection's driver is."""
    dbapi: Any = connection.dialect.loaded_dbapi
    error: type[Exception] = dbapi.Error
    return error


def retold(connection: Connection, statement: str, fault: Exception) -> BaseException:
    """SQLAlchemy's exception for a fault of the driver. The values of the statement stay out of it."""
    return DBAPIError.instance(statement, None, fault, driver_error(connection), dialect=connection.dialect)
