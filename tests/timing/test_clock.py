"""The sentences of the design on time, one by one."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest

from bgmail.timing import (
    BLACK,
    WHITE,
    Clock,
    Pauses,
    Side,
    TimeControl,
    TimeLeft,
    WrongClockState,
    bank_starts,
    clocks_json,
    deadline,
    left,
    resolve,
)
from bgmail.timing.clock import from_json, to_json

MONDAY = datetime(2026, 6, 1, 12, tzinfo=UTC)
HOUR, DAY = 3600, 86400
SIDES: tuple[Side, ...] = get_args(Side)


def after(hours: float) -> datetime:
    return MONDAY + timedelta(hours=hours)


def hours(number: float) -> timedelta:
    return timedelta(hours=number)


def banks(clock: Clock) -> tuple[float, float]:
    """White's and Black's bank in hours."""
    return clock.banks[WHITE] / 3_600_000_000, clock.banks[BLACK] / 3_600_000_000


def clock(control: TimeControl | str = "move-a-day") -> Clock:
    return Clock.start(resolve(control, 7) if isinstance(control, str) else control)


def other(side: Side) -> Side:
    return BLACK if side == WHITE else WHITE


@pytest.mark.parametrize("side", SIDES)
def test_at_the_start_of_a_turn_the_deadline_is_start_and_allowance_and_bank(side: Side) -> None:
    running = clock().start_turn(side, MONDAY)
    assert deadline(running) == MONDAY + timedelta(days=4)
    assert bank_starts(running) == MONDAY + timedelta(days=1)


def test_a_pause_of_the_side_on_the_clock_moves_both_moments() -> None:
    running, pauses = clock().start_turn(WHITE, MONDAY), Pauses.of([(after(12), after(22))])
    assert bank_starts(running, pauses) == after(34)
    assert deadline(running, pauses) == after(106)


def test_roll_and_play_are_one_turn() -> None:
    ended = clock().start_turn(WHITE, MONDAY).end_turn(after(20))  # rolled at 5, played at 20
    assert banks(ended) == (72, 72)


@pytest.mark.parametrize("side", SIDES)
def test_overrun_is_taken_from_the_bank_at_the_end_of_the_turn(side: Side) -> None:
    ended = clock().start_turn(side, MONDAY).end_turn(after(30))
    assert banks(ended)[side] == 66
    assert banks(ended)[other(side)] == 72
    assert (ended.turn, ended.on, ended.since, ended.used) == (None, None, None, 0)


@pytest.mark.parametrize("side", SIDES)
def test_the_side_that_answers_has_its_answer_time_and_its_bank(side: Side) -> None:
    control = TimeControl(per_turn=DAY, per_answer=2 * HOUR, bank=10 * HOUR, increment=0, cap=None)
    asked = clock(control).start_turn(side, MONDAY).ask(after(3))
    assert asked.answering
    assert asked.on == other(side)
    assert deadline(asked) == after(15)
    assert bank_starts(asked) == after(5)
    assert banks(asked.answered(after(8)))[other(side)] == 7


def test_after_a_take_the_same_turn_goes_on_with_what_was_left_of_it() -> None:
    taken = clock().start_turn(WHITE, MONDAY).ask(after(10)).answered(after(40))
    assert not taken.answering
    assert taken.on == WHITE
    assert bank_starts(taken) == after(54)  # 14 of 24 hours were left
    assert deadline(taken) == after(126)
    assert banks(taken) == (72, 66)  # Black took 30 hours for an answer


def test_elapsed_time_is_summed_over_the_own_segments_of_a_turn() -> None:
    turn = (
        clock()
        .start_turn(WHITE, MONDAY)
        .ask(after(10))
        .answered(after(11))
        .ask(after(21))
        .answered(after(22))
    )
    assert banks(turn.end_turn(after(32))) == (66, 72)  # 10 + 10 + 10 hours, 6 over the day


def test_time_before_an_offer_may_run_into_the_bank() -> None:
    taken = clock().start_turn(WHITE, MONDAY).ask(after(30)).answered(after(31))
    assert bank_starts(taken) == after(31)
    assert deadline(taken) == after(97)  # 66 of 72 hours were left


def test_time_in_a_pause_is_not_charged() -> None:
    pauses = Pauses.of([(after(10), after(34))])
    assert banks(clock().start_turn(WHITE, MONDAY).end_turn(after(50), pauses)) == (70, 72)


def test_a_paused_player_may_play() -> None:
    pauses = Pauses.of([(after(10), after(34))])
    assert banks(clock().start_turn(WHITE, MONDAY).end_turn(after(20), pauses)) == (72, 72)


def test_the_increment_is_earned_once_an_own_turn_with_the_play() -> None:
    turn = clock("increment").start_turn(WHITE, MONDAY).ask(after(10)).answered(after(20))
    assert banks(turn) == (72, 62)  # offers and answers earn none
    assert banks(turn.end_turn(after(22))) == (72 - 12 + 24, 62)


def test_the_increment_fills_the_bank_up_to_the_cap() -> None:
    ended = clock("long-bank").start_turn(WHITE, MONDAY).end_turn(after(25))
    assert banks(ended) == (200, 200)
    ended = clock("long-bank").start_turn(WHITE, MONDAY).end_turn(after(34))
    assert banks(ended) == (194, 200)


def test_a_bank_above_the_cap_is_kept_but_never_grows() -> None:
    control = TimeControl(per_turn=DAY, per_answer=DAY, bank=10 * DAY, increment=HOUR, cap=7 * DAY)
    ended = clock(control).start_turn(WHITE, MONDAY).end_turn(after(1))
    assert banks(ended)[WHITE] == 240
    again = ended.start_turn(WHITE, MONDAY).end_turn(after(34))
    assert banks(again)[WHITE] == 231


def test_without_a_cap_the_bank_grows() -> None:
    ended = clock("live-8-10").start_turn(WHITE, MONDAY).end_turn(MONDAY + timedelta(seconds=3))
    assert ended.banks[WHITE] == 487_000_000


def test_three_days_a_move_keep_nothing_for_later() -> None:
    ended = clock("three-days").start_turn(WHITE, MONDAY).end_turn(after(1))
    assert banks(ended) == (0, 0)
    assert deadline(ended.start_turn(BLACK, after(1))) == after(73)
    assert bank_starts(ended.start_turn(BLACK, after(1))) is None


def test_a_delay_is_spent_first_and_never_carried_over() -> None:
    game = clock("live-delay")
    for number, seconds in enumerate((5, 12, 20)):
        start = MONDAY + timedelta(minutes=number)
        game = game.start_turn(WHITE, start).end_turn(start + timedelta(seconds=seconds))
    assert game.banks[WHITE] == (14 * 60 - 8) * 1_000_000


def test_eleven_seconds_a_turn_and_then_the_bank() -> None:
    running = clock("live-11-90").start_turn(WHITE, MONDAY)
    assert deadline(running) == MONDAY + timedelta(seconds=101)
    assert running.end_turn(MONDAY + timedelta(seconds=41)).banks[WHITE] == 60_000_000


def test_an_automatic_step_takes_no_time_and_earns_nothing() -> None:
    start = clock("increment").start_turn(WHITE, MONDAY)
    assert banks(start.end_turn(MONDAY, earned=False)) == (72, 72)


def test_time_already_used_in_a_turn_that_ends_by_itself_is_charged() -> None:
    rolled_by_hand = clock("increment").start_turn(WHITE, MONDAY)
    assert banks(rolled_by_hand.end_turn(after(7), earned=False)) == (65, 72)


def test_after_an_automatic_turn_the_other_side_gets_its_fresh_allowance() -> None:
    passed = clock().start_turn(WHITE, MONDAY).end_turn(MONDAY, earned=False).start_turn(BLACK, MONDAY)
    assert deadline(passed) == after(96)


@pytest.mark.parametrize("side", SIDES)
def test_a_lapse_that_leaves_the_match_running_leaves_one_increment_at_least(side: Side) -> None:
    lapsed = clock("increment").start_turn(side, MONDAY).lapse(after(72))
    assert banks(lapsed)[side] == 24
    assert lapsed.on is None


def test_an_answer_that_lapses_leaves_one_increment_and_charges_the_turn_of_the_other() -> None:
    lapsed = clock("increment").start_turn(WHITE, MONDAY).ask(after(10)).lapse(after(82))
    assert banks(lapsed) == (62, 24)


@pytest.mark.parametrize(("at", "bank"), [(71.5, 0.5), (72, 24), (72.5, 24)])
def test_from_the_deadline_on_an_answer_is_late(at: float, bank: float) -> None:
    asked = clock("increment").start_turn(WHITE, MONDAY).ask(MONDAY)
    assert banks(asked.answered(after(at))) == (72, bank)


def test_a_lapse_found_by_a_host_clock_that_stepped_back_leaves_one_increment_too() -> None:
    assert banks(clock("increment").start_turn(WHITE, MONDAY).lapse(after(71.5))) == (24, 72)


def test_a_lapse_without_increment_leaves_an_empty_bank() -> None:
    assert banks(clock().start_turn(WHITE, MONDAY).lapse(after(96))) == (0, 72)


def test_a_late_play_that_stands_leaves_one_increment() -> None:
    assert banks(clock("increment").start_turn(WHITE, MONDAY).end_turn(after(90))) == (24, 72)
    assert banks(clock("increment").start_turn(WHITE, MONDAY).end_turn(after(90), earned=False)) == (24, 72)


def test_a_late_answer_that_stands_leaves_one_increment() -> None:
    late = clock("increment").start_turn(WHITE, MONDAY).ask(after(1)).answered(after(90))
    assert banks(late) == (72, 24)


def test_a_game_that_ends_in_a_turn_charges_it_and_earns_nothing() -> None:
    assert banks(clock("increment").start_turn(WHITE, MONDAY).stop(after(5))) == (67, 72)


def test_a_pass_charges_both_sides() -> None:
    passed = clock("increment").start_turn(WHITE, MONDAY).ask(after(5)).stop(after(8))
    assert banks(passed) == (67, 69)
    assert passed.on is None


def test_a_stopped_clock_stays_as_it_is() -> None:
    ended = clock().start_turn(WHITE, MONDAY).end_turn(after(30))
    assert ended.stop(after(500)) == ended


def test_a_bank_of_one_game_is_filled_again_for_the_next() -> None:
    ended = clock("live-11-90").start_turn(WHITE, MONDAY).stop(MONDAY + timedelta(seconds=60))
    assert ended.banks == (41_000_000, 90_000_000)
    assert ended.refill().banks == (90_000_000, 90_000_000)


def test_a_bank_of_one_match_is_not() -> None:
    ended = clock().start_turn(WHITE, MONDAY).stop(after(30))
    assert banks(ended.start_turn(WHITE, after(30))) == (66, 72)


def test_an_untimed_match_has_no_deadline_and_is_never_charged() -> None:
    running = clock("untimed").start_turn(WHITE, MONDAY)
    assert deadline(running) is None
    assert bank_starts(running) is None
    assert left(running, after(10_000)) == (TimeLeft(None, None), TimeLeft(None, None))
    assert running.ask(after(9000)).answered(after(9500)).end_turn(after(10_000)).banks == (0, 0)


def test_a_stopped_clock_has_no_deadline() -> None:
    assert deadline(clock()) is None
    assert bank_starts(clock()) is None
    assert left(clock(), MONDAY) == (TimeLeft(None, hours(72)), TimeLeft(None, hours(72)))


@pytest.mark.parametrize("side", SIDES)
def test_what_is_left_is_shown_for_both_sides(side: Side) -> None:
    running = clock().start_turn(side, MONDAY)
    shown = left(running, after(10))
    assert shown[side] == TimeLeft(hours(14), hours(72))
    assert shown[other(side)] == TimeLeft(hours(24), hours(72))
    assert left(running, after(34))[side] == TimeLeft(hours(0), hours(62))
    assert left(running, after(500))[side] == TimeLeft(hours(0), hours(0))


def test_while_an_answer_is_awaited_the_asking_side_keeps_what_it_had() -> None:
    asked = clock().start_turn(WHITE, MONDAY).ask(after(30))
    white, black = left(asked, after(34))
    assert white == TimeLeft(hours(0), hours(66))
    assert black == TimeLeft(hours(20), hours(72))


def test_the_clocks_of_the_api_are_whole_seconds_and_never_promise_more_than_there_is() -> None:
    running = clock("long-bank").start_turn(WHITE, MONDAY)
    assert clocks_json(running, MONDAY + timedelta(microseconds=1)) == {
        "white": {"bank": 720_000, "turn_left": 86_399},
        "black": {"bank": 720_000, "turn_left": 86_400},
        "per_turn": 86_400,
        "increment": 14_400,
        "cap": 720_000,
        "paused": None,
    }


def test_the_clocks_of_an_untimed_match_are_null() -> None:
    shown = clocks_json(clock("untimed").start_turn(WHITE, MONDAY), MONDAY)
    assert shown["white"] == {"bank": None, "turn_left": None}


def test_every_step_refuses_a_clock_that_does_something_else() -> None:
    stopped = clock()
    running = stopped.start_turn(WHITE, MONDAY)
    asked = running.ask(MONDAY)
    steps: tuple[Callable[[], object], ...] = (
        lambda: running.start_turn(BLACK, MONDAY),
        lambda: asked.start_turn(BLACK, MONDAY),
        lambda: stopped.ask(MONDAY),
        lambda: asked.ask(MONDAY),
        lambda: stopped.answered(MONDAY),
        lambda: running.answered(MONDAY),
        lambda: stopped.end_turn(MONDAY),
        lambda: asked.end_turn(MONDAY),
        lambda: stopped.lapse(MONDAY),
        running.refill,
    )
    for step in steps:
        with pytest.raises(WrongClockState):
            step()


def test_a_naive_instant_is_refused() -> None:
    with pytest.raises(ValueError, match="needs its time zone"):
        clock().start_turn(WHITE, datetime(2026, 6, 1))  # noqa: DTZ001 - that is the fault


@pytest.mark.parametrize(
    "state",
    [
        clock(),
        clock("untimed").start_turn(BLACK, MONDAY),
        clock("long-bank").start_turn(WHITE, MONDAY + timedelta(microseconds=7)),
        clock("increment").start_turn(BLACK, MONDAY).ask(MONDAY + timedelta(microseconds=123_456_789)),
    ],
    ids=["stopped", "untimed", "running", "answering"],
)
def test_a_clock_survives_its_row(state: Clock) -> None:
    text = json.dumps(to_json(state))
    assert "." not in text
    assert from_json(json.loads(text)) == state
