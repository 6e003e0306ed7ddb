from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from bgmail.pairing.field import Field, How, Pairing, Result, Status
from bgmail.pairing.redrawing import passed_over
from bgmail.pairing.swiss import Swiss, SwissElimination
from tests.pairing.counts import byes, met, nobody_twice_in_a_round, rounds
from tests.pairing.events import (
    LEAVING,
    Event,
    entries,
    field_of,
    shuffled,
    with_pairings,
    with_result,
    with_status,
    won,
)
from tests.pairing.slow_swiss import Slow, rounds_of

SIZES = range(2, 34)
SEEDS = range(1, 201)


@pytest.mark.parametrize("size", SIZES)
def test_a_swiss_of_at_most_half_as_many_rounds_as_entries_is_played_without_a_repeat(size: int) -> None:
    random = Random(size)
    format_ = Swiss(max(1, min(size // 2, 7)), ("buchholz", "head_to_head"))
    field = Event(format_, field_of(size, str(size)), random, forfeits=0.05).play()
    assert max(met(field).values()) == 1
    assert nobody_twice_in_a_round(field)
    assert len(rounds(field)) == format_.rounds
    assert all(len(round_) == (size + 1) // 2 for round_ in rounds(field))
    assert sum(byes(field).values()) == (format_.rounds if size % 2 else 0)
    assert max(byes(field).values(), default=1) == 1
    assert all(one.result == Result(one.first, How.BYE) for one in field.pairings if one.second is None)


@pytest.mark.parametrize("size", SIZES)
def test_people_leave_and_it_still_ends(size: int) -> None:
    random = Random(size)
    format_ = Swiss(random.randint(1, 9), ("median_buchholz",))
    field = Event(format_, field_of(size), random, forfeits=0.1, leaving=0.05).play()
    assert nobody_twice_in_a_round(field)
    assert all(sum(one.second is None for one in round_) <= 1 for round_ in rounds(field))
    lines = format_.standings(field)
    assert sorted(line.entry for line in lines) == sorted(one.id for one in field.entries)
    assert [line.rank for line in lines if line.listed] == list(
        range(1, 1 + sum(line.listed for line in lines))
    )
    assert format_.standings(shuffled(field, random)) == lines


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("losses", [1, 2, 3])
def test_a_swiss_with_elimination_goes_on_until_one_is_left(size: int, losses: int) -> None:
    random = Random(100 * losses + size)
    format_ = SwissElimination(losses, ("sonneborn_berger",))
    field = Event(format_, field_of(size), random, forfeits=0.03, leaving=random.choice([0, 0.02])).play()
    assert nobody_twice_in_a_round(field)
    lines = format_.standings(field)
    left = {one.id for one in field.entries if not one.plays}
    listed = [line for line in lines if line.listed]
    survivors = [line for line in listed if line.out_in is None]
    assert len(survivors) <= 1
    assert all(line.losses < losses and line.rank == 1 for line in survivors)
    assert all(line.losses == losses for line in listed if line.out_in is not None and line.entry not in left)
    order = [(line.out_in or 0, line.wins) for line in listed if line.out_in is not None]
    assert order == sorted(order, reverse=True)
    for line in listed:
        played = [one.round for one in field.pairings if one.has(line.entry)]
        assert line.out_in in {None, 0, max(played, default=0)}


def test_elimination_ends_with_one_survivor_where_nobody_leaves_and_all_is_played() -> None:
    for size in (2, 3, 8, 13):
        format_ = SwissElimination(2)
        field = Event(format_, field_of(size), Random(size)).play()
        assert [line.out_in is None for line in format_.standings(field)] == [True] + [False] * (size - 1)


def test_the_last_two_meet_again_until_one_is_out() -> None:
    format_ = SwissElimination(3)
    one, other = (entry.id for entry in entries(2))
    field = field_of(2)
    for winner in (one, other, one, other, one):
        made = format_.next(field)
        assert len(made) == 1
        field = with_result(with_pairings(field, made), made[0].key, Result(winner))
    assert format_.finished(field)
    assert [(line.entry, line.out_in) for line in format_.standings(field)] == [(one, None), (other, 5)]
    whites = Counter(pairing.first for pairing in field.pairings)
    assert sorted(whites.values()) == [2, 3]


def test_when_the_last_two_both_stay_away_nobody_is_left_and_wins_decide() -> None:
    ids = [entry.id for entry in entries(3)]
    format_ = SwissElimination(1)
    field = with_pairings(field_of(3), format_.next(field_of(3)))
    field = with_result(field, "r1.1", Result(next(one.first for one in field.pairings if one.second)))
    made = format_.next(field)
    field = with_result(with_pairings(field, made), made[0].key, Result(None, How.FORFEIT))
    assert format_.finished(field)
    lines = format_.standings(field)
    assert [line.out_in for line in lines] == [2, 2, 1]
    assert {line.entry for line in lines} == set(ids)


def judged_as_well_as_any(format_: Swiss | SwissElimination, field: Field, made: tuple[Pairing, ...]) -> bool:
    """No way to pair the round is better than what the format made."""
    if not made:
        return True
    round_ = made[0].round
    before = up_to(field, round_)
    order = format_.active(before)
    if round_ == 1:
        order = tuple(sorted(order, key=lambda id_: field.entry(id_).seed))
    slow = Slow(before, order, format_.rounds - round_ if isinstance(format_, Swiss) else 0)
    return slow.judged(tuple((one.first, one.second) for one in made)) == pytest.approx(slow.best())


def test_no_way_to_pair_a_round_of_up_to_nine_is_better_than_ours(random_matches: int) -> None:
    for seed in range(random_matches // 6):
        random = Random(seed)
        size = random.randint(2, 9)
        most = size - 1 + size % 2
        format_ = random.choice([Swiss(random.randint(1, most)), Swiss(most), SwissElimination(2)])

        def check(event: Event, format_: Swiss | SwissElimination = format_) -> None:
            last = max((one.round for one in event.field.pairings), default=0)
            made = tuple(one for one in event.field.pairings if one.round == last)
            if all(one.result is None or one.second is None for one in made):
                assert judged_as_well_as_any(format_, event.field, made)

        leaving = random.choice([0, 0.05])
        Event(format_, field_of(size, str(seed)), random, forfeits=0.05, leaving=leaving).play(check)


def test_nobody_has_a_second_bye_while_another_has_had_none() -> None:
    p1, p2, p3, p4, p5 = (entry.id for entry in entries(5))
    for seed in range(20):
        random = Random(seed)
        first = won(
            (p1, p3) if random.random() < 0.5 else (p3, p1), (p2, p4) if random.random() < 0.5 else (p4, p2)
        )
        second = won((p1, p2) if random.random() < 0.5 else (p2, p1), (p3, p5), round_=2)
        rests = (
            Pairing("r1.3", 1, p5, None, Result(p5, How.BYE)),
            Pairing("r2.3", 2, p4, None, Result(p4, How.BYE)),
        )
        field = Field(entries(5), first + second + rests, str(seed))
        made = Swiss(4).next(field)
        assert [one.first in {p1, p2, p3} for one in made if one.second is None] == [True]
        assert max(met(with_pairings(field, made)).values()) == 1


def test_nine_play_eight_rounds_without_a_second_bye_and_the_bye_is_the_lowest_ones() -> None:
    for seed in SEEDS:
        format_ = Swiss(8)
        field = Event(format_, field_of(9, str(seed)), Random(seed), whole_rounds=True).play()
        assert max(byes(field).values()) == 1
        assert max(met(field).values()) == 1
        for bye in (one for one in field.pairings if one.second is None):
            over = passed_over(format_, field, bye.key)
            assert all(rests_badly(format_, field, bye.round, id_) for id_ in over)


def test_the_lowest_has_no_bye_where_that_would_force_a_rematch() -> None:
    a, b, c, d, e, f = (entry.id for entry in entries(6))
    played = won((a, b), (f, e), (c, d)) + won((a, c), (b, e), (d, f), round_=2)
    played += won((a, d), (c, e), (b, f), round_=3)
    field = with_status(Field(entries(6), played), f, Status.WITHDRAWN)
    format_ = Swiss(4)
    assert format_.active(field)[-1] == e
    made = format_.next(field)
    bye = next(one for one in made if one.second is None)
    assert bye.first != e
    assert passed_over(format_, with_pairings(field, made), bye.key)[-1] == e
    assert rests_badly(format_, field, 4, e)
    assert any(one.has(a) and one.has(e) for one in made)


def up_to(field: Field, round_: int) -> Field:
    return replace(field, pairings=tuple(one for one in field.pairings if one.round < round_))


def rests_badly(format_: Swiss, field: Field, round_: int, entry: int) -> bool:
    """Whether a bye for that entry would have made somebody meet an opponent twice, now or later."""
    before = up_to(field, round_)
    slow = Slow(before, format_.active(before), format_.rounds - round_)
    return not any(
        (entry, None) in way and slow.judged(way)[0] == 0 and slow.goes_on(way)
        for way in rounds_of(slow.order, may_rest=True)
    )


@pytest.mark.parametrize("left", LEAVING)
@pytest.mark.parametrize("stay", [0, 1])
def test_when_at_most_one_is_left_it_is_over_with_the_standings_of_the_last_round(
    left: Status, stay: int
) -> None:
    format_ = Swiss(5)
    field = field_of(6)
    for seed in (1, 2):
        field = with_pairings(field, format_.next(field))
        for one in field.pairings:
            if one.result is None:
                field = with_result(field, one.key, Result(Random(seed).choice((one.first, one.second or 0))))
    before = format_.standings(field)
    for one in field.entries[stay:]:
        field = with_status(field, one.id, left)
    assert format_.next(field) == ()
    assert format_.finished(field)
    if left is not Status.DISQUALIFIED:
        assert [(line.entry, line.wins) for line in format_.standings(field)] == [
            (line.entry, line.wins) for line in before
        ]


def test_whoever_was_paired_with_a_disqualified_entry_has_a_win_without_play() -> None:
    format_ = Swiss(2, ("buchholz",))
    a, b, c, d = (entry.id for entry in entries(4))
    field = Field(entries(4), won((a, b), (c, d)) + won((a, c), (b, d), round_=2), "x")
    field = with_status(field, a, Status.DISQUALIFIED)
    lines = {line.entry: line for line in format_.standings(field)}
    assert [line.entry for line in format_.standings(field)][-1] == a
    assert not lines[a].listed
    assert (lines[b].wins, lines[c].wins, lines[d].wins) == (2, 2, 0)
    assert (lines[b].played, lines[c].played, lines[d].played) == (1, 1, 2)
    assert dict(lines[c].values)["buchholz"] == 0 + 1  # Dora's none, and a stand-in with half of two rounds


def test_who_went_out_by_a_disqualified_entry_comes_back_into_the_next_round() -> None:
    format_ = SwissElimination(1)
    a, b, c, d = (entry.id for entry in entries(4))
    field = Field(entries(4), won((a, b), (c, d)))
    assert set(format_.active(field)) == {a, c}
    field = with_status(field, a, Status.DISQUALIFIED)
    assert set(format_.active(field)) == {b, c}
    assert [{one.first, one.second} for one in format_.next(field)] == [{b, c}]
    running = with_pairings(field, (Pairing("r2.1", 2, c, a),))
    assert [(one.round, one.first, one.second) for one in format_.next(running)] == [(2, b, None)]


def test_annulled_pairings_count_for_nobody_and_the_two_may_meet() -> None:
    a, b = (entry.id for entry in entries(2))
    field = Field(entries(2), (Pairing("r1.1", 1, a, b, Result(None, How.ANNULLED)),))
    assert [line.wins + line.losses for line in Swiss(2).standings(field)] == [0, 0]
    assert [{one.first, one.second} for one in Swiss(2).next(field)] == [{a, b}]


def test_where_all_have_met_those_meet_again_who_have_met_least_often() -> None:
    a, b, c, d = (entry.id for entry in entries(4))
    rounds_ = won((a, b), (c, d)) + won((a, c), (b, d), round_=2) + won((a, d), (b, c), round_=3)
    rounds_ += won((a, b), (c, d), round_=4)
    made = Swiss(9).next(Field(entries(4), rounds_))
    pairs = {frozenset((one.first, one.second)) for one in made}
    assert pairs.isdisjoint({frozenset((a, b)), frozenset((c, d))})


@pytest.mark.parametrize("size", [4, 9, 16, 33])
def test_the_order_in_which_entries_and_pairings_are_given_makes_no_difference(size: int) -> None:
    format_ = Swiss(4, ("buchholz",))
    random = Random(size)
    field = Event(format_, field_of(size), random).play()
    for number in range(1, 5):
        before = up_to(field, number)
        assert format_.next(shuffled(before, random)) == format_.next(before)


def test_fields_of_none_and_one_are_over_at_once() -> None:
    for format_ in (Swiss(3), SwissElimination(2)):
        for count in (0, 1):
            assert format_.next(field_of(count)) == ()
            assert format_.finished(field_of(count))
            assert len(format_.standings(field_of(count))) == count


def test_rounds_of_a_hundred_are_drawn_without_a_repeat() -> None:
    format_ = Swiss(4)
    field = Event(format_, field_of(101), Random(2)).play()
    assert max(met(field).values()) == 1
