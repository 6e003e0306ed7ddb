"""Counts over all 36 rolls, against the figures that every book of the game has."""

from __future__ import annotations

from bgmail.rules.chances import ALL_ROLLS, off_at_once, rolls_that, shots
from bgmail.rules.position import Position


def test_every_roll_is_counted_as_often_as_two_dice_show_it() -> None:
    assert rolls_that(Position.start(), lambda _: True) == ALL_ROLLS == 36


def test_shots_at_a_blot_by_its_distance() -> None:
    assert [shots(distance) for distance in range(1, 13)] == [11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3]
    assert {distance: shots(distance) for distance in range(13, 25) if shots(distance)} == {
        15: 1,
        16: 1,
        18: 1,
        20: 1,
        24: 1,
    }


def test_two_checkers_off_at_once_depends_on_more_than_their_pips() -> None:
    assert off_at_once(5, 2) == 19
    assert off_at_once(4, 3) == 17
    assert off_at_once(6, 1) == 15
    assert off_at_once(6, 6) == 4
    assert off_at_once(2, 1) == off_at_once(1, 1) == 36
