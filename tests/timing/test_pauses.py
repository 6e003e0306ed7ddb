"""Spans that do not count: merged once, subtracted everywhere."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bgmail.timing import NO_PAUSES, Pauses


def june(day: int, hour: int = 0, minute: int = 0) -> datetime:
    return datetime(2026, 6, day, hour, minute, tzinfo=UTC)


WEEKEND = (june(6), june(8))


def hours(number: float) -> timedelta:
    return timedelta(hours=number)


def test_spans_are_sorted_and_overlapping_or_touching_ones_become_one() -> None:
    pauses = Pauses.of([(june(8), june(9)), WEEKEND, (june(7), june(7, 5)), (june(20), june(21))])
    assert pauses.spans == ((june(6), june(9)), (june(20), june(21)))


def test_an_empty_span_is_no_pause() -> None:
    assert Pauses.of([(june(6), june(6))]) == NO_PAUSES


def test_a_span_that_ends_before_it_starts_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot end before it starts"):
        Pauses.of([(june(8), june(6))])


def test_a_naive_instant_is_refused() -> None:
    with pytest.raises(ValueError, match="needs its time zone"):
        Pauses.of([(datetime(2026, 6, 6), june(8))])  # noqa: DTZ001 - that is the fault


@pytest.mark.parametrize(
    ("start", "end", "counted"),
    [
        (june(4, 12), june(6), 36),  # up to the pause
        (june(4, 12), june(7), 36),  # into it
        (june(4, 12), june(8), 36),
        (june(4, 12), june(8, 1), 37),  # over it
        (june(6, 5), june(7, 5), 0),  # inside
        (june(7), june(9), 24),  # out of it
        (june(9), june(10), 24),  # after it
    ],
)
def test_time_in_a_pause_does_not_count(start: datetime, end: datetime, counted: int) -> None:
    assert Pauses.of([WEEKEND]).elapsed(start, end) == hours(counted)


def test_nothing_has_passed_when_the_host_clock_stepped_back() -> None:
    assert Pauses.of([WEEKEND]).elapsed(june(9), june(4)) == hours(0)


@pytest.mark.parametrize(
    ("start", "duration", "end"),
    [
        (june(4, 12), 0, june(4, 12)),
        (june(4, 12), 12, june(5)),
        (june(4, 12), 36, june(6)),  # the first instant at which it has passed
        (june(4, 12), 37, june(8, 1)),
        (june(4, 12), 120, june(11, 12)),
        (june(7), 1, june(8, 1)),
        (june(9), 1, june(9, 1)),
    ],
)
def test_a_duration_skips_the_pauses(start: datetime, duration: int, end: datetime) -> None:
    assert Pauses.of([WEEKEND]).advance(start, hours(duration)) == end


def test_a_duration_skips_every_pause_on_its_way() -> None:
    nights = Pauses.of((june(day, 22), june(day + 1, 6)) for day in range(1, 20))
    assert nights.advance(june(1, 20), hours(34)) == june(3, 22)
    assert nights.advance(june(1, 20), hours(34.5)) == june(4, 6, 30)


def test_a_negative_duration_is_refused() -> None:
    with pytest.raises(ValueError, match="does not run backwards"):
        NO_PAUSES.advance(june(1), hours(-1))


def test_elapsed_time_is_not_the_difference_of_two_wall_clocks() -> None:
    helsinki = ZoneInfo("Europe/Helsinki")
    before = datetime(2023, 10, 28, 18, tzinfo=helsinki)
    after = datetime(2023, 10, 29, 18, tzinfo=helsinki)  # the hour from three to four came twice
    assert NO_PAUSES.elapsed(before, after) == hours(25)
    assert NO_PAUSES.advance(before, hours(25)) == after
