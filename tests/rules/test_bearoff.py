"""The table of bear-offs: sure of the plays that are never less likely to be off, held against all that can happen."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from bgmail.rules import STANDARD, Dice, Position, legal_plays
from bgmail.rules.bearoff import WAYS, _table, bearing_off, in_race, sure_play, way_of
from bgmail.rules.dice import ROLLS
from bgmail.rules.position import CHECKERS
from bgmail.rules.ruleset import PRESETS
from tests.rules.make_bearoff import Maker, table, ways_of

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


def chances(own: Counts) -> list[Fraction]:
    """To be off within 0, 1 ... rolls, until it is certain."""
    return [within(own, rolls) for rolls in range(10)]


def test_it_plays_what_is_at_least_as_likely_as_every_other_to_be_off_within_n_rolls_and_else_asks() -> None:
    sure = unsure = 0
    for own in SMALL:
        found = {roll: chosen for roll, chosen, _ in sure_ways(own)}
        for roll in ROLLS:
            others = [chances(other) for other in results(own, roll)]
            best = [max(column) for column in zip(*others, strict=True)]
            assert (roll in found) == (best in others), (own, roll)
            if roll in found:
                assert chances(found[roll]) == best, (own, roll, found[roll])
                sure += len(others) > 1
            else:
                unsure += 1
    assert sure > 2000
    assert unsure > 200, "where two plays are each better for some n the server asks"


def test_a_sure_play_wins_no_race_less_often_than_another_whatever_the_opponent_has_left() -> None:
    """True up to five checkers a side. From six on nobody can know which n to play for: one sure choice in thousands
    wins up to three races in a million less than perfect play."""
    pips = {own: sum(nth * count for nth, count in enumerate(own, 1)) for own in SMALL}
    rivals = [own for own in SMALL if pips[own] <= 7]
    for own in [own for own in SMALL if (sum(own) == 3 and pips[own] > 11) or pips[own] <= 8]:
        for rival in rivals:
            for roll, chosen, others in sure_ways(own, rival):
                least = min(loses_to(other, rival) for other in others)
                assert loses_to(chosen, rival) == least, (own, roll, chosen, rival)


def test_turns_that_the_opponent_needs_in_any_case_do_not_count() -> None:
    """One play may be off within one more roll, the other is likelier off within more: nine checkers need three."""
    own, roll = (0, 0, 0, 1, 1, 2), Dice(6, 1)
    assert sure_play(board(own, (1, 0, 0, 0, 0, 0)), roll, STANDARD) is None
    play = sure_play(board(own, (9, 0, 0, 0, 0, 0)), roll, STANDARD)
    assert play is not None
    for other in results(own, roll):
        assert all(within(counts(play.position), n) >= within(other, n) for n in range(2, 10))
    assert sure_play(board(own, (15, 0, 0, 0, 0, 0)), roll, STANDARD) is None, "a gammon may be won at once"


def test_the_table_is_what_its_maker_makes() -> None:
    maker = Maker(5)
    maker.run()
    made = table(maker)
    for way in maker.ways[1:]:
        for nth, roll in enumerate(ROLLS):
            assert _table().wait(way_of(way), nth) == made.wait(way_of(way), nth)
            play = sure_play(board(way), roll, STANDARD)
            assert (play is not None) == (made.wait(way_of(way), nth) == 0), (way, roll)


def test_every_way_has_a_number_of_its_own() -> None:
    found = {way_of(way) for way in ways_of(6)}
    assert len(found) == 924
    assert way_of((0,) * 6) == 0
    assert max(way_of((0, 0, 0, 0, 0, 15)), way_of((15, 0, 0, 0, 0, 0))) == WAYS - 1


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
    far = board((2, 3, 2, 2, 3, 3), (4, 4, 4, 0, 0, 0))
    taken = sure_play(far, roll, STANDARD)
    assert taken is not None, "three turns away nobody wins a gammon against whoever takes one off now"
    assert taken.position.off == 2
    assert sure_play(board((0, 0, 0, 0, 0, 15), (4, 4, 4, 0, 0, 0)), Dice(3, 2), STANDARD) is None
    wasting = PRESETS["claim"]
    assert wasting.least_waste
    assert sure_play(board((2, 2, 0, 0, 1, 2)), roll, wasting) is None
