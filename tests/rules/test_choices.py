"""What can be clicked: moves that lead to a legal play, and why the others don't."""

from __future__ import annotations

from random import Random

import pytest

from bgmail.rules import STANDARD, Dice, Position, legal_plays
from bgmail.rules.choices import choices
from bgmail.rules.explain import Entry, Outlook, explain, refusals, resting
from bgmail.rules.moves import Reason, Refusal
from tests.rules.boards import board, random_game

ON_THE_BAR = board({25: 1, 13: 5, 8: 3, 6: 5, 24: 1}, {20: 2, 12: 5, 17: 3, 19: 3, 1: 2})


def test_clicking_through_any_choices_ends_in_a_legal_play() -> None:
    chance = Random(3)
    for position, dice in random_game(chance):
        made: tuple[tuple[int, int], ...] = ()
        legal = legal_plays(position, dice, STANDARD)
        while found := choices(position, dice, STANDARD, made):
            choice = chance.choice(found)
            made = (*made, (choice.move.from_point, choice.die))
        most = max((len(play.moves) for play in legal), default=0)
        assert len(made) == most


def test_every_legal_play_can_be_clicked() -> None:
    for position, dice in random_game(Random(4)):
        for play in legal_plays(position, dice, STANDARD)[:5]:
            starts = {choice.move.from_point for choice in choices(position, dice, STANDARD)}
            assert play.moves[0].from_point in starts


def test_nothing_comes_next_after_a_whole_play() -> None:
    assert choices(Position.start(), Dice(3, 1), STANDARD, ((8, 3), (6, 1))) == ()


@pytest.mark.parametrize("made", [((8, 5),), ((10, 3),), ((24, 5),), ((8, 3), (6, 3))])
def test_moves_that_cannot_be_made_are_refused(made: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(ValueError, match="no move from"):
        choices(Position.start(), Dice(3, 1), STANDARD, made)


def test_on_the_bar_the_blocked_number_and_the_open_one_are_told() -> None:
    told = explain(ON_THE_BAR, Dice(5, 3), STANDARD)

    assert told.outlook is Outlook.ENTER
    assert told.on_bar == 1
    assert told.entries == (Entry(5, 20, open=False), Entry(3, 22, open=True))
    assert told.starts == (25,)
    assert (told.used, told.available) == (2, 2)


def test_all_other_checkers_say_that_the_bar_comes_first() -> None:
    rest = resting(ON_THE_BAR, Dice(5, 3))

    assert set(rest) == {24, 13, 8, 6}
    assert {refusal.reason for reasons in rest.values() for refusal in reasons} == {Reason.BAR_FIRST}


def test_a_dance_names_both_blocked_points() -> None:
    shut_out = board({25: 2, 6: 5}, dict.fromkeys(range(19, 25), 2))
    told = explain(shut_out, Dice(6, 1), STANDARD)

    assert (told.outlook, told.on_bar, told.starts, told.used) == (Outlook.DANCE, 2, (), 0)
    assert told.entries == (Entry(6, 19, open=False), Entry(1, 24, open=False))


def test_a_double_on_the_bar_has_one_entry_point() -> None:
    told = explain(ON_THE_BAR, Dice(3, 3), STANDARD)
    assert (told.entries, told.available) == ((Entry(3, 22, open=True),), 4)


def test_a_roll_that_nobody_can_play_is_stuck_and_each_checker_says_why() -> None:
    stuck = board({24: 2, 23: 1}, {12: 2, 17: 2, 18: 2, 21: 2})

    assert explain(stuck, Dice(6, 6), STANDARD).outlook is Outlook.STUCK
    assert resting(stuck, Dice(6, 6)) == {
        24: (Refusal(Reason.BLOCKED, 24, 6, 18),),
        23: (Refusal(Reason.BLOCKED, 23, 6, 17),),
    }


def test_a_roll_of_which_one_number_stays_unused_is_short() -> None:
    larger_only = board({13: 1, 1: 4}, {2: 2, 12: 2, 24: 3})
    told = explain(larger_only, Dice(6, 5), STANDARD)

    assert (told.outlook, told.used, told.available, told.starts) == (Outlook.SHORT, 1, 2, (13,))


def test_a_free_roll_has_nothing_to_explain() -> None:
    told = explain(Position.start(), Dice(3, 1), STANDARD)

    assert (told.outlook, told.entries, told.starts) == (Outlook.FREE, (), (24, 13, 8, 6))
    assert resting(Position.start(), Dice(3, 1)) == {}
    assert resting(Position.start(), Dice(5, 5)) == {
        24: (Refusal(Reason.BLOCKED, 24, 5, 19),),
        6: (Refusal(Reason.BLOCKED, 6, 5, 1),),
    }


@pytest.mark.parametrize(
    ("position", "point", "dice", "expected"),
    [
        (board({8: 1, 6: 3}, {24: 2}), 6, Dice(6, 6), (Refusal(Reason.STRAGGLER, 6, 6, 8),)),
        (board({6: 1, 4: 1}, {24: 2}), 4, Dice(5, 5), (Refusal(Reason.HIGHER_CHECKER, 4, 5, 6),)),
        (board({6: 1, 4: 1}, {24: 2}), 5, Dice(5, 5), (Refusal(Reason.NO_CHECKER, 5, 5, 5),)),
        (board({6: 1, 4: 1}, {24: 2}), 4, Dice(5, 1), ()),
    ],
)
def test_a_checker_that_no_number_moves_says_why(
    position: Position, point: int, dice: Dice, expected: tuple[Refusal, ...]
) -> None:
    assert refusals(position, dice, point) == expected
