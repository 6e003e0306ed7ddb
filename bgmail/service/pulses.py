"""Heartbeats: when something that should go on for ever last did. `bgmail.service.outages` sees when one stops."""

from __future__ import annotations

from datetime import datetime

from bgmail.store import pulses
from bgmail.store.engine import Store

SCHEDULER = "scheduler"


def last_beat(store: Store, name: str = SCHEDULER) -> datetime | None:
    """When `name` was last alive; None when it never was."""
    with store.read() as connection:
        return pulses.last(connection, name)
