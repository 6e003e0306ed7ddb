"""The statements on heartbeats: when something was last done that should go on for ever."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, select

from bgmail.store.matches import table
from bgmail.store.prepared import Prepared
from bgmail.store.tables import PulseRow
from bgmail.store.upserts import put

_pulse = table(PulseRow)
_LAST = Prepared(select(_pulse.c.at).where(_pulse.c.name == bindparam("name")))


def last(connection: Connection, name: str) -> datetime | None:
    """When `name` was last alive; None when it never was."""
    found = _LAST.rows(connection, name=name)
    return found[0]["at"] if found else None


def beat(connection: Connection, name: str, now: datetime) -> None:
    """`name` is alive."""
    put(connection, _pulse, {"name": name, "at": now})


def forget(connection: Connection, name: str) -> None:
    """`name` never was."""
    connection.execute(delete(_pulse).where(_pulse.c.name == name))
