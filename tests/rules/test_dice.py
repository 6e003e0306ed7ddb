"""A roll: which numbers there are to play."""

from __future__ import annotations

import pytest

from bgmail.rules.dice import ROLLS, BadDice, Dice


def test_the_dice_keep_the_order_in_which_they_were_drawn() -> None:
    assert (Dice(1, 6).d1, Dice(1, 6).d2) == (1, 6)
    assert Dice(1, 6) != Dice(6, 1)


@pytest.mark.parametrize("dice", [Dice(6, 1), Dice(1, 6)])
def test_a_roll_is_spelled_larger_number_first(dice: Dice) -> None:
    assert str(dice) == "6-1"


@pytest.mark.parametrize("dice", [Dice(6, 1), Dice(1, 6)])
def test_the_larger_number_comes_first_in_play(dice: Dice) -> None:
    assert (dice.high, dice.low, dice.numbers, dice.is_double) == (6, 1, (6, 1), False)


def test_a_double_is_played_four_times() -> None:
    assert (Dice(3, 3).numbers, Dice(3, 3).is_double) == ((3, 3, 3, 3), True)


def test_there_are_twenty_one_rolls() -> None:
    assert len({frozenset((dice.d1, dice.d2)) for dice in ROLLS}) == len(ROLLS) == 21


@pytest.mark.parametrize("faces", [(0, 1), (1, 7), (-1, 1), ("1", 2), (1.0, 2), (True, 2), (None, 1)])
def test_a_die_shows_one_to_six(faces: tuple[int, int]) -> None:
    with pytest.raises(BadDice):
        Dice(*faces)
