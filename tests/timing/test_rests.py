"""The pauses of a match: what it allows, what its log said of each side, and that a row keeps all of it."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgmail.timing import (
    BLACK,
    NO_RESTS,
    USUAL,
    WHITE,
    Allowed,
    Calendar,
    Clock,
    Pauses,
    Rests,
    TimeControl,
    deadline,
    left,
    reminders,
    resolve,
)
from bgmail.timing import clock as clocks
from bgmail.timing import rests as all_rests

START = datetime(2026, 3, 26, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
EVERYTHING = Allowed(True, True, True)

hours = st.integers(0, 12 * 24).map(lambda value: START + value * HOUR)
calendars = st.builds(
    Calendar,
    st.sampled_from(["UTC", "Europe/Berlin", "Pacific/Auckland", "America/Santiago"]),
    st.frozensets(st.integers(0, 6), max_size=2),
    st.sampled_from([None, (22 * 60, 8 * 60), (150, 400)]),
)
steps = st.one_of(
    st.tuples(st.just("play"), hours),
    st.tuples(st.just("ask"), hours),
    st.tuples(st.just("answer"), hours),
    st.tuples(st.just("calendar"), st.sampled_from([WHITE, BLACK]), calendars),
    st.tuples(st.just("vacation"), st.sampled_from([WHITE, BLACK]), hours, hours),
    st.tuples(st.just("gift"), st.integers(1, 10**11)),
)
State = tuple[Clock, Rests, datetime]


@pytest.mark.parametrize("time", ["live-8-10", "live-delay", "live-11-90", "untimed"])
def test_nothing_is_allowed_in_live_pace_and_without_a_clock(time: str) -> None:
    assert EVERYTHING.at(resolve(time, 7)) == Allowed()
    assert EVERYTHING.at(resolve("move-a-day", 7)) == EVERYTHING


def test_a_vacation_with_the_same_beginning_replaces_the_one_before() -> None:
    rests = Rests(USUAL).with_vacation(WHITE, START, START + 48 * HOUR)
    assert rests.with_vacation(WHITE, START, START + 72 * HOUR).pauses(WHITE).at(START + 50 * HOUR)
    ended = rests.with_vacation(WHITE, START, START + 10 * HOUR)
    assert ended.pauses(WHITE).at(START + 10 * HOUR) is None
    assert ended.pauses(WHITE).at(START + 9 * HOUR) == ("vacation", START + 10 * HOUR)
    assert rests.with_vacation(WHITE, START, START) == Rests(USUAL), "it never was"
    assert rests.pauses(BLACK) == Pauses()


def test_a_gift_is_more_own_time_for_one_turn_or_one_answer() -> None:
    control = TimeControl(10 * 3600, 5 * 3600, 20 * 3600, 0, None)
    given = Clock.start(control).start_turn(WHITE, START).give(WHITE, 24 * 3600 * 10**6)
    assert deadline(given) == START + 54 * HOUR
    assert left(given, START + 20 * HOUR)[WHITE].turn == 14 * HOUR
    asked = given.ask(START + 20 * HOUR)
    assert left(asked, START + 21 * HOUR)[WHITE].turn == 14 * HOUR, "it waits with the turn"
    assert asked.give(BLACK, 3600 * 10**6).answered(START + 26 * HOUR).banks[BLACK] == 20 * 3600 * 10**6
    with pytest.raises(clocks.WrongClockState):
        asked.give(WHITE, 1)
    ended = asked.answered(START + 21 * HOUR).end_turn(START + 34 * HOUR)
    assert ended.banks[WHITE] == 20 * 3600 * 10**6
    assert ended.gifts == (0, 0)


def test_a_row_from_before_there_were_pauses_is_read_as_it_is() -> None:
    old = clocks.to_json(Clock.start(resolve("move-a-day", 7)).start_turn(WHITE, START))
    assert "gifts" not in old
    assert all_rests.from_json(old.get("rests")) == NO_RESTS  # type: ignore[arg-type]
    assert all_rests.to_json(NO_RESTS) == {}


def do(state: State, step: tuple[object, ...]) -> State:
    """One step of a match, as `service` takes them; one that doesn't fit what the clock is doing is left out."""
    clock, rests, now = state
    match step:
        case [str() as kind, datetime() as wish]:
            return act(clock, rests, max(now, wish), kind)
        case ["calendar", int() as side, Calendar() as calendar]:
            rests = rests.with_calendar(side, calendar)
        case ["vacation", int() as side, datetime() as start, datetime() as end]:
            rests = rests.with_vacation(side, min(start, end), max(start, end))
        case ["gift", int() as gift] if clock.on is not None:
            clock = clock.give(clock.on, gift)
    return clock, rests, now


def act(clock: Clock, rests: Rests, now: datetime, kind: str) -> State:
    pauses = rests.running(clock.on)
    if kind == "answer" and clock.answering:
        clock = clock.answered(now, pauses)
    elif kind == "ask" and not clock.answering:
        clock = clock.ask(now, pauses)
    elif kind == "play" and not clock.answering:
        other = BLACK if clock.turn == WHITE else WHITE
        clock, rests = clock.end_turn(now, pauses).start_turn(other, now), rests.from_turn(now)
    return clock, rests, now


def stored(state: State) -> State:
    """The same after the process ended and another one read its row."""
    clock, rests, now = state
    row = json.dumps({**clocks.to_json(clock), "rests": all_rests.to_json(rests)})
    data = json.loads(row)
    return clocks.from_json(data), all_rests.from_json(data["rests"]), now


@given(st.lists(steps, max_size=12), st.sets(st.integers(0, 12)))
def test_stopping_and_starting_the_process_at_any_point_changes_nothing(
    course: list[tuple[object, ...]], stops: set[int]
) -> None:
    control = TimeControl(24 * 3600, 12 * 3600, 72 * 3600, 3600, 100 * 3600)
    through = ended = (Clock.start(control).start_turn(WHITE, START), Rests(EVERYTHING), START)
    for number, step in enumerate(course):
        through, ended = do(through, step), do(stored(ended) if number in stops else ended, step)
    (clock, rests, now), (other, others, _) = through, stored(ended)
    assert (other, others) == (clock, rests)
    pauses, again = rests.running(clock.on), others.running(other.on)
    assert deadline(other, again) == deadline(clock, pauses)
    assert reminders(other, again) == reminders(clock, pauses)
    assert left(other, now + HOUR, again) == left(clock, now + HOUR, pauses)


@given(st.lists(st.tuples(hours, hours), max_size=4), hours, st.integers(0, 400), calendars)
def test_what_is_forgotten_when_a_turn_begins_is_asked_for_no_more(
    vacations: list[tuple[datetime, datetime]], at: datetime, length: int, calendar: Calendar
) -> None:
    rests = Rests(EVERYTHING).with_calendar(WHITE, calendar)
    for one, other in vacations:
        rests = rests.with_vacation(WHITE, min(one, other), max(one, other))
    kept, before = rests.from_turn(at).pauses(WHITE), rests.pauses(WHITE)
    assert kept.advance(at, length * HOUR) == before.advance(at, length * HOUR)
    assert kept.elapsed(at, at + length * HOUR) == before.elapsed(at, at + length * HOUR)
    assert kept.at(at) == before.at(at)
