"""Positions: ids, mirrors, counts, and what is no position."""

from __future__ import annotations

from base64 import b64encode
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgmail.rules.position import BAR, START, BadPosition, Impossible, Position
from tests.rules.boards import board, random_game

CLOSED = dict.fromkeys(range(1, 7), 2)
CLOSED_BY_OPPONENT = dict.fromkeys(range(19, 25), 2)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any arrangement of up to fifteen checkers a side that leaves somebody something to do."""
    points = [0] * 26
    for _ in range(draw(st.integers(1, 15))):
        points[draw(st.integers(1, BAR))] += 1
    free = [point for point in range(25) if points[point] == 0]
    for _ in range(draw(st.integers(0, 15))):
        points[draw(st.sampled_from(free))] -= 1
    try:
        return Position.from_board(points)
    except BadPosition:
        return START


def test_every_game_starts_at_the_id_that_everybody_knows() -> None:
    assert Position.start().id == "4HPwATDgc/ABMA"
    assert Position.from_id("4HPwATDgc/ABMA") == Position.start() == START


def test_the_start_looks_the_same_from_both_sides() -> None:
    assert START.mirrored() == START


def test_pip_counts_and_checkers_off_are_read_from_the_board() -> None:
    racing = board({6: 2, 1: 1}, {24: 5, 0: 1})

    assert (racing.pip_count(), racing.off) == (13, 12)
    assert (racing.opponent_pip_count(), racing.opponent_off) == (5 * 1 + 25, 9)
    assert (START.pip_count(), START.opponent_pip_count()) == (167, 167)


def test_the_board_is_given_back_as_it_was_taken() -> None:
    numbers = (-2, 1, 0, 0, -5, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3, 0, 0, 7, 0, 3)
    assert Position.from_board(numbers).board == numbers


@given(positions())
def test_ids_and_boards_survive_the_round_trip(position: Position) -> None:
    assert Position.from_id(position.id) == position
    assert Position.from_board(position.board) == position


@given(positions())
def test_mirrored_twice_is_the_same_and_once_is_the_board_turned_round(position: Position) -> None:
    assert position.mirrored().board == tuple(-count for count in reversed(position.board))
    assert position.mirrored().mirrored() == position
    assert hash(position.mirrored().mirrored()) == hash(position)
    assert position.opponent_id == position.mirrored().id


def test_positions_are_equal_by_value_and_usable_in_sets() -> None:
    assert len({START, Position.start(), START.mirrored(), board({1: 1}, {24: 1})}) == 2


def test_a_position_shows_its_id() -> None:
    assert repr(START) == "Position.from_id('4HPwATDgc/ABMA')"
    assert f"{START}" == repr(START)


def test_ids_of_ten_thousand_positions_keep_every_checker() -> None:
    """Checkers on the bar once ended up as borne off, which made gammons possible that were not."""
    chance = Random(188)
    seen = 0
    while seen < 10_000:
        for position, _ in random_game(chance):
            again = Position.from_id(position.id)
            assert again == position
            assert sum(max(n, 0) for n in again.board) + again.off == 15
            seen += 1


def test_three_on_the_opponents_bar_are_on_the_bar_in_the_id() -> None:
    three_up = board({6: 5, 8: 3, 13: 5, 24: 2}, {0: 3, 1: 2, 12: 5, 17: 3, 19: 2})
    assert Position.from_id(three_up.id).board[0] == -3
    assert Position.from_id(three_up.id).opponent_off == 0


def test_both_sides_bearing_off_keep_what_is_off() -> None:
    ending = board({1: 2, 3: 1}, {24: 4})
    again = Position.from_id(ending.id)
    assert (again.off, again.opponent_off) == (12, 11)


@pytest.mark.parametrize(
    ("own", "opponent", "reason"),
    [
        ({6: 16}, {24: 1}, Impossible.TOO_MANY_OWN),
        ({6: 1}, {24: 16}, Impossible.TOO_MANY_OPPONENT),
        ({}, {}, Impossible.BOTH_ALL_OFF),
        ({**CLOSED, 25: 1}, {**CLOSED_BY_OPPONENT, 0: 1}, Impossible.BOTH_SHUT_OUT),
    ],
)
def test_each_impossible_set_up_is_refused_with_its_own_reason(
    own: dict[int, int], opponent: dict[int, int], reason: Impossible
) -> None:
    with pytest.raises(BadPosition) as refused:
        board(own, opponent)
    assert refused.value.reason is reason


def test_both_colours_on_one_point_are_refused_and_the_point_is_named() -> None:
    # The opponent's checker on its own 19 point stands on the mover's 6 point.
    bits = "0" * 18 + "1" + "0" * 7 + "0" * 5 + "1" + "0" * 20
    data = int(bits[::-1], 2).to_bytes(10, "little")
    with pytest.raises(BadPosition) as refused:
        Position.from_id(b64encode(data).decode()[:14])
    assert (refused.value.reason, refused.value.value) == (Impossible.SHARED_POINT, 6)


@pytest.mark.parametrize(
    ("own", "opponent"),
    [
        ({25: 5, 6: 10}, {19: 5, 1: 2}),
        ({25: 15}, {0: 15}),
        ({**CLOSED, 25: 1}, {**CLOSED_BY_OPPONENT, 18: 1}),
        ({1: 15}, {}),
    ],
)
def test_unusual_positions_that_can_arise_are_accepted(own: dict[int, int], opponent: dict[int, int]) -> None:
    assert Position.from_id(board(own, opponent).id) == board(own, opponent)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4HPwATDgc/ABM",
        "4HPwATDgc/ABMAA",
        "4HPwATDgc/ABM=",
        "4HPwATDgc/ABM ",
        "4HPwATDgc/ABMB",
        "4HPwATDgc_ABMA",
        "4HPwATDgc/ABMÄ",
        "//////////////",
        "AAAAAAAAAAAAgA",
    ],
)
def test_what_is_no_position_id_is_refused(text: str) -> None:
    with pytest.raises(BadPosition):
        Position.from_id(text)


@pytest.mark.parametrize(
    "numbers",
    [[], [0] * 25, [0] * 27, [0.5] * 26, [True] + [0] * 25, ["1"] * 26, [0] * 25 + [1000]],
)
def test_a_board_is_twenty_six_whole_numbers(numbers: list[int]) -> None:
    with pytest.raises(BadPosition) as refused:
        Position.from_board(numbers)
    assert refused.value.reason is Impossible.FORMAT


@pytest.mark.parametrize("numbers", [[1] + [0] * 25, [0] * 25 + [-1]])
def test_nobody_stands_on_the_other_sides_bar(numbers: list[int]) -> None:
    with pytest.raises(BadPosition) as refused:
        Position.from_board(numbers)
    assert refused.value.reason is Impossible.WRONG_SIDE_OF_BAR
