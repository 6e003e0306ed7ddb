"""Spans, instants, zones and clocks in words: short, in the reader's zone, and never rounded up."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bgmail import phrases
from bgmail.phrases.times import last_play
from bgmail.timing import TimeLeft, resolve

NOW = datetime(2026, 12, 9, 12, 0, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("seconds", "words", "spelled"),
    [
        (-5, "0 s", "0 seconds"),
        (0, "0 s", "0 seconds"),
        (59.9, "59 s", "59 seconds"),
        (60, "1 min", "1 minute"),
        (125, "2 min 5 s", "2 minutes 5 seconds"),
        (600, "10 min", "10 minutes"),
        (659, "10 min", "10 minutes"),
        (3600, "1 h", "1 hour"),
        (77_999, "21 h 39 min", "21 hours 39 minutes"),
        (86_400, "1 d", "1 day"),
        (86_459, "1 d", "1 day"),
        (7 * 86_400, "7 d", "7 days"),
        (6 * 86_400 + 4 * 3600 + 3599, "6 d 4 h", "6 days 4 hours"),
    ],
)
def test_a_span_has_two_units_at_most_and_is_never_rounded_up(
    seconds: float, words: str, spelled: str
) -> None:
    assert phrases.span(timedelta(seconds=seconds)) == words
    assert phrases.lasting(timedelta(seconds=seconds)) == spelled


@pytest.mark.parametrize(
    ("at", "words"),
    [
        (datetime(2026, 12, 9, 22, 59, tzinfo=UTC), "today 23:59"),
        (datetime(2026, 12, 9, 23, 0, tzinfo=UTC), "tomorrow 00:00"),
        (datetime(2026, 12, 8, 8, 5, tzinfo=UTC), "yesterday 09:05"),
        (datetime(2026, 12, 13, 21, 20, tzinfo=UTC), "Sun 13 Dec 22:20"),
        (datetime(2028, 1, 2, 12, 0, tzinfo=UTC), "Sun 2 Jan 2028 13:00"),
    ],
)
def test_a_moment_is_told_in_the_readers_zone(at: datetime, words: str) -> None:
    assert phrases.moment(at, BERLIN, NOW) == words


def test_a_list_says_how_long_ago_and_after_two_weeks_the_day() -> None:
    assert last_play(NOW - timedelta(days=4, hours=7), BERLIN, NOW) == "last play 4 d ago"
    assert last_play(NOW - timedelta(days=14), BERLIN, NOW) == "25 Nov 2026"


def test_an_instant_in_a_letter_never_says_tomorrow() -> None:
    assert phrases.instant(NOW + timedelta(hours=12), BERLIN, NOW) == "Thu 10 Dec 01:00"


@pytest.mark.parametrize(
    ("zone", "name"),
    [
        ("UTC", "UTC"),
        ("Europe/Berlin", "Europe/Berlin (UTC+1)"),
        ("Asia/Kolkata", "Asia/Kolkata (UTC+5:30)"),
        ("America/St_Johns", "America/St_Johns (UTC-3:30)"),
    ],
)
def test_a_zone_is_named_with_its_offset(zone: str, name: str) -> None:
    assert phrases.zone_name(NOW, ZoneInfo(zone)) == name


@pytest.mark.parametrize(
    ("turn", "bank", "running", "words"),
    [
        (78_000, 259_200, True, "21 h 40 min, then 3 d bank"),
        (0, 259_200, True, "bank 3 d"),
        (3600, 0, True, "1 h"),
        (86_400, 259_200, False, "bank 3 d"),
    ],
)
def test_what_is_left_on_a_clock(turn: int, bank: int, running: bool, words: str) -> None:
    left = TimeLeft(timedelta(seconds=turn), timedelta(seconds=bank))
    assert phrases.time_left(left, running=running) == words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("move-a-day", "1 d a move + 3 d bank"),
        ("three-days", "3 d a move"),
        ("long-bank", "1 d a move + 8 d 8 h bank; each move earns 4 h, up to 8 d 8 h"),
        ("increment", "3 d bank; each move earns 1 d, up to 7 d"),
        ("untimed", "no clock"),
        ("live-delay", "12 s a move + 14 min bank"),
    ],
)
def test_every_time_control_is_a_phrase(name: str, words: str) -> None:
    assert phrases.time_control(resolve(name, 7)) == words


def test_a_time_control_in_a_sentence_spells_its_units() -> None:
    words = "1 day a move + 8 days 8 hours bank; each move earns 4 hours, up to 8 days 8 hours"
    assert phrases.time_control(resolve("long-bank", 7), spelled=True) == words
