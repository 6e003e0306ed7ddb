"""The yearly balance of vacation: refilled at the new year of the owner's zone, and never below nothing."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgmail.timing.balance import YEARLY, Taken, bounds, midnight, reach, remaining, shares, year_of

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
ZERO = timedelta(0)
LONDON, BERLIN, AUCKLAND = ZoneInfo("Europe/London"), ZoneInfo("Europe/Berlin"), ZoneInfo("Pacific/Auckland")
UTC_ZONE = ZoneInfo("UTC")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def taken(start: str, end: str, zone: ZoneInfo = UTC_ZONE) -> Taken:
    return Taken(at(start), at(end), zone)


def test_a_year_begins_at_midnight_where_its_owner_lives() -> None:
    assert bounds(2027, BERLIN) == (at("2026-12-31 23:00"), at("2027-12-31 23:00"))
    assert bounds(2027, AUCKLAND)[0] == at("2026-12-31 11:00")
    assert year_of(at("2026-12-31 23:30"), BERLIN) == 2027
    assert year_of(at("2026-12-31 23:30"), LONDON) == 2026


def test_a_day_whose_midnight_is_skipped_begins_when_the_clock_has_been_put_forward() -> None:
    """In Beirut the clock goes from 00:00 to 01:00 on the last Sunday of March."""
    assert midnight(date(2026, 3, 29), ZoneInfo("Asia/Beirut")) == at("2026-03-28 22:00")


def test_six_days_reach_six_days() -> None:
    """24 of the 30 days are used: what starts on 1 July at 09:00 ends on 7 July at 09:00."""
    used = [taken("2026-02-01 00:00", "2026-02-25 00:00")]
    assert remaining(used, 2026) == 6 * DAY
    assert reach(at("2026-07-01 09:00"), used, LONDON) == at("2026-07-07 09:00")


@pytest.mark.parametrize(
    ("start", "used", "zone", "end"),
    [
        # nothing used: thirty days, whatever the clocks do on the way
        ("2026-03-20 12:00", [], BERLIN, "2026-04-19 12:00"),
        # over the new year: 2026 has twelve days to go, and 2027 thirty more
        ("2026-12-20 00:00", [], UTC_ZONE, "2027-01-31 00:00"),
        # the balance of the old year ends before the year does, and the new one isn't drawn on
        ("2026-12-20 00:00", [("2026-05-01 00:00", "2026-05-26 00:00")], UTC_ZONE, "2026-12-25 00:00"),
        # it is empty exactly as the year ends: the next day is the new year's
        ("2026-12-27 00:00", [("2026-05-01 00:00", "2026-05-26 00:00")], UTC_ZONE, "2027-01-31 00:00"),
        # nothing left: it ends where it starts
        ("2026-07-01 09:00", [("2026-05-01 00:00", "2026-05-31 00:00")], UTC_ZONE, "2026-07-01 09:00"),
        # another one is planned: up to there
        ("2026-07-01 09:00", [("2026-07-04 00:00", "2026-07-06 00:00")], UTC_ZONE, "2026-07-04 00:00"),
        # it would start within another
        ("2026-07-05 09:00", [("2026-07-04 00:00", "2026-07-06 00:00")], UTC_ZONE, "2026-07-05 09:00"),
        # New Zealand's year ends half a day before that of UTC
        ("2026-12-30 11:00", [("2026-05-01 00:00", "2026-05-30 12:00")], AUCKLAND, "2026-12-30 23:00"),
        # both years are full after what is planned for January
        (
            "2026-12-31 00:00",
            [("2026-05-01 00:00", "2026-05-30 00:00"), ("2027-02-01 00:00", "2027-03-03 00:00")],
            UTC_ZONE,
            "2027-01-01 00:00",
        ),
    ],
)
def test_how_far_a_vacation_reaches(
    start: str, used: list[tuple[str, str]], zone: ZoneInfo, end: str
) -> None:
    assert reach(at(start), [taken(*pair, zone) for pair in used], zone) == at(end)


def test_what_lies_in_two_years_is_shared_between_them() -> None:
    assert list(shares(at("2026-12-30 23:00"), at("2027-01-02 23:00"), BERLIN)) == [
        (2026, DAY),
        (2027, 2 * DAY),
    ]


instants = st.integers(0, 3 * 365 * 24).map(lambda hours: at("2026-01-01 00:00") + hours * HOUR)


@given(st.lists(st.tuples(instants, st.sampled_from([BERLIN, AUCKLAND, LONDON])), max_size=8), st.data())
def test_whatever_is_taken_in_whatever_order_no_year_has_more_than_it_has(
    wishes: list[tuple[datetime, ZoneInfo]], data: st.DataObject
) -> None:
    """Each takes all it can reach or ends early; its owner moves house in between."""
    having: list[Taken] = []
    for start, zone in wishes:
        end = reach(start, having, zone)
        assert start <= end <= start + 2 * YEARLY
        stops = start + data.draw(st.integers(0, 100)) * (end - start) / 100
        having.append(Taken(start, stops, zone))
    for year in range(2025, 2031):
        used = sum((one.in_year(year) for one in having), ZERO)
        assert used <= YEARLY
        assert remaining(having, year) == YEARLY - used
    spans = sorted((one.start, one.end) for one in having if one.start < one.end)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
