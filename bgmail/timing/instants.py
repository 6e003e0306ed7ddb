"""Instants and their integer form: UTC datetimes inside, microseconds since the epoch in rows and hashes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
SECOND = 1_000_000


def utc(at: datetime) -> datetime:
    """Return the same instant in UTC.

    A naive value raises ValueError. Two values of one summer-time zone would be subtracted by the wall
    clock, so nothing here calculates with an instant that has not passed through this function.
    """
    if at.tzinfo is UTC:
        return at
    if at.tzinfo is None or at.utcoffset() is None:
        raise ValueError(f"an instant needs its time zone: {at!r}")
    return at.astimezone(UTC)


def to_microseconds(at: datetime) -> int:
    """Microseconds since 1970-01-01T00:00Z, exact."""
    return (utc(at) - EPOCH) // MICROSECOND


def from_microseconds(value: int) -> datetime:
    """The UTC instant of `to_microseconds`."""
    return EPOCH + value * MICROSECOND
