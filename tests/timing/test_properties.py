"""What is true of every control, every course of a turn and every set of pauses."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bgmail.timing import BLACK, WHITE, Clock, Pauses, TimeControl, bank_starts, deadline, left, reminders

START = datetime(2026, 6, 1, 12, tzinfo=UTC)
SPAN = 20 * 86400 * 1_000_000
TICK = timedelta(microseconds=1)

instants = st.integers(0, SPAN).map(lambda value: START + value * TICK)


@st.composite
def controls(draw: st.DrawFn) -> TimeControl:
    seconds = st.integers(0, 5 * 86400)
    per_turn, per_answer, bank, increment = (draw(seconds) for _ in range(4))
    cap = draw(st.none() | st.integers(increment, 8 * 86400))
    return TimeControl(per_turn, per_answer, bank + 1, increment, cap)


@st.composite
def pauses(draw: st.DrawFn) -> Pauses:
    pairs = draw(st.lists(st.tuples(instants, instants), max_size=5))
    return Pauses.of((min(pair), max(pair)) for pair in pairs)


@st.composite
def courses(draw: st.DrawFn) -> list[datetime]:
    """Rising instants: offers and answers in turn, the last one the end of the turn."""
    times = draw(st.lists(instants, min_size=1, max_size=5).filter(lambda values: len(values) % 2 == 1))
    return sorted(times)


def run(clock: Clock, course: list[datetime], paused: Pauses) -> Clock:
    for number, at in enumerate(course[:-1]):
        clock = clock.answered(at, paused) if number % 2 else clock.ask(at, paused)
    return clock


@given(pauses(), instants, instants, instants)
def test_counting_time_is_additive(
    paused: Pauses, first: datetime, second: datetime, third: datetime
) -> None:
    a, b, c = sorted((first, second, third))
    assert paused.elapsed(a, b) + paused.elapsed(b, c) == paused.elapsed(a, c)


@given(pauses(), instants, st.integers(0, SPAN))
def test_advance_finds_the_first_instant_at_which_the_time_has_passed(
    paused: Pauses, start: datetime, duration: int
) -> None:
    end = paused.advance(start, duration * TICK)
    assert paused.elapsed(start, end) == duration * TICK
    if duration:
        assert paused.elapsed(start, end - TICK) == (duration - 1) * TICK


@given(controls(), courses(), pauses(), instants)
def test_the_deadline_is_where_nothing_is_left(
    control: TimeControl, course: list[datetime], paused: Pauses, read: datetime
) -> None:
    clock = run(Clock.start(control).start_turn(WHITE, START), course, paused)
    assert clock.on is not None
    assert clock.since is not None
    end = deadline(clock, paused)
    assert end is not None
    shown = left(clock, max(read, clock.since), paused)[clock.on]
    assert shown.turn is not None
    assert shown.bank is not None
    assert (shown.turn + shown.bank > timedelta(0)) == (max(read, clock.since) < end)


@given(controls(), courses(), pauses(), instants)
def test_what_is_left_and_what_was_used_are_the_whole(
    control: TimeControl, course: list[datetime], paused: Pauses, read: datetime
) -> None:
    clock = run(Clock.start(control).start_turn(WHITE, START), course, paused)
    assert clock.on is not None
    end = deadline(clock, paused)
    assert end is not None
    read = min(max(read, clock.since or read), end)
    shown = left(clock, read, paused)[clock.on]
    assert shown.turn is not None
    assert shown.bank is not None
    assert paused.elapsed(read, end) == shown.turn + shown.bank


@given(controls(), courses(), pauses())
def test_the_bank_starts_between_the_segments_start_and_the_deadline(
    control: TimeControl, course: list[datetime], paused: Pauses
) -> None:
    clock = run(Clock.start(control).start_turn(WHITE, START), course, paused)
    begins, end = bank_starts(clock, paused), deadline(clock, paused)
    if begins is not None:
        assert clock.since is not None
        assert end is not None
        assert clock.since <= begins <= end


@given(controls(), courses(), pauses(), st.booleans())
def test_a_bank_is_never_negative_and_never_above_the_cap_and_what_it_was(
    control: TimeControl, course: list[datetime], paused: Pauses, earned: bool
) -> None:
    clock = Clock.start(control).start_turn(WHITE, START)
    ended = run(clock, course, paused).end_turn(course[-1], paused, earned=earned)
    for before, bank in zip(clock.banks, ended.banks, strict=True):
        assert bank >= 0
        if control.cap is not None:
            assert bank <= max(control.cap * 1_000_000, before)


@given(controls(), courses(), pauses())
def test_charging_a_turn_depends_on_the_sum_of_its_segments_alone(
    control: TimeControl, course: list[datetime], paused: Pauses
) -> None:
    clock = Clock.start(control).start_turn(WHITE, START)
    ended = run(clock, course, paused).end_turn(course[-1], paused)
    edges = [START, *course]
    own = sum((paused.elapsed(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True)), timedelta(0))
    assert clock.end_turn(START + own).banks[WHITE] == ended.banks[WHITE]


@given(controls(), pauses(), instants)
def test_the_other_side_pays_nothing_for_a_turn(control: TimeControl, paused: Pauses, end: datetime) -> None:
    clock = Clock.start(control).start_turn(WHITE, START)
    assert clock.end_turn(end, paused).banks[BLACK] == clock.banks[BLACK]


@given(controls(), courses(), pauses())
def test_reminders_lie_between_the_segments_start_and_the_deadline_each_once(
    control: TimeControl, course: list[datetime], paused: Pauses
) -> None:
    clock = run(Clock.start(control).start_turn(WHITE, START), course, paused)
    end = deadline(clock, paused)
    planned = reminders(clock, paused)
    assert len({reminder.which for reminder in planned}) == len(planned)
    for reminder in planned:
        assert clock.since is not None
        assert end is not None
        assert clock.since < reminder.at < end


@given(controls(), instants, st.integers(0, SPAN), st.integers(0, SPAN))
def test_a_pause_moves_the_deadline_by_the_part_of_it_that_lies_before_it(
    control: TimeControl, begin: datetime, length: int, split: int
) -> None:
    clock = Clock.start(control).start_turn(WHITE, START)
    plain = deadline(clock)
    paused = Pauses.of([(begin, begin + length * TICK)])
    moved = deadline(clock, paused)
    assert plain is not None
    assert moved == (plain + length * TICK if begin < plain else plain)
