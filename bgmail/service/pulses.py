"""Heartbeats: when something that should go on for ever last did."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select

from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.tables import PulseRow
from bgmail.store.upserts import put

_pulse = table(PulseRow)


def beat(store: Store, name: str, now: datetime) -> None:
    """`name` is alive."""
    with store.write() as connection:
        put(connection, _pulse, {"name": name, "at": now})


def last_beat(store: Store, name: str) -> datetime | None:
    """When `name` was last alive; None when it never was."""
    with store.read() as connection:
        return connection.scalar(select(_pulse.c.at).where(_pulse.c.name == name))
