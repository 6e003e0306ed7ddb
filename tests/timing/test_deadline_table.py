"""The table of deadlines against the clock, and against minutes that are counted one by one."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bgmail.timing import BLACK, WHITE, Clock, Pauses, deadline, left
from tests.timing import slow
from tests.timing.deadline_cases import CASES, HOUR, Case, at

NOTHING = timedelta(0)


def clock(case: Case, pauses: Pauses) -> Clock:
    """The clock in the turn that the case is about."""
    first, *later = case.turns
    running = Clock.start(case.control).start_turn(WHITE, first)
    for begins in later:
        bobs = begins - HOUR
        running = running.end_turn(bobs, pauses).start_turn(BLACK, bobs)
        running = running.end_turn(begins).start_turn(WHITE, begins)
    return running


def counted(case: Case) -> timedelta:
    """The bank of that turn, by the minutes of the turn before it and the formula in words."""
    bank, own = case.bank * HOUR, case.own * HOUR
    if case.took is None:
        return bank
    first, away, down = at(case.start), *case.spans
    used = slow.elapsed(first, first + case.took * HOUR, case.calendar, [*away, *down])
    late = used >= own + bank
    left_over = max(NOTHING, bank - max(NOTHING, used - own)) + case.increment * HOUR
    capped = left_over if case.cap is None else min(max(case.cap * HOUR, bank), left_over)
    return max(capped, case.increment * HOUR) if late else capped


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.story)
def test_a_turn_is_lost_at_the_instant_of_the_table(case: Case) -> None:
    away, down = case.spans
    pauses, ends, begins = Pauses.of(away, down, case.calendar), at(case.ends), case.turns[-1]
    running = clock(case, pauses)
    assert deadline(running, pauses) == ends
    assert slow.advance(begins, case.own * HOUR + counted(case), case.calendar, [*away, *down]) == ends
    assert (
        left(running, ends - timedelta(microseconds=1), pauses)[WHITE] != left(running, ends, pauses)[WHITE]
    )
    assert (
        sum(
            (
                left(running, ends, pauses)[WHITE].turn or NOTHING,
                left(running, ends, pauses)[WHITE].bank or NOTHING,
            ),
            NOTHING,
        )
        == NOTHING
    )


def test_the_table_has_what_it_should() -> None:
    assert len(CASES) >= 60
    assert len({case.story for case in CASES}) == len(CASES)
    assert len({case.zone for case in CASES}) >= 12
    assert any(case.vacation and case.weekend and case.outages for case in CASES)
