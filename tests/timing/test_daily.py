"""Quiet hours and times of the day, on clocks that change."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgmail.timing import Quiet, next_at

BERLIN = ZoneInfo("Europe/Berlin")


def local(text: str) -> datetime:
    return datetime.fromisoformat(f"2026-12-01T{text}").replace(tzinfo=BERLIN)


@pytest.mark.parametrize(
    ("at", "held"),
    [("23:59", True), ("00:00", True), ("00:01", True), ("06:59", True), ("07:00", False), ("20:59", False)],
)
def test_quiet_hours_wrap_midnight(at: str, held: bool) -> None:
    assert Quiet(21 * 60, 7 * 60).holds(local(at), BERLIN) is held


def test_all_day_but_a_minute() -> None:
    quiet = Quiet(2 * 60, 60 + 59)
    loud = [
        minute
        for minute in range(24 * 60)
        if not quiet.holds(local("00:00") + timedelta(minutes=minute), BERLIN)
    ]
    assert loud == [119]


def test_a_window_that_ends_when_it_begins_is_refused() -> None:
    with pytest.raises(ValueError, match="no quiet hours"):
        Quiet(22 * 60, 22 * 60)


def test_they_end_at_their_end_and_are_over_at_once_outside() -> None:
    quiet = Quiet(22 * 60, 7 * 60)
    assert quiet.over(local("23:30"), BERLIN) == local("07:00") + timedelta(days=1)
    assert quiet.over(local("03:00"), BERLIN) == local("07:00")
    assert quiet.over(local("12:00"), BERLIN) == local("12:00")


@pytest.mark.parametrize(
    ("day", "utc"),
    [
        ("2026-03-28T12:00", "2026-03-29T01:30"),  # 02:30 is skipped on the 29th: an hour later on the wall
        ("2026-10-24T12:00", "2026-10-25T00:30"),  # 02:30 comes twice on the 25th: the first
    ],
)
def test_a_minute_that_is_skipped_or_comes_twice(day: str, utc: str) -> None:
    start = datetime.fromisoformat(day).replace(tzinfo=BERLIN)
    assert next_at(150, start, BERLIN) == datetime.fromisoformat(utc).replace(tzinfo=UTC)


@given(
    minute=st.integers(0, 24 * 60 - 1),
    at=st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31)),  # noqa: DTZ001 - made aware below
    zone=st.sampled_from(["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"]),
)
def test_the_next_time_is_ahead_and_within_a_day_or_so(minute: int, at: datetime, zone: str) -> None:
    now = at.replace(tzinfo=UTC)
    found = next_at(minute, now, ZoneInfo(zone))
    assert timedelta(0) < found - now <= timedelta(hours=25)


@pytest.mark.parametrize(
    ("now", "end"),
    [
        ("2026-10-25T00:10", "2026-10-25T00:30"),  # 02:10 for the first time
        ("2026-10-25T00:40", "2026-10-25T00:40"),  # 02:40: they are over
        ("2026-10-25T01:10", "2026-10-25T01:30"),  # 02:10 once more
    ],
)
def test_an_hour_that_comes_twice_makes_no_quiet_day(now: str, end: str) -> None:
    at = datetime.fromisoformat(now).replace(tzinfo=UTC)
    assert Quiet(22 * 60, 150).over(at, BERLIN) == datetime.fromisoformat(end).replace(tzinfo=UTC)
