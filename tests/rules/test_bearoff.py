"""The table of bear-offs: sure only of plays that can't be worse, held against everything that can happen."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from bgmail.rules import STANDARD, Dice, Position, legal_plays
from bgmail.rules.bearoff import WAYS, _table, bearing_off, in_race, sure_play, way_of
from bgmail.rules.dice import ROLLS
from bgmail.rules.position import CHECKERS
from bgmail.rules.ruleset import PRESETS
from tests.rules.make_bearoff import Maker, at_least, table, ways_of

FEW = 4
"""So many checkers a side are looked at in every way; the rules' own generator makes the plays."""
Counts = tuple[int, ...]


def board(own: Counts, other: Counts = (1, 0, 0, 0, 0, 0)) -> Position:
    """Two sides that bear off, each by its own points 1 to 6."""
    points = [0] * 26
    for nth, count in enumerate(own, 1):
        points[nth] = count
    for nth, count in enumerate(other, 1):
        points[25 - nth] = -count
    return Position.from_board(points)


def counts(position: Position) -> Counts:
    return tuple(max(0, count) for count in position.board[1:7])


@cache
def results(own: Counts, roll: Dice) -> tuple[Counts, ...]:
    return tuple(counts(play.position) for play in legal_plays(board(own), roll, STANDARD))


@cache
def within(own: Counts, rolls: int) -> Fraction:
    """The best chance to be off within so many rolls: every play of every roll is tried."""
    if not any(own):
        return Fraction(1)
    if not rolls:
        return Fraction(0)
    chance = Fraction(0)
    for roll in ROLLS:
        best = max(within(after, rolls - 1) for after in results(own, roll))
        chance += best * (1 if roll.is_double else 2) / 36
    return chance


@cache
def wins(own: Counts, other: Counts) -> Fraction:
    """The chance of the side on roll to win the race, both playing perfectly."""
    chance = Fraction(0)
    for roll in ROLLS:
        chance += max(1 - loses_to(after, other) for after in results(own, roll)) * (
            1 if roll.is_double else 2
        )
    return chance / 36


def loses_to(own: Counts, other: Counts) -> Fraction:
    """The chance of `other`, on roll now, against a side that has just moved to `own`."""
    return Fraction(0) if not any(own) else wins(other, own)


def sure_ways(
    own: Counts, other: Counts = (1, 0, 0, 0, 0, 0)
) -> list[tuple[Dice, Counts, tuple[Counts, ...]]]:
    """The rolls with a choice for which the table is sure: its play's result, and all results."""
    found = []
    for roll in ROLLS:
        play = sure_play(board(own, other), roll, STANDARD)
        if play is not None:
            found.append((roll, counts(play.position), results(own, roll)))
    return found


SMALL = [own for own in ways_of(FEW) if any(own)]


def test_a_sure_play_is_at_least_as_likely_as_every_other_to_be_off_within_n_rolls() -> None:
    looked = 0
    for own in SMALL:
        for roll, chosen, others in sure_ways(own):
            looked += len(others) > 1
            for other in others:
                for rolls in range(1, 8):
                    assert within(chosen, rolls) >= within(other, rolls), (own, roll, chosen, other)
    assert looked > 2000


def test_a_sure_play_wins_no_race_less_often_than_another_whatever_the_opponent_has_left() -> None:
    """To be likelier off within every n is not enough: with six checkers a play like that loses three races in a
    million more than another, since no one way of playing on is best for every n. The table asks there."""
    pips = {own: sum(nth * count for nth, count in enumerate(own, 1)) for own in SMALL}
    rivals = [own for own in SMALL if pips[own] <= 9]
    for own in [own for own in SMALL if sum(own) == 3 or pips[own] <= 10]:
        for rival in rivals:
            for roll, chosen, others in sure_ways(own, rival):
                least = min(loses_to(other, rival) for other in others)
                assert loses_to(chosen, rival) == least, (own, roll, chosen, rival)


def test_where_two_plays_are_each_better_for_some_n_the_server_asks() -> None:
    unsure = 0
    for own in [own for own in SMALL if sum(own) == FEW]:
        sure = {roll for roll, _, _ in sure_ways(own)}
        for roll in set(ROLLS) - sure:
            best = [max(within(after, rolls) for after in results(own, roll)) for rolls in range(1, 8)]
            exact = [[within(after, rolls) for rolls in range(1, 8)] for after in results(own, roll)]
            unsure += best not in exact
    assert unsure > 200, "in most of them no play is best for every n"


def test_the_table_is_what_its_maker_makes() -> None:
    maker = Maker(5)
    maker.run()
    made = table(maker)
    for number, way in enumerate(maker.ways):
        for nth, roll in enumerate(ROLLS):
            if not any(way):
                continue
            left = maker.open[number][nth]
            assert (made.wait(way_of(way), nth) == 0) == (len(left) == 1)
            assert _table().wait(way_of(way), nth) == made.wait(way_of(way), nth)
            play = sure_play(board(way), roll, STANDARD)
            assert (play is not None) == (len(left) == 1), (way, roll)
            if play is not None:
                assert at_least(maker.best[maker._numbers[counts(play.position)]], maker.best[left[0]])


def test_every_way_has_a_number_of_its_own() -> None:
    found = {way_of(way) for way in ways_of(6)}
    assert len(found) == 924
    assert way_of((0,) * 6) == 0
    assert max(way_of((0, 0, 0, 0, 0, 14)), way_of((14, 0, 0, 0, 0, 0))) == WAYS - 1


@pytest.mark.parametrize(
    ("own", "other", "roll", "says"),
    [
        ((2, 2, 0, 0, 1, 2), (5, 5, 0, 0, 0, 0), (6, 5), "6/off 5/off"),
        ((0, 0, 0, 0, 0, 2), (1, 0, 0, 0, 0, 0), (6, 6), "6/off(2)"),
        ((1, 1, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0), (2, 1), "2/off 1/off"),
    ],
)
def test_what_anybody_would_play_is_sure(
    own: Counts, other: Counts, roll: tuple[int, int], says: str
) -> None:
    assert str(sure_play(board(own, other), Dice(*roll), STANDARD)) == says


def test_nothing_is_sure_with_contact_outside_or_while_a_gammon_can_be_lost() -> None:
    roll = Dice(6, 5)
    behind = [0] * 26
    behind[6], behind[5], behind[2], behind[1] = 2, 2, 2, -1
    touching = Position.from_board(behind)
    assert not in_race(touching)
    assert sure_play(touching, roll, STANDARD) is None
    outside = [0] * 26
    outside[7], outside[5], outside[24] = 1, 3, -2
    assert in_race(Position.from_board(outside))
    assert not bearing_off(Position.from_board(outside))
    assert sure_play(Position.from_board(outside), roll, STANDARD) is None
    all_there = board((2, 3, 2, 2, 3, 3), (2, 0, 0, 0, 0, 0))
    assert sum(counts(all_there)) == CHECKERS
    assert sure_play(all_there, roll, STANDARD) is None
    wasting = PRESETS["claim"]
    assert wasting.least_waste
    assert sure_play(board((2, 2, 0, 0, 1, 2)), roll, wasting) is None
