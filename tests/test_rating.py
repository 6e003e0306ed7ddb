"""Ratings: the numbers of the paper and of the field's cases, and what holds for any match."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from bgmail.rating import (
    LEAST,
    MOST,
    MOST_CHANGE,
    MOST_DEVIATION,
    MOST_VOLATILITY,
    Meeting,
    Rating,
    after_match,
    chance,
    grown,
    rated,
    slope,
)

PAPER = [Meeting(Rating(1400, 30), 1), Meeting(Rating(1550, 100), 0), Meeting(Rating(1700, 300), 0)]
UPSET = Meeting(Rating(1200, 30), 0)
GRAND = Rating(2000, 30)


def test_the_example_of_the_paper() -> None:
    after = rated(Rating(1500, 200), PAPER)
    assert after.value == pytest.approx(1464.05, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.059996, abs=0.000002)


def test_five_upsets_change_the_volatility_too() -> None:
    """The paper's example alone doesn't tell a wrong volatility: there it hardly changes."""
    after = rated(GRAND, [UPSET] * 5)
    assert (round(after.value, 2), round(after.deviation, 2)) == (1971.41, 31.75)
    assert round(after.volatility, 5) == 0.06033


def test_the_paper_s_numbers_do_not_depend_on_the_order_of_the_matches() -> None:
    assert len({rated(Rating(1500, 200), order) for order in permutations(PAPER)}) == 1


def test_both_are_rated_from_what_they_were_before() -> None:
    alice, bob = Rating(1500, 200), Rating(1700, 300)
    won, lost = rated(alice, [Meeting(bob, 1)]), rated(bob, [Meeting(alice, 0)])
    assert (round(won.value, 2), round(won.deviation, 2)) == (1601.62, 186.98)
    assert (round(lost.value, 2), round(lost.deviation, 2)) == (1476.85, 251.57)


@pytest.mark.parametrize("upsets", [29, 30, 31, 60, 400])
def test_the_volatility_does_not_run_away(upsets: int) -> None:
    """From thirty upsets in one period on, a plain solver finds a root near 10, and a rating below -14,000."""
    after = rated(GRAND, [UPSET] * upsets)
    assert 0.06 < after.volatility <= MOST_VOLATILITY
    assert GRAND.value - MOST_CHANGE <= after.value < 1815
    assert 30 < after.deviation < 40


def test_just_before_it_would_run_away_the_numbers_are_the_plain_solver_s() -> None:
    assert round(rated(GRAND, [UPSET] * 29).value) == 1814


def test_a_year_without_a_match() -> None:
    after = grown(Rating(1600, 50), 12)
    assert (after.value, round(after.deviation, 2), after.volatility) == (1600, 61.67, 0.06)


def test_growing_is_the_same_in_one_step_or_in_many() -> None:
    step_by_step = Rating(1600, 50)
    for _ in range(12):
        step_by_step = grown(step_by_step, 1)
    for _ in range(1000):
        step_by_step = grown(step_by_step, 0.01)
    assert step_by_step.deviation == pytest.approx(grown(Rating(1600, 50), 22).deviation, abs=1e-9)
    assert grown(Rating(1600, 50), 10**6).deviation == MOST_DEVIATION
    assert rated(Rating(1600, 50), [], 12) == grown(Rating(1600, 50), 12)


def test_no_time_goes_backwards_and_no_match_has_less_than_a_point() -> None:
    with pytest.raises(ValueError, match="-1 periods"):
        grown(Rating(), -1)
    with pytest.raises(ValueError, match="0 points"):
        slope(0)


def test_a_match_weighs_by_the_square_root_of_its_length() -> None:
    assert slope(7) == 1
    assert slope(14) == pytest.approx(2**0.5)
    assert slope(25) == slope(1000)
    known = Rating(1500, 60)
    gains = [
        after_match(known, known, 1, slope(length), (0, 0))[0].value - 1500 for length in (1, 3, 5, 9, 25)
    ]
    assert gains == sorted(gains)
    assert gains[-1] / gains[0] == pytest.approx(5, rel=0.3)
    favourite = [chance(Rating(1600, 60), known, slope(length)) for length in (1, 3, 5, 9, 25)]
    assert favourite == sorted(favourite)
    assert favourite[0] > 0.5


def test_chances_are_those_of_fibs_at_every_length() -> None:
    """A hundred points here are 189 there: the scale is another, the form the same."""
    for length in (1, 5, 7, 13, 25):
        theirs = 1 / (1 + 10 ** (-250 * length**0.5 / 2000))
        here = 250 * 400 * 7**0.5 / 2000
        assert chance(Rating(1500 + here, 0), Rating(1500, 0), slope(length)) == pytest.approx(theirs)


def test_any_match_is_symmetric_bounded_and_independent_of_the_seats() -> None:
    dice = random.Random(2300)
    for _ in range(1500):
        one, other = (_anybody(dice) for _ in range(2))
        score, steepness = dice.choice([0, 0.5, 1]), slope(dice.randint(1, 30))
        idle = (dice.random() * 20, dice.random() * 20)
        mine, theirs = after_match(one, other, score, steepness, idle)
        assert after_match(other, one, 1 - score, steepness, idle[::-1]) == (theirs, mine)
        for before, after, result, time in ((one, mine, score, idle[0]), (other, theirs, 1 - score, idle[1])):
            assert LEAST <= after.value <= MOST
            assert abs(after.value - before.value) <= MOST_CHANGE + 1e-9
            assert 0 < after.deviation <= grown(before, time).deviation + 20
            assert after.deviation <= MOST_DEVIATION
            assert 0 < after.volatility <= MOST_VOLATILITY
            if result in (0, 1) and LEAST < after.value < MOST:
                assert (after.value - before.value) * (result - 0.5) >= 0


def test_no_row_of_upsets_leads_out_of_100_to_4000() -> None:
    low, high = Rating(101, 350, 0.1), Rating(3999, 350, 0.1)
    for _ in range(40):
        low, _ = after_match(low, Rating(100, 350, 0.1), 0, slope(25), (0, 0))
        high, _ = after_match(high, Rating(4000, 350, 0.1), 1, slope(25), (0, 0))
        assert 100 <= low.value < high.value <= 4000


def test_equals_gain_what_the_other_loses() -> None:
    mine, theirs = after_match(Rating(), Rating(), 1, 1, (0, 0))
    assert mine.value - 1500 == pytest.approx(1500 - theirs.value)
    assert mine.deviation == theirs.deviation < MOST_DEVIATION
    level = after_match(Rating(), Rating(), 0.5, 1, (0, 0))
    assert level[0].value == level[1].value == 1500


def test_who_has_been_away_tells_less_and_learns_more() -> None:
    known = Rating(1500, 60)
    fresh = after_match(known, known, 1, 1, (0, 0))
    rusty = after_match(known, known, 1, 1, (0, 60))
    assert rusty[0].value < fresh[0].value
    assert rusty[1].value < fresh[1].value


def test_ratings_find_the_strengths_behind_them() -> None:
    """Forty people of known strength, 60 matches each: their order comes out, and they lie within the deviations."""
    dice = random.Random(7)
    strength = [dice.gauss(1500, 120) for _ in range(40)]
    ratings = [Rating() for _ in strength]
    for _ in range(1200):
        one, other = dice.sample(range(40), 2)
        length = dice.choice([1, 3, 5, 7, 11])
        likely = chance(Rating(strength[one], 0), Rating(strength[other], 0), slope(length))
        score = float(dice.random() < likely)
        ratings[one], ratings[other] = after_match(
            ratings[one], ratings[other], score, slope(length), (0.02, 0.02)
        )
    off = [abs(found.value - true) / found.deviation for found, true in zip(ratings, strength, strict=True)]
    assert sum(miss < 1 for miss in off) >= 24
    assert sum(miss < 2 for miss in off) >= 36
    assert not any(found.is_provisional for found in ratings)


def _anybody(dice: random.Random) -> Rating:
    return Rating(dice.uniform(LEAST, MOST), dice.uniform(20, MOST_DEVIATION), dice.uniform(0.03, 0.1))
