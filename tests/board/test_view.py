from __future__ import annotations

import pytest

from bgmail.board.view import BoardView, Whose
from bgmail.rules.position import Position
from tests.board.positions import ALL, BEAR_OFF, EVERYTHING, MIDDLE_GAME, START


@pytest.mark.parametrize("points", ALL)
def test_a_view_of_the_side_on_roll_is_the_position_as_it_is(points: tuple[int, ...]) -> None:
    assert BoardView.of(Position.from_board(points), on_roll_is_viewer=True).points == points


@pytest.mark.parametrize("points", ALL)
def test_the_other_player_sees_the_same_checkers_from_the_other_side(points: tuple[int, ...]) -> None:
    position = Position.from_board(points)
    mine = BoardView.of(position, on_roll_is_viewer=True)
    theirs = BoardView.of(position, on_roll_is_viewer=False, viewer_is_white=False)
    assert theirs.points == BoardView.of(position.mirrored(), on_roll_is_viewer=True).points
    sides: tuple[tuple[Whose, Whose], ...] = (("viewer", "opponent"), ("opponent", "viewer"))
    for here, there in sides:
        assert mine.bar(here) == theirs.bar(there)
        assert mine.off(here) == theirs.off(there)
        assert mine.pips(here) == theirs.pips(there)
        assert mine.is_white(here) == theirs.is_white(there)


@pytest.mark.parametrize("points", ALL)
def test_pips_are_those_of_the_rules(points: tuple[int, ...]) -> None:
    position, view = Position.from_board(points), BoardView(points)
    assert (view.pips("viewer"), view.pips("opponent")) == (
        position.pip_count(),
        position.opponent_pip_count(),
    )


def test_checkers_off_are_what_is_missing_from_fifteen() -> None:
    view = BoardView(BEAR_OFF)
    assert (view.off("viewer"), view.off("opponent")) == (7, 9)


def test_dice_and_doubles_belong_to_the_side_on_roll_unless_said_otherwise() -> None:
    position = Position.from_board(MIDDLE_GAME)
    rolled = BoardView.of(position, on_roll_is_viewer=False, dice=(5, 2))
    doubled = BoardView.of(position, on_roll_is_viewer=False, offered_cube=4)
    mine = BoardView.of(position, on_roll_is_viewer=True, offered_cube=4)
    assert rolled.dice_side == "opponent"
    assert doubled.offered_to == "viewer"
    assert mine.offered_to == "opponent"


def test_a_die_of_a_double_stands_for_two_moves() -> None:
    double = BoardView(START, dice=(6, 6), dice_side="viewer", dice_used=(2, 1))
    plain = BoardView(START, dice=(5, 2), dice_side="viewer", dice_used=(0, 1))
    assert double.worn_dice() == ((6, 2), (6, 1))
    assert plain.worn_dice() == ((5, 0), (2, 2))
    assert BoardView(START).worn_dice() == ()


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        (START[:25], "26 places"),
        ((1, *START[1:]), "place 0"),
        ((*START[:25], -1), "place 25"),
        ((*START[:24], 3, 0), "at most 15"),
        ((-1, *START[1:]), "at most 15"),
    ],
)
def test_a_board_that_cannot_be_is_refused(points: tuple[int, ...], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        BoardView(points)


@pytest.mark.parametrize(
    "wrong",
    [
        {"dice": (3, 1)},
        {"dice": (0, 7), "dice_side": "viewer"},
        {"offered_cube": 2},
        {"cube": 3},
        {"offered_cube": 7, "offered_to": "viewer"},
    ],
)
def test_dice_and_cubes_that_cannot_be_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"dice|cube"):
        BoardView(EVERYTHING, **wrong)  # type: ignore[arg-type]
