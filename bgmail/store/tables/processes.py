"""What processes of one site tell each other: that they go on, and how often something was done."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Field

from bgmail.store.tables.base import Table


class PulseRow(Table, table=True):
    """When something that should go on for ever last did so: the scheduler's heartbeat."""

    __tablename__ = "pulse"
    name: str = Field(primary_key=True)
    at: datetime


class AllowanceRow(Table, table=True):
    """How often something was done in a window of time, for limits that hold across processes."""

    __tablename__ = "allowance"
    key: str = Field(primary_key=True)
    window_ends: datetime
    used: int
