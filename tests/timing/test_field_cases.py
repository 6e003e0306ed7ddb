"""Real faults of comparable systems that are arithmetic alone, with the right values."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bgmail.timing import (
    BLACK,
    WHITE,
    Choice,
    Clock,
    Pauses,
    TimeLeft,
    deadline,
    from_microseconds,
    left,
    reminders,
    resolve,
    to_microseconds,
)

HOUR, DAY = 3600, 86400


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def hours(number: float) -> timedelta:
    return timedelta(hours=number)


FIVE_DAYS = resolve({"per_turn": 5 * DAY}, 7)
WEEKEND = Pauses.of([(at("2026-05-30T00:00Z"), at("2026-06-01T00:00Z"))])


def test_a_weekend_freezes_the_clock_and_does_not_refill_it() -> None:
    running = Clock.start(FIVE_DAYS).start_turn(WHITE, at("2026-05-28T12:00Z"))
    assert left(running, at("2026-05-30T00:00Z"), WEEKEND)[WHITE].turn == hours(84)
    assert deadline(running, WEEKEND) == at("2026-06-04T12:00Z")


@pytest.mark.parametrize("read", ["2026-05-30T10:00Z", "2026-05-31T22:00Z", "2026-06-01T00:00Z"])
def test_a_pause_that_is_shown_is_applied(read: str) -> None:
    running = Clock.start(FIVE_DAYS).start_turn(WHITE, at("2026-05-28T12:00Z"))
    assert left(running, at(read), WEEKEND)[WHITE] == TimeLeft(hours(84), hours(0))
    assert deadline(running, WEEKEND) == at("2026-06-01T00:00Z") + hours(84)


@pytest.mark.parametrize("later", [1, 41])
def test_no_clock_runs_after_the_end(later: int) -> None:
    """Black, on turn with an empty allowance and 31 h 20 min of bank, sees the match end at 10:00."""
    end = at("2026-06-03T10:00Z")
    started = end - hours(24) - (hours(72) - hours(31) - timedelta(minutes=20))
    over = Clock.start(resolve("move-a-day", 7)).start_turn(BLACK, started).stop(end)
    assert left(over, end + hours(later))[BLACK] == TimeLeft(None, timedelta(hours=31, minutes=20))
    assert deadline(over) is None
    assert reminders(over) == ()


def test_a_slow_game_keeps_its_first_move() -> None:
    accepted = at("2026-06-01T08:00Z")
    running = Clock.start(resolve({"per_turn": 7 * DAY}, 7)).start_turn(WHITE, accepted)
    assert left(running, accepted + hours(26))[WHITE].turn == hours(142)


def test_the_next_reminder_is_computed_from_the_new_deadline() -> None:
    """White's reminder for Tuesday 00:00 is overtaken by two turns."""
    clock = Clock.start(resolve({"per_turn": 3 * DAY}, 7)).start_turn(WHITE, at("2026-06-06T12:00Z"))
    half_a_day = Choice(turn=None, bank=None, left=(12 * HOUR,))
    assert reminders(clock, choice=half_a_day)[0].at == at("2026-06-09T00:00Z")
    clock = clock.end_turn(at("2026-06-08T20:00Z")).start_turn(BLACK, at("2026-06-08T20:00Z"))
    clock = clock.end_turn(at("2026-06-08T23:50Z")).start_turn(WHITE, at("2026-06-08T23:50Z"))
    assert deadline(clock) == at("2026-06-11T23:50Z")
    assert reminders(clock, choice=half_a_day)[0].at == at("2026-06-11T11:50Z")


def test_seven_days_are_exactly_168_hours() -> None:
    helsinki = ZoneInfo("Europe/Helsinki")
    start = datetime(2023, 10, 25, 18, tzinfo=helsinki)
    running = Clock.start(resolve({"per_turn": 7 * DAY}, 7)).start_turn(WHITE, start)
    end = deadline(running)
    assert end == at("2023-11-01T15:00Z")
    assert end.astimezone(helsinki).hour == 17
    # Read from its row and computed again, as often as one likes, it does not drift.
    assert deadline(Clock(running.control, running.banks, WHITE, WHITE, from_microseconds(
        to_microseconds(start)))) == end  # fmt: skip


def test_an_instant_keeps_its_zone() -> None:
    given = datetime.fromisoformat("2026-05-05T13:30:45-08:00")
    assert from_microseconds(to_microseconds(given)) == at("2026-05-05T21:30:45Z")


def test_a_host_clock_that_steps_back_costs_nothing_and_reminds_nobody_twice() -> None:
    noon = at("2026-06-01T12:00:00Z") + timedelta(milliseconds=900)
    earlier = noon - timedelta(seconds=2)
    running = Clock.start(resolve("move-a-day", 7)).start_turn(WHITE, noon)
    assert left(running, earlier) == left(running, noon)
    assert running.end_turn(earlier).banks == Clock.start(running.control).banks
    assert running.ask(earlier).used == 0
    assert reminders(running) == reminders(Clock.start(running.control).start_turn(WHITE, noon))


def test_the_idle_clock_shows_its_whole_allowance() -> None:
    """Black plays when its clock shows 23:55: it is full again and White's runs; then the other way round."""
    start = at("2026-06-01T12:00Z")
    played = start + timedelta(minutes=5)
    clock = Clock.start(resolve({"per_turn": DAY}, 7)).start_turn(BLACK, start)
    assert left(clock, played)[BLACK].turn == timedelta(hours=23, minutes=55)
    clock = clock.end_turn(played).start_turn(WHITE, played)
    white, black = left(clock, played + hours(1))
    assert (white.turn, black.turn) == (hours(23), hours(24))
    clock = clock.end_turn(played + hours(1)).start_turn(BLACK, played + hours(1))
    white, black = left(clock, played + hours(2))
    assert (white.turn, black.turn) == (hours(24), hours(23))


def test_two_reminders_each_once_and_planned_again_after_a_vacation() -> None:
    start = at("2026-06-01T12:00Z")
    running = Clock.start(resolve("three-days", 7)).start_turn(WHITE, start)
    choice = Choice(turn=None, bank=None, left=(24 * HOUR, 6 * HOUR))
    assert [r.at for r in reminders(running, choice=choice)] == [start + hours(48), start + hours(66)]
    vacation = Pauses.of([(start + hours(10), start + hours(34))])
    assert [r.at for r in reminders(running, vacation, choice)] == [start + hours(72), start + hours(90)]
