"""Weekends and nights by the wall clock of a zone, the two changes of the clock among them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bgmail.timing import NO_CALENDAR, BadCalendar, Calendar, Pauses
from bgmail.timing import calendar as calendars
from bgmail.timing.calendar import LONGEST_NIGHT
from tests.timing import slow

SATURDAY, SUNDAY = 5, 6
WEEKEND = frozenset({SATURDAY, SUNDAY})
ZONES = (
    *(
        "UTC",
        "Europe/Berlin",
        "America/New_York",
        "America/Santiago",
        "Australia/Lord_Howe",
        "Asia/Kathmandu",
    ),
    *(
        "Pacific/Auckland",
        "Pacific/Apia",
        "Africa/Cairo",
        "Asia/Beirut",
        "America/Havana",
        "Africa/Casablanca",
    ),
)
MONTHS = tuple(
    datetime.fromisoformat(day).replace(tzinfo=UTC)
    for day in (
        *("2011-12-28", "2024-02-26", "2026-03-01", "2026-03-24", "2026-04-01"),
        *("2026-09-01", "2026-10-01", "2026-10-22", "2026-10-29"),
    )
)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


@pytest.mark.parametrize(
    ("zone", "day", "start", "end"),
    [
        ("UTC", "2026-05-27", "2026-05-30T00:00Z", "2026-06-01T00:00Z"),
        ("Europe/Berlin", "2026-06-10", "2026-06-12T22:00Z", "2026-06-14T22:00Z"),
        ("Europe/Berlin", "2026-03-25", "2026-03-27T23:00Z", "2026-03-29T22:00Z"),  # 47 hours
        ("Europe/Berlin", "2026-10-21", "2026-10-23T22:00Z", "2026-10-25T23:00Z"),  # 49 hours
        (
            "Pacific/Auckland",
            "2026-04-01",
            "2026-04-03T11:00Z",
            "2026-04-05T12:00Z",
        ),  # the south goes back in April
        ("Pacific/Auckland", "2026-09-23", "2026-09-25T12:00Z", "2026-09-27T11:00Z"),
        ("America/Santiago", "2026-09-02", "2026-09-05T04:00Z", "2026-09-07T03:00Z"),  # Sunday begins at 1:00
        ("Asia/Kathmandu", "2026-06-10", "2026-06-12T18:15Z", "2026-06-14T18:15Z"),
        ("Pacific/Kiritimati", "2026-06-10", "2026-06-12T10:00Z", "2026-06-14T10:00Z"),
        ("Pacific/Pago_Pago", "2026-06-10", "2026-06-13T11:00Z", "2026-06-15T11:00Z"),
    ],
)
def test_a_weekend_lasts_from_midnight_to_midnight_on_the_wall(
    zone: str, day: str, start: str, end: str
) -> None:
    pauses = Pauses.of(calendar=Calendar(zone, WEEKEND))
    assert pauses.at(at(start)) == ("weekend", at(end))
    assert pauses.at(at(start) - timedelta(microseconds=1)) is None
    assert pauses.at(at(end)) is None
    assert pauses.advance(at(f"{day}T00:00Z"), at(start) - at(f"{day}T00:00Z") + timedelta(hours=1)) == at(
        end
    ) + timedelta(hours=1)


@pytest.mark.parametrize(
    ("zone", "night", "before", "start", "end"),
    [
        ("Europe/Berlin", (22 * 60, 8 * 60), "2026-06-10T12:00Z", "2026-06-10T20:00Z", "2026-06-11T06:00Z"),
        ("Europe/Berlin", (60, 7 * 60), "2026-06-10T12:00Z", "2026-06-10T23:00Z", "2026-06-11T05:00Z"),
        # over the change to summer time the night has an hour less, over the other one an hour more
        ("Europe/Berlin", (22 * 60, 8 * 60), "2026-03-28T12:00Z", "2026-03-28T21:00Z", "2026-03-29T06:00Z"),
        ("Europe/Berlin", (22 * 60, 8 * 60), "2026-10-24T12:00Z", "2026-10-24T20:00Z", "2026-10-25T07:00Z"),
        # 2:30 is skipped: the night ends when the clock jumps past it
        ("Europe/Berlin", (22 * 60, 150), "2026-03-28T12:00Z", "2026-03-28T21:00Z", "2026-03-29T01:00Z"),
        # 2:30 comes twice: the night ends at the first, and begins at the first
        ("Europe/Berlin", (22 * 60, 150), "2026-10-24T12:00Z", "2026-10-24T20:00Z", "2026-10-25T00:30Z"),
        ("Europe/Berlin", (150, 8 * 60), "2026-10-24T12:00Z", "2026-10-25T00:30Z", "2026-10-25T07:00Z"),
        # half an hour is all that Lord Howe's clocks are changed by: 2:15 is skipped
        (
            "Australia/Lord_Howe",
            (22 * 60, 135),
            "2026-10-03T08:00Z",
            "2026-10-03T11:30Z",
            "2026-10-03T15:30Z",
        ),
    ],
)
def test_a_night_lasts_from_the_first_time_its_hour_is_shown_or_skipped(
    zone: str, night: tuple[int, int], before: str, start: str, end: str
) -> None:
    found = next(Calendar(zone, night=night).spans(at(before)))
    assert found == (at(start), at(end), "night")


def test_nights_join_the_weekend_that_they_touch() -> None:
    pauses = Pauses.of(calendar=Calendar("UTC", WEEKEND, (22 * 60, 8 * 60)))
    assert pauses.at(at("2026-05-29T22:00Z")) == ("night", at("2026-06-01T08:00Z"))
    assert pauses.at(at("2026-05-30T23:00Z")) == ("weekend", at("2026-06-01T08:00Z"))
    assert pauses.at(at("2026-06-01T07:59Z")) == ("night", at("2026-06-01T08:00Z"))


def test_of_several_reasons_the_most_personal_is_told_and_the_end_is_that_of_all() -> None:
    away = (at("2026-05-31T12:00Z"), at("2026-06-02T00:00Z"))
    down = (at("2026-06-02T00:00Z"), at("2026-06-02T03:00Z"))
    pauses = Pauses.of([away], [down], Calendar("UTC", WEEKEND))
    assert pauses.at(at("2026-05-30T00:00Z")) == ("weekend", down[1])
    assert pauses.at(at("2026-05-31T13:00Z")) == ("vacation", down[1])
    assert pauses.at(at("2026-06-02T02:00Z")) == ("outage", down[1])
    assert pauses.at(down[1]) is None


def test_a_day_that_a_country_skipped_is_no_weekend() -> None:
    """Samoa went from Thursday 29 to Saturday 31 December 2011."""
    pauses = Pauses.of(calendar=Calendar("Pacific/Apia", frozenset({4})))
    assert pauses.at(at("2011-12-30T10:00Z")) is None
    assert pauses.elapsed(at("2011-12-29T12:00Z"), at("2012-01-01T00:00Z")) == timedelta(hours=60)


@pytest.mark.parametrize(
    ("code", "zone", "weekend", "night"),
    [
        ("zone", "Europe/Nowhere", [], None),
        ("zone", "../etc/passwd", [], None),
        ("zone", "America", [], None),
        ("zone", "", [], None),
        ("weekend_long", "UTC", [4, 5, 6], None),
        ("weekend_day", "UTC", [7], None),
        ("weekend_day", "UTC", [-1], None),
        ("weekend_day", "UTC", [True], None),
        ("night_minute", "UTC", [], [0, 1440]),
        ("night_minute", "UTC", [], [-1, 60]),
        ("night_empty", "UTC", [], [60, 60]),
        ("night_long", "UTC", [], [20 * 60, 8 * 60 + 1]),
        ("night_long", "UTC", [], [60, 0]),
    ],
)
def test_a_calendar_that_nobody_can_have_is_refused(
    code: str, zone: str, weekend: list[int], night: list[int] | None
) -> None:
    with pytest.raises(BadCalendar) as refused:
        calendars.from_json({"zone": zone, "weekend": weekend, "night": night})
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("good", "bad"), [({"weekend": [1]}, {"weekend": [True]}), ({"night": [1, 60]}, {"night": [True, 60]})]
)
def test_one_that_was_good_before_vouches_for_none_that_only_compares_alike(
    good: dict[str, list[int]], bad: dict[str, list[int]]
) -> None:
    plain = {"zone": "UTC", "weekend": [], "night": None}
    assert calendars.from_json(plain | good)
    with pytest.raises(BadCalendar):
        calendars.from_json(plain | bad)


def test_what_a_match_does_not_allow_is_left_out() -> None:
    calendar = Calendar("Europe/Berlin", WEEKEND, (0, 60))
    assert calendar.only(weekends=True, nights=True) == calendar
    assert calendar.only(weekends=True, nights=False) == Calendar("Europe/Berlin", WEEKEND)
    assert calendar.only(weekends=False, nights=True) == Calendar("Europe/Berlin", night=(0, 60))
    assert calendar.only(weekends=False, nights=False) is NO_CALENDAR
    assert Calendar("Europe/Berlin").only(weekends=True, nights=True) is NO_CALENDAR


@st.composite
def calendar(draw: st.DrawFn) -> Calendar:
    zone = draw(st.sampled_from(ZONES))
    weekend = draw(st.frozensets(st.integers(0, 6), max_size=2))
    start, length = draw(st.integers(0, 1439)), draw(st.integers(1, LONGEST_NIGHT))
    night = draw(st.sampled_from([None, (start, (start + length) % 1440)]))
    return Calendar(zone, weekend, night)


@st.composite
def spans(draw: st.DrawFn, start: datetime) -> list[tuple[datetime, datetime]]:
    minutes = st.integers(-2 * 1440, 12 * 1440)
    pairs = draw(st.lists(st.tuples(minutes, st.integers(0, 3 * 1440)), max_size=4))
    return [(start + begin * slow.MINUTE, start + (begin + length) * slow.MINUTE) for begin, length in pairs]


@given(calendar())
def test_a_calendar_survives_its_row(one: Calendar) -> None:
    assert calendars.from_json(calendars.to_json(one)) == one


@given(calendar(), st.sampled_from(MONTHS), st.integers(0, 14 * 1440))
def test_spans_begin_one_after_the_other_and_none_is_empty(one: Calendar, month: datetime, skip: int) -> None:
    after = month + skip * slow.MINUTE
    found = list(islice(one.spans(after), 40))
    assert [span[0] for span in found] == sorted(span[0] for span in found)
    assert all(start < end and end > after for start, end, _ in found)
    assert bool(found) == one.rests


@settings(max_examples=40)
@given(st.data(), calendar(), st.sampled_from(MONTHS), st.integers(0, 1440), st.integers(0, 9 * 1440))
def test_pauses_in_any_overlap_and_order_give_exactly_what_was_frozen(
    data: st.DataObject, one: Calendar, month: datetime, skip: int, length: int
) -> None:
    """Never more and never less, by counting the minutes; and it doesn't matter which span is named first or twice."""
    start = month + skip * slow.MINUTE
    away, down = data.draw(spans(start)), data.draw(spans(start))
    pauses = Pauses.of(away, down, one)
    end, duration = start + length * slow.MINUTE, length // 3 * slow.MINUTE
    assert pauses.elapsed(start, end) == slow.elapsed(start, end, one, [*away, *down])
    assert pauses.advance(start, duration) == slow.advance(start, duration, one, [*away, *down])
    mixed = data.draw(st.permutations([*away, *down, *away]))
    again = Pauses.of(mixed[::2], mixed[1::2], one)
    assert again.advance(start, duration) == pauses.advance(start, duration)


@given(st.data(), calendar(), st.sampled_from(MONTHS), st.integers(0, 9 * 1440))
def test_what_is_said_of_an_instant_is_what_is_counted(
    data: st.DataObject, one: Calendar, month: datetime, skip: int
) -> None:
    """A pause that is told freezes up to its end and not a microsecond longer; where none is told the clock runs."""
    instant = month + skip * slow.MINUTE
    pauses = Pauses.of(data.draw(spans(month)), data.draw(spans(month)), one)
    found, tick = pauses.at(instant), timedelta(microseconds=1)
    if found is None:
        assert pauses.elapsed(instant, instant + tick) == tick
    else:
        assert found.until > instant
        assert pauses.elapsed(instant, found.until) == timedelta(0)
        assert pauses.elapsed(found.until, found.until + tick) == tick
        assert pauses.advance(instant, tick) == found.until + tick
