"""Swiss rounds that are drawn anew, or around what an organiser fixed by hand."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bgmail.pairing.field import Field, How, Pairing, Result, Status
from bgmail.pairing.redrawing import has_bye, to_redraw
from bgmail.pairing.roundrobin import RoundRobin
from bgmail.pairing.stages import Stages
from bgmail.pairing.swiss import Swiss, SwissElimination
from tests.pairing.counts import met, nobody_twice_in_a_round
from tests.pairing.events import (
    Event,
    entries,
    field_of,
    with_pairings,
    with_result,
    with_status,
    won,
)


def test_after_a_withdrawal_the_round_that_was_not_begun_is_drawn_anew() -> None:
    format_ = Swiss(3)
    field = with_pairings(field_of(7), format_.next(field_of(7)))
    rests = next(one.first for one in field.pairings if one.second is None)
    pairing = next(one for one in field.pairings if one.second is not None)
    field = with_status(field, pairing.first, Status.WITHDRAWN)
    begun = {one.key for one in field.pairings if one != pairing and one.second is not None}
    dropped = to_redraw(format_, field, begun)
    assert set(dropped) == {pairing.key, next(one.key for one in field.pairings if one.second is None)}
    field = replace(field, pairings=tuple(one for one in field.pairings if one.key not in dropped))
    made = format_.next(field)
    assert [{one.first, one.second} for one in made] == [{pairing.second, rests}]
    assert made[0].round == 1
    whole = replace(field, pairings=())
    assert len(format_.next(whole)) == 3


def test_an_opponent_who_is_left_alone_has_the_bye() -> None:
    format_ = Swiss(3)
    field = with_pairings(field_of(6), format_.next(field_of(6)))
    gone = field.pairings[0]
    field = with_status(field, gone.first, Status.WITHDRAWN)
    begun = {one.key for one in field.pairings[1:]}
    assert to_redraw(format_, field, begun) == (gone.key,)
    field = replace(field, pairings=field.pairings[1:])
    made = format_.next(field)
    assert [(one.round, one.first, one.second) for one in made] == [(1, gone.second, None)]
    assert made[0].result == Result(gone.second, How.BYE)


def test_nobody_meets_again_because_somebody_left() -> None:
    format_ = Swiss(4)
    a, b, c, d, e, f, g = (entry.id for entry in entries(7))
    played = won((a, b), (c, d), (e, f))
    played += (Pairing("r1.4", 1, g, None, Result(g, How.BYE)),)
    round_two = (
        Pairing("r2.1", 2, a, g),
        Pairing("r2.2", 2, c, e),
        Pairing("r2.3", 2, b, d),
        Pairing("r2.4", 2, f, None, Result(f, How.BYE)),
    )
    field = with_status(Field(entries(7), played + round_two, "x"), c, Status.WITHDRAWN)
    assert set(to_redraw(format_, field, ())) == {"r2.1", "r2.2", "r2.3", "r2.4"}, "E and F have met"
    assert set(to_redraw(format_, field, {"r2.1"})) == {"r2.2", "r2.3", "r2.4"}
    redrawn = replace(field, pairings=played)
    assert max(met(with_pairings(redrawn, format_.next(redrawn))).values()) == 1
    other = with_status(Field(entries(7), played + round_two, "x"), d, Status.WITHDRAWN)
    assert set(to_redraw(format_, other, ())) == {"r2.3", "r2.4"}, "B and F have not"
    assert to_redraw(format_, Field(entries(7), played + round_two, "x"), ()) == ()
    assert to_redraw(RoundRobin(), field, ()) == ()


def test_in_a_second_stage_too() -> None:
    stages = Stages((RoundRobin(), Swiss(3)), (6,))
    field = Event(RoundRobin(), field_of(7), Random(1)).play()
    made = stages.next(field)
    field = with_status(with_pairings(field, made), made[0].first, Status.WITHDRAWN)
    assert to_redraw(stages, field, ()) == ("2:r1.1",)


def test_a_bye_by_hand_takes_the_place_of_the_automatic_one() -> None:
    format_ = Swiss(3)
    field = Event(Swiss(1), field_of(7), Random(5)).play()
    field = with_pairings(field, format_.next(field))
    automatic = next(one for one in field.pairings if one.round == 2 and one.second is None)
    for pairing in [one for one in field.pairings if one.round == 2 and one.second is not None]:
        wanted = pairing.first
        by_hand = Pairing("h2.1", 2, wanted, None, Result(wanted, How.BYE), fixed=True)
        given = with_pairings(field, (by_hand,))
        dropped = to_redraw(format_, given, started=())
        assert {automatic.key, pairing.key} <= set(dropped)
        assert by_hand.key not in dropped
        given = replace(given, pairings=tuple(one for one in given.pairings if one.key not in dropped))
        given = with_pairings(given, format_.next(given))
        assert [one.first for one in given.pairings if one.round == 2 and one.second is None] == [wanted]
        assert sum(one.round == 2 for one in given.pairings) == 4
        assert max(met(given).values()) == 1
        assert nobody_twice_in_a_round(given)


def test_a_pairing_by_hand_stays_and_the_others_are_drawn_around_it() -> None:
    ids = [entry.id for entry in entries(8)]
    by_hand = Pairing("hand", 1, ids[0], ids[1], fixed=True)
    made = Swiss(3).next(Field(entries(8), (by_hand,)))
    assert len(made) == 3
    assert {id_ for one in made for id_ in (one.first, one.second)} == set(ids[2:])
    assert {one.round for one in made} == {1}


def test_a_pairing_by_hand_for_a_round_to_come_waits_for_that_round() -> None:
    ids = [entry.id for entry in entries(4)]
    format_ = Swiss(3)
    field = with_pairings(field_of(4), format_.next(field_of(4)))
    field = with_pairings(field, (Pairing("hand", 2, ids[0], ids[1], fixed=True),))
    assert format_.next(field) == ()
    for one in field.pairings[:2]:
        field = with_result(field, one.key, Result(one.first))
    made = format_.next(field)
    assert [{one.first, one.second} for one in made] == [{ids[2], ids[3]}]
    assert not format_.finished(field)


def test_who_comes_while_a_round_runs_waits_for_the_next() -> None:
    format_ = Swiss(3)
    field = Event(Swiss(1), field_of(4), Random(1)).play()
    field = with_pairings(field, format_.next(field))
    late = entries(5)[4]
    field = replace(field, entries=(*field.entries, late))
    assert format_.next(field) == ()
    for one in field.pairings:
        if one.result is None:
            field = with_result(field, one.key, Result(one.first))
    assert any(one.has(late.id) for one in format_.next(field))


@pytest.mark.parametrize("size", [4, 5])
def test_somebody_rests_where_an_odd_number_is_left(size: int) -> None:
    for format_ in (Swiss(4), SwissElimination(1)):
        field = with_pairings(field_of(size), format_.next(field_of(size)))
        assert has_bye(format_, field, started=()) is (size == 5), "drawn, and not begun"
        keys = {one.key for one in field.pairings}
        running = has_bye(format_, field, keys)
        assert running is (None if isinstance(format_, SwissElimination) else size == 5)
        for one in field.pairings:
            field = with_result(field, one.key, one.result or Result(one.first))
        left = size if isinstance(format_, Swiss) else (size + 1) // 2
        assert has_bye(format_, field, keys) is (left % 2 == 1)
    robin = with_pairings(field_of(size), RoundRobin().next(field_of(size)))
    assert has_bye(RoundRobin(), robin, ()) is None
