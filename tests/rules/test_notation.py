"""Plays as people and files write them: what is read, what is refused and why, what is never guessed."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgmail.rules import STANDARD, Dice, Position, find_play, legal_plays
from bgmail.rules.moves import Move
from bgmail.rules.notation import (
    AmbiguousPlay,
    Illegal,
    IllegalPlay,
    Malformed,
    MalformedPlay,
    PlayError,
    find_imported_play,
)
from tests.rules.boards import board

START = Position.start()
OPPONENT_HOME = {24: 5, 23: 5, 22: 5}


def spelled(position: Position, dice: Dice) -> set[str]:
    return {str(play) for play in legal_plays(position, dice, STANDARD)}


def refused(position: Position, dice: Dice, text: str) -> IllegalPlay:
    with pytest.raises(IllegalPlay) as error:
        find_play(position, dice, text, STANDARD)
    return error.value


def test_the_plays_of_an_opening_three_one_are_spelled_as_in_the_books() -> None:
    assert spelled(START, Dice(3, 1)) == {
        *("8/5 6/5", "24/21 8/7", "13/10 8/7", "24/23 8/5", "8/4", "8/7 6/3", "24/21 6/5", "24/20"),
        *("24/23 13/10", "24/23 24/21", "13/9", "13/10 6/5", "24/23 6/3", "6/5 6/3", "6/2", "8/7 8/5"),
    }


@pytest.mark.parametrize(
    ("position", "dice", "text", "spelling"),
    [
        (board({13: 2}, {7: 1, 24: 2}), Dice(6, 2), "13/7*/5", "13/7*/5"),
        (board({25: 1, 6: 2}, {22: 1, 24: 2}), Dice(3, 1), "bar/22* 22/21", "bar/22*/21"),
        (board({25: 1, 6: 2}, {24: 2}), Dice(3, 1), "bar/22 6/5", "bar/22 6/5"),
        (board({6: 2, 5: 1}, {24: 2}), Dice(6, 6), "6/off 6/off 5/off", "6/off(2) 5/off"),
        (board({13: 2}, {7: 1, 24: 2}), Dice(6, 6), "13/7*(2) 7/1(2)", "13/7*/1(2)"),
        (board({6: 2, 4: 2}, {2: 1, 24: 2}), Dice(2, 2), "6/4/2* 6/4/2", "6/2*(2)"),
        (board({13: 2}, {11: 1, 24: 2}), Dice(6, 2), "13/7/5", "13/7/5"),
        (board({8: 2, 6: 2}, {4: 1, 24: 2}), Dice(4, 2), "6/4* 8/4", "8/4* 6/4"),
        (board({6: 3}, {24: 2}), Dice(6, 5), "6/off 6/1", "6/1 6/off"),
    ],
)
def test_a_play_is_spelled_from_the_back_with_hops_joined_hits_starred_and_equals_counted(
    position: Position, dice: Dice, text: str, spelling: str
) -> None:
    assert str(find_play(position, dice, text, STANDARD)) == spelling


@pytest.mark.parametrize(
    "text",
    [
        "8/5 6/5",
        "6/5 8/5",
        "8/5, 6/5",
        "8/5;6/5.",
        "  8 / 5   6/5\n",
        "8-5 6-5",
        "8\u20135 6\u21925",
        "\uff18\uff0f\uff15\u00a0\uff16\uff0f\uff15",
        "08/05 06/05",
        "8/5(1) 6/5 (1)",
    ],
)
def test_people_may_write_a_play_as_they_like(text: str) -> None:
    assert str(find_play(START, Dice(3, 1), text, STANDARD)) == "8/5 6/5"


@pytest.mark.parametrize("text", ["24/18/13", "24/13", "24/18 18/13", "18/13 24/18", "24/18/13(1)"])
def test_hops_of_one_checker_may_be_joined_or_not(text: str) -> None:
    assert str(find_play(START, Dice(6, 5), text, STANDARD)) == "24/13"


@pytest.mark.parametrize("text", ["bar/22 6/5", "BAR/22 6/5", "Bar/22, 6/5", "25/22 6/5"])
def test_the_bar_may_be_written_as_a_word_or_as_25(text: str) -> None:
    entering = board({25: 1, 6: 2}, {24: 2})
    assert str(find_play(entering, Dice(3, 1), text, STANDARD)) == "bar/22 6/5"


@pytest.mark.parametrize("text", ["6/off(2)", "6/0 6/0", "6/Off 6/off", "6/OFF(2)"])
def test_off_may_be_written_as_a_word_or_as_0(text: str) -> None:
    assert find_play(board({6: 2}, {24: 2}), Dice(6, 6), text, STANDARD).position.off == 15


@pytest.mark.parametrize("text", ["8/4* 6/4", "8/4 6/4*", "8/4* 6/4*", "8/4 6/4", "6/4 8/4"])
def test_hits_may_be_starred_or_not(text: str) -> None:
    blot_on_4 = board({8: 2, 6: 2}, {4: 1, 24: 2})
    play = find_play(blot_on_4, Dice(4, 2), text, STANDARD)
    assert play.moves == (Move(8, 4, hit=True), Move(6, 4, hit=False))
    assert str(play) == "8/4* 6/4"


@pytest.mark.parametrize("text", ["6/4*(2) 8/6(2)", "6/4(2) 8/6(2)", "6/4* 6/4 8/6 8/6", "8/4* 8/4"])
def test_a_star_stands_for_the_whole_group(text: str) -> None:
    blot_on_4 = board({8: 2, 6: 2}, {4: 1, 24: 2})
    assert find_play(blot_on_4, Dice(2, 2), text, STANDARD).position.board[0] == -1


@pytest.mark.parametrize("text", ["24/off", "24/12/off", "24/18 18/6 6/off", "24/18/12/6/off"])
def test_one_hop_may_stand_for_a_whole_double(text: str) -> None:
    assert str(find_play(board({24: 1}, {19: 2}), Dice(6, 6), text, STANDARD)) == "24/off"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", Malformed.EMPTY),
        (" \u00a0\n", Malformed.EMPTY),
        ("13", Malformed.UNREADABLE),
        ("13/", Malformed.UNREADABLE),
        ("/13", Malformed.UNREADABLE),
        ("13//7", Malformed.UNREADABLE),
        ("13*/7", Malformed.UNREADABLE),
        ("13/7(0)", Malformed.UNREADABLE),
        ("13/7(2", Malformed.UNREADABLE),
        ("13/7**", Malformed.UNREADABLE),
        ("take", Malformed.UNREADABLE),
        ("8/5 please", Malformed.UNREADABLE),
        ("8/5 6/5 \U0001f3b2", Malformed.UNREADABLE),
        ("8/5\x00", Malformed.UNREADABLE),
        ("26/25", Malformed.NO_SUCH_POINT),
        ("13/99", Malformed.NO_SUCH_POINT),
        ("13/100", Malformed.UNREADABLE),
        ("6/5(5)", Malformed.TOO_MANY),
        ("6/5 6/5 6/5 6/5 6/5", Malformed.TOO_MANY),
        ("6/5 " * 100, Malformed.TOO_LONG),
    ],
)
def test_what_is_no_notation_is_malformed_and_says_so(text: str, reason: Malformed) -> None:
    with pytest.raises(MalformedPlay) as error:
        find_play(START, Dice(3, 1), text, STANDARD)
    assert (error.value.reason, error.value.code) == (reason, reason.value)


def test_a_malformed_play_names_the_part_that_cannot_be_read() -> None:
    with pytest.raises(MalformedPlay, match="can't read 'x/y'") as error:
        find_play(START, Dice(3, 1), "8/5 x/y", STANDARD)
    assert (error.value.part, error.value.text) == ("x/y", "8/5 x/y")


FIVE_BLOCKED = board({8: 1, 24: 2}, {5: 2, 7: 2, 19: 5})
ON_BAR = board({25: 1, 13: 2, 6: 2}, {20: 2, 1: 2})
ONE_OUTSIDE = board({8: 1, 6: 3, 4: 2}, {24: 2})
AT_HOME = board({6: 1, 4: 1, 2: 2}, {24: 2})


@pytest.mark.parametrize(
    ("position", "dice", "text", "reason", "evidence"),
    [
        (START, Dice(3, 1), "10/7 6/5", Illegal.NO_CHECKER, {"point": 10, "die": 3}),
        (START, Dice(3, 1), "bar/22 6/5", Illegal.NO_CHECKER, {"point": 25}),
        (START, Dice(3, 1), "8/5 8/7 8/5", Illegal.NOT_THESE_DICE, {}),
        (START, Dice(6, 1), "24/20", Illegal.NOT_THESE_DICE, {}),
        (START, Dice(5, 1), "24/19 6/5", Illegal.BLOCKED, {"point": 19, "die": 5}),
        (START, Dice(3, 1), "5/8 5/6", Illegal.BACKWARDS, {"part": "5/8"}),
        (START, Dice(3, 1), "off/bar", Illegal.BACKWARDS, {"part": "off/bar"}),
        (START, Dice(3, 1), "8/5* 6/5", Illegal.NO_HIT, {"point": 5}),
        (FIVE_BLOCKED, Dice(3, 1), "8/4", Illegal.BLOCKED, {}),
        (ON_BAR, Dice(5, 3), "13/8 13/10", Illegal.BAR_FIRST, {"point": 25}),
        (ON_BAR, Dice(5, 3), "bar/20 13/10", Illegal.BLOCKED, {"point": 20, "die": 5}),
        (ONE_OUTSIDE, Dice(6, 4), "6/off 6/2", Illegal.STRAGGLER, {"point": 8, "die": 6}),
        (AT_HOME, Dice(5, 1), "4/off 2/1", Illegal.HIGHER_CHECKER, {"point": 6, "die": 5}),
        (START, Dice(6, 5), "24/18", Illegal.USE_BOTH_DICE, {}),
        (START, Dice(1, 1), "8/7(2) 6/5", Illegal.USE_MORE_DICE, {"count": 4}),
    ],
)
def test_an_illegal_play_says_why_and_what_stands_in_the_way(
    position: Position, dice: Dice, text: str, reason: Illegal, evidence: dict[str, Any]
) -> None:
    error = refused(position, dice, text)
    assert (error.reason, error.code) == (reason, reason.value)
    assert {name: getattr(error, name) for name in evidence} == evidence
    assert (error.position, error.dice, error.text) == (position, dice, text)


def test_nothing_can_be_played_from_the_bar_against_a_closed_board() -> None:
    shut_out = board({25: 1, 6: 5}, dict.fromkeys(range(19, 25), 2))
    assert refused(shut_out, Dice(6, 1), "6/5").reason is Illegal.NO_LEGAL_PLAY


def test_wasting_pips_is_refused_only_where_the_rules_say_so() -> None:
    ending = board({4: 1, 2: 1}, {24: 3})
    assert find_play(ending, Dice(5, 2), "4/2/off", STANDARD).position.off == 14
    with pytest.raises(IllegalPlay) as error:
        find_play(ending, Dice(5, 2), "4/2/off", replace(STANDARD, least_waste=True))
    assert error.value.reason is Illegal.WASTES_PIPS


@pytest.mark.parametrize(
    ("position", "dice", "text", "message"),
    [
        (
            START,
            Dice(1, 5),
            "24/19 6/5",
            "illegal play '24/19 6/5' with 5-1 in 4HPwATDgc/ABMA: 19 is blocked",
        ),
        (START, Dice(3, 1), "bar/22", "there is no checker of yours on the bar"),
        (AT_HOME, Dice(5, 1), "4/off 2/1", "the 5 can't take off a lower checker while one is on 6"),
        (START, Dice(1, 1), "8/7(2)", "you can move 4 times, so you must"),
    ],
)
def test_messages_are_sentences(position: Position, dice: Dice, text: str, message: str) -> None:
    assert message in str(refused(position, dice, text))


def test_all_three_failures_are_one_kind_of_error() -> None:
    assert issubclass(PlayError, ValueError)
    assert {MalformedPlay, IllegalPlay, AmbiguousPlay} <= set(PlayError.__subclasses__())


# From 13 with 6-2 by way of 7, where a blot stands, or of 11, where nobody does.
TWO_ROUTES = board({13: 3, 6: 5}, {7: 1, 24: 2})


def test_a_spelling_with_two_results_is_never_guessed() -> None:
    with pytest.raises(AmbiguousPlay) as error:
        find_play(TWO_ROUTES, Dice(6, 2), "13/5", STANDARD)
    assert [str(play) for play in error.value.candidates] == ["13/7*/5", "13/11/5"]
    assert str(error.value) == "ambiguous play '13/5': 13/7*/5 or 13/11/5?"


@pytest.mark.parametrize("text", ["13/7*/5", "13/7/5", "13/7* 7/5", "7/5 13/7", "13/11/5", "13/11 11/5"])
def test_each_route_is_played_when_its_stop_is_named(text: str) -> None:
    expected = "13/11/5" if "11" in text else "13/7*/5"
    assert str(find_play(TWO_ROUTES, Dice(6, 2), text, STANDARD)) == expected


def test_two_routes_to_the_same_position_are_one_play() -> None:
    nobody_on_7 = board({13: 3, 6: 5}, {24: 2})
    assert str(find_play(nobody_on_7, Dice(6, 2), "13/5", STANDARD)) == "13/5"


def test_in_files_a_stop_that_is_not_named_hits_nothing_if_it_need_not() -> None:
    assert str(find_imported_play(TWO_ROUTES, Dice(6, 2), "13/5", STANDARD)) == "13/11/5"


def test_in_files_a_stop_that_is_not_named_hits_where_there_is_no_other_way() -> None:
    only_through_7 = board({13: 3, 6: 5}, {7: 1, 11: 2, 24: 2})
    assert str(find_imported_play(only_through_7, Dice(6, 2), "13/5", STANDARD)) == "13/7*/5"


def test_in_files_two_ways_that_both_hit_stay_ambiguous() -> None:
    blots_on_both = board({13: 3, 6: 5}, {7: 1, 11: 1, 24: 2})
    with pytest.raises(AmbiguousPlay) as error:
        find_imported_play(blots_on_both, Dice(6, 2), "13/5", STANDARD)
    assert [str(play) for play in error.value.candidates] == ["13/7*/5", "13/11*/5"]


@pytest.mark.parametrize("find", [find_play, find_imported_play])
def test_a_win_may_be_written_with_the_die_that_it_needs(find: Any) -> None:
    """GNU Backgammon lists only the play with both dice, which hits on its way; the score is the same."""
    last = board({2: 1}, {1: 1, 24: 5})
    (only,) = legal_plays(last, Dice(6, 1), STANDARD)
    assert str(only) == "2/1*/off"
    assert find(last, Dice(6, 1), "2/off", STANDARD) == only
    assert find(last, Dice(6, 1), "2/1/off", STANDARD) == only


def test_a_play_has_its_moves_in_an_order_in_which_they_can_be_made() -> None:
    entering = board({25: 2, 6: 2}, {24: 2, 21: 1})
    play = find_play(entering, Dice(4, 3), "bar/22 bar/21*", STANDARD)
    assert play.moves == (Move(25, 21, hit=True), Move(25, 22, hit=False))
    home_first = board({8: 1, 6: 2}, {24: 2, 2: 2})
    play = find_play(home_first, Dice(6, 2), "6/off 8/6", STANDARD)
    assert play.moves == (Move(8, 6, hit=False), Move(6, 0, hit=False))


def test_plays_are_equal_when_they_lead_to_the_same_position_from_the_same_turn() -> None:
    one = find_play(START, Dice(3, 1), "8/5 6/5", STANDARD)
    other = find_play(START, Dice(3, 1), "6/5 8/5", STANDARD)
    assert one == other
    assert hash(one) == hash(other)
    assert one != find_play(START, Dice(3, 1), "24/20", STANDARD)
    assert one != "8/5 6/5"
    assert repr(one) == "<Play 8/5 6/5 with 3-1 in 4HPwATDgc/ABMA>"


@given(st.text("0123456789/*() barofx-\n\x00\u2013\uff18\u0661\ud800", max_size=30))
def test_whatever_is_written_is_a_legal_play_or_refused(text: str) -> None:
    for dice in (Dice(3, 1), Dice(1, 1)):
        with suppress(PlayError):
            assert find_play(START, dice, text, STANDARD) in legal_plays(START, dice, STANDARD)
