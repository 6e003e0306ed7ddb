"""Who is at the board of a live match."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Field

from bgmail.store.tables.base import Table, index_of_some


class AttendanceRow(Table, table=True):
    """When a side was last heard of at the board, in matches whose rules ask for that.

    `leaves_at` is when it will have been away for too long, as far as this row knows; None where nobody is.
    """

    __tablename__ = "attendance"
    match_id: str = Field(primary_key=True, foreign_key="match.id")
    side: int = Field(primary_key=True)
    seen_at: datetime
    leaves_at: datetime | None = None
    __table_args__ = (index_of_some("ix_attendance_leaves_at", "leaves_at", where="leaves_at IS NOT NULL"),)
