"""Faults that other programs had with plays, each as it was reported, with the right answer."""

from __future__ import annotations

import pytest

from bgmail.rules import STANDARD, Dice, Position, find_play, legal_plays
from bgmail.rules.choices import choices
from bgmail.rules.moves import Move
from bgmail.rules.notation import Illegal, IllegalPlay
from tests.rules.boards import board


def plays(position: Position, dice: Dice) -> set[str]:
    return {str(play) for play in legal_plays(position, dice, STANDARD)}


def results(position: Position, dice: Dice) -> set[Position]:
    return {play.position for play in legal_plays(position, dice, STANDARD)}


def after(position: Position, dice: Dice, *texts: str) -> set[Position]:
    return {find_play(position, dice, text, STANDARD).position for text in texts}


def first_moves(
    position: Position, dice: Dice, made: tuple[tuple[int, int], ...] = ()
) -> set[tuple[int, int]]:
    found = choices(position, dice, STANDARD, made)
    return {(choice.move.from_point, choice.move.to_point) for choice in found}


def why_refused(position: Position, dice: Dice, text: str) -> Illegal:
    with pytest.raises(IllegalPlay) as error:
        find_play(position, dice, text, STANDARD)
    return error.value.reason


def test_a_straggler_on_the_24_point_keeps_everybody_on_the_board() -> None:
    position = board({24: 2, 6: 2, 2: 1, 1: 3}, {23: 3})
    dice = Dice(6, 5)

    assert results(position, dice) == after(position, dice, "24/18 24/19", "24/13", "24/18 6/1")
    assert len(plays(position, dice)) == 3
    assert why_refused(position, dice, "6/off 24/19") is Illegal.STRAGGLER
    assert not any("off" in play for play in plays(position, dice))


NEARLY_HOME = board(
    {9: 1, 6: 3, 3: 3, 2: 6, 1: 2},
    {23: 2, 22: 2, 21: 3, 20: 3, 19: 3, 7: 1, 5: 1},
)


def test_a_move_that_becomes_legal_only_later_is_no_first_move() -> None:
    dice = Dice(6, 4)
    assert (6, 0) not in first_moves(NEARLY_HOME, dice)
    assert (6, 0) in first_moves(NEARLY_HOME, dice, made=((9, 4),))
    assert results(NEARLY_HOME, dice) == after(NEARLY_HOME, dice, "9/5* 6/off", "9/3 6/2")
    assert len(results(NEARLY_HOME, dice)) == 2
    assert why_refused(NEARLY_HOME, dice, "6/off 6/2") is Illegal.STRAGGLER


def test_an_oversized_number_takes_off_no_lower_checker() -> None:
    position = board({4: 1, 3: 1, 2: 2}, {16: 1, 19: 3, 20: 3, 21: 2, 22: 2, 23: 2, 24: 2})
    dice = Dice(3, 3)

    assert first_moves(position, dice) == {(4, 1), (3, 0)}
    assert all(choice.move.from_point != 2 for choice in choices(position, dice, STANDARD))
    (only,) = legal_plays(position, dice, STANDARD)
    assert only.position == board({1: 1}, {16: 1, 19: 3, 20: 3, 21: 2, 22: 2, 23: 2, 24: 2})
    assert len(only.moves) == 4


def test_the_only_play_with_both_dice_is_the_only_legal_play() -> None:
    position = board({24: 1, 8: 1, 6: 13}, {4: 2, 16: 2, 18: 3, 19: 4, 20: 4})
    dice = Dice(6, 2)

    assert why_refused(position, dice, "8/2") is Illegal.USE_BOTH_DICE
    assert why_refused(position, dice, "8/6") is Illegal.USE_BOTH_DICE
    assert plays(position, dice) == {"24/22 8/2"}


def test_the_larger_number_takes_off_the_highest_checker_only() -> None:
    position = board({4: 1, 2: 2}, {24: 2})
    dice = Dice(6, 1)

    assert why_refused(position, dice, "2/off 4/3") is Illegal.HIGHER_CHECKER
    assert results(position, dice) == after(position, dice, "4/off 2/1", "4/3/off")


def test_a_double_is_one_turn_and_ends_the_game_in_it() -> None:
    position = board({1: 3}, {24: 2})
    (only,) = legal_plays(position, Dice(1, 1), STANDARD)

    assert find_play(position, Dice(1, 1), "1/off(3)", STANDARD) == only
    assert only.position.off == 15
    assert len(only.moves) == 3


@pytest.mark.parametrize("text", ["3/off", "3/1/off"])
def test_a_game_may_end_with_a_die_unplayed(text: str) -> None:
    position = board({3: 1}, {24: 2})
    (only,) = legal_plays(position, Dice(4, 2), STANDARD)

    assert find_play(position, Dice(4, 2), text, STANDARD) == only
    assert only.position.off == 15
    assert legal_plays(only.position, Dice(4, 2), STANDARD) == ()


def test_a_previewed_hit_leaves_nothing_behind_once_undone() -> None:
    position = board({6: 5, 8: 3, 13: 5, 24: 2}, {4: 1, 1: 2, 12: 5, 17: 3, 19: 4})
    dice = Dice(4, 2)
    before = position.board

    assert first_moves(position, dice, made=((8, 4),)) >= {(6, 4)}
    assert first_moves(position, dice) >= {(24, 20), (13, 11)}
    play = find_play(position, dice, "24/20 13/11", STANDARD)
    assert position.board == before
    assert not any(move.hit for move in play.moves)
    assert (play.position.off, play.position.opponent_off, play.position.board[0]) == (0, 0, 0)


def test_a_blocked_second_entry_leaves_one_forced_play() -> None:
    position = board(
        {25: 2, 13: 5, 8: 3, 6: 5},
        {22: 2, 21: 2, 20: 2, 17: 2, 12: 5, 1: 2},
    )
    (only,) = legal_plays(position, Dice(6, 3), STANDARD)

    assert str(only) == "bar/19"
    assert only.moves == (Move(25, 19, hit=False),)
    assert only.position.board[25] == 1
