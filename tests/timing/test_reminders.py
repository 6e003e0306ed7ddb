"""Which reminders a segment has and when."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bgmail.timing import BLACK, WHITE, Choice, Clock, Pauses, Reminder, TimeControl, reminders, resolve

MONDAY = datetime(2026, 6, 1, 12, tzinfo=UTC)
HOUR, DAY = 3600, 86400


def after(hours: float) -> datetime:
    return MONDAY + timedelta(hours=hours)


def running(control: str | TimeControl) -> Clock:
    value = resolve(control, 7) if isinstance(control, str) else control
    return Clock.start(value).start_turn(WHITE, MONDAY)


def test_by_default_there_are_three_each_once_in_order() -> None:
    assert reminders(running("move-a-day")) == (
        Reminder(after(19.2), "turn", 20),  # 20 % of the day left
        Reminder(after(24 + 57.6), "bank", 20),  # 20 % of the bank left
        Reminder(after(90), "left", 6 * HOUR),
    )


def test_each_has_a_name_that_tells_it_from_the_others() -> None:
    assert [reminder.which for reminder in reminders(running("move-a-day"))] == [
        "turn-20",
        "bank-20",
        "left-21600",
    ]


def test_without_a_bank_there_is_none_for_the_bank() -> None:
    assert [r.which for r in reminders(running("three-days"))] == ["turn-20", "left-21600"]


def test_without_own_time_a_turn_there_is_none_for_it() -> None:
    assert reminders(running("increment")) == (
        Reminder(after(57.6), "bank", 20),
        Reminder(after(66), "left", 6 * HOUR),
    )


def test_the_last_bank_counts_and_not_the_first() -> None:
    later = running("move-a-day").end_turn(after(86)).start_turn(WHITE, after(100))  # 10 hours are left
    assert Reminder(after(100 + 24 + 8), "bank", 20) in reminders(later)


def test_an_answer_has_its_own() -> None:
    control = TimeControl(per_turn=DAY, per_answer=10 * HOUR, bank=20 * HOUR, increment=0, cap=None)
    assert reminders(running(control).ask(after(3))) == (
        Reminder(after(3 + 8), "turn", 20),
        Reminder(after(3 + 24), "left", 6 * HOUR),
        Reminder(after(3 + 26), "bank", 20),
    )


def test_a_turn_that_goes_on_counts_what_was_used_before_the_offer() -> None:
    taken = running("move-a-day").ask(after(10)).answered(after(40))
    assert reminders(taken)[0] == Reminder(after(49.2), "turn", 20)


def test_what_would_be_due_before_the_segment_starts_is_left_out() -> None:
    taken = running("move-a-day").ask(after(20)).answered(after(21))
    assert [r.which for r in reminders(taken)] == ["bank-20", "left-21600"]


def test_a_deadline_nearer_than_six_hours_has_no_six_hour_reminder() -> None:
    taken = running("move-a-day").ask(after(92)).answered(after(93))
    assert reminders(taken) == ()


@pytest.mark.parametrize("control", ["live-8-10", "live-delay", "live-11-90"])
def test_at_a_live_pace_nobody_is_reminded(control: str) -> None:
    assert reminders(running(control), choice=Choice(left=(60,))) == ()


@pytest.mark.parametrize(("seconds", "expected"), [(12 * HOUR - 1, 0), (12 * HOUR, 2)])
def test_a_control_shorter_than_twelve_hours_has_none(seconds: int, expected: int) -> None:
    assert len(reminders(running(TimeControl(seconds, seconds, 0, 0, None)))) == expected


def test_nobody_is_reminded_of_an_untimed_match_or_a_stopped_clock() -> None:
    assert reminders(running("untimed")) == ()
    assert reminders(Clock.start(resolve("move-a-day", 7))) == ()
    assert reminders(running("move-a-day").end_turn(after(1))) == ()


def test_the_player_may_choose_others() -> None:
    choice = Choice(turn=None, bank=50, left=(24 * HOUR, 2 * HOUR, 24 * HOUR))
    assert [(r.at, r.which) for r in reminders(running("move-a-day"), choice=choice)] == [
        (after(60), "bank-50"),
        (after(72), "left-86400"),
        (after(94), "left-7200"),
    ]


@pytest.mark.parametrize("choice", [{"turn": 0}, {"bank": 100}, {"left": (0,)}, {"turn": -5}])
def test_a_choice_that_makes_no_sense_is_refused(choice: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="a reminder"):
        Choice(**choice)  # type: ignore[arg-type]


def test_after_a_pause_all_are_planned_again() -> None:
    pauses = Pauses.of([(after(20), after(44))])
    assert [r.at for r in reminders(running("move-a-day"), pauses)] == [after(19.2), after(105.6), after(114)]


def test_the_reminders_of_an_answer_are_for_the_one_who_answers() -> None:
    asked = running("increment").end_turn(after(60)).start_turn(BLACK, after(60)).ask(after(61))
    assert asked.on == WHITE
    assert reminders(asked)[0] == Reminder(after(61 + 36 * 0.8), "bank", 20)  # White's bank is 36 hours
