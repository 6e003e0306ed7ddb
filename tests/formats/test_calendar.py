"""A calendar as a file: what a reader of its own makes of it, and the lines as the format wants them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from bgmail.formats.calendar import Event, fold, write_calendar

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
HALF_HOUR = timedelta(minutes=30)


def event(**changes: object) -> Event:
    values: dict[str, object] = {
        "uid": "a1.white@bgmail",
        "sequence": 3,
        "at": NOON,
        "changed_at": NOON - timedelta(days=1),
        "summary": "Play 3-1",
        "description": "Two\nlines",
        "url": "https://bgmail.example/match/a1",
    }
    return Event(**(values | changes))  # type: ignore[arg-type]


def read(*events: Event, name: str = "deadlines") -> Calendar:
    return Calendar.from_ical(write_calendar(name, events, HALF_HOUR))


def test_a_reader_finds_what_was_written() -> None:
    alarm = NOON - timedelta(hours=6)
    calendar = read(event(alarms=(alarm,)))
    found = calendar.events[0]
    assert calendar.calendar_name == "deadlines"
    assert calendar.errors == found.errors == []
    assert (found.uid, found.sequence, found.start) == ("a1.white@bgmail", 3, NOON)
    assert found.last_modified == found.stamp == NOON - timedelta(days=1)
    assert (found["summary"], found["description"]) == ("Play 3-1", "Two\nlines")
    assert found["url"] == "https://bgmail.example/match/a1"
    assert found.duration == timedelta()
    assert [one.TRIGGER for one in found.walk("VALARM")] == [alarm]


def test_an_empty_calendar_is_a_calendar() -> None:
    assert read().events == []


def test_instants_are_told_in_utc() -> None:
    berlin = timezone(timedelta(hours=1))
    assert "DTSTART:20260302T120000Z\r\n" in write_calendar(
        "x", [event(at=NOON.astimezone(berlin))], HALF_HOUR
    )


def test_signs_that_mean_something_are_escaped() -> None:
    written = write_calendar("x", [event(summary="a,b;c\\d\ne\r\nf")], HALF_HOUR)
    assert r"SUMMARY:a\,b\;c\\d\ne\nf" in written


def test_signs_that_no_calendar_may_carry_are_left_out() -> None:
    assert "SUMMARY:ab\r\n" in write_calendar("x", [event(summary="a\x00\x1b\x7fb\r")], HALF_HOUR)


@pytest.mark.parametrize("length", [74, 75, 76, 149, 150, 300])
def test_a_long_line_is_folded_at_75_octets(length: int) -> None:
    pieces = list(fold("x" * length))
    assert [len(piece) for piece in pieces[:-1]] == [75] * (len(pieces) - 1)
    assert pieces[0] + "".join(piece[1:] for piece in pieces[1:]) == "x" * length


def test_no_sign_is_cut_in_two() -> None:
    pieces = list(fold("й" * 80))
    assert all(len(piece.encode()) <= 75 for piece in pieces)
    assert pieces[0] == "й" * 37


@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=200))
def test_any_text_comes_back(text: str) -> None:
    written = write_calendar("x", [event(summary=text)], HALF_HOUR)
    assert all(len(line.encode()) <= 75 for line in written.split("\r\n"))
    assert str(Calendar.from_ical(written).events[0]["summary"]) == text
