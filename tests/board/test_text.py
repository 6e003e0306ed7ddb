from __future__ import annotations

from dataclasses import replace

import pytest

from bgmail.board import text
from bgmail.board.text import ENGLISH
from bgmail.board.view import BoardView
from tests.board.positions import ALL, BEAR_OFF, CROWDED_BAR, EVERYTHING, MIDDLE_GAME, ORIENTATIONS, START

OPENING = """\
Opponent (O)   pips 167   off 0
+--13--14--15--16--17--18-+-BAR+--19--20--21--22--23--24-+
|   X               O     |    |   O                   X |
|   X               O     |    |   O                   X |
|   X               O     |    |   O                     |
|   X                     |    |   O                     |
|   X                     |    |   O                     |
|                         |[64]|                         |
|   O                     |    |   X                     |
|   O                     |    |   X                     |
|   O               X     |    |   X                     |
|   O               X     |    |   X                   O |
|   O               X     |    |   X                   O |
+--12--11--10---9---8---7-+----+---6---5---4---3---2---1-+
You (X)   pips 167   off 0
The cube is centred."""

MY_ROLL = """\
bob (O)   pips 157   off 0
+--13--14--15--16--17--18-+-BAR+--19--20--21--22--23--24-+
|   X           O   O     |    |   O       O           X |
|   X           O   O     |    |   O                     |
|   X               O     |    |   O                     |
|                         |    |   O                     |
|                         |    |                         |
|                         |    |         [5] [2]         |
|                         |    |                         |
|                         |    |   X                     |
|   O               X     |    |   X                     |
|   O               X     |    |   X   X   X           O |
|   O               X     |[2] |   X   X   X           O |
+--12--11--10---9---8---7-+----+---6---5---4---3---2---1-+
You (X)   pips 129   off 0
The cube is yours, at 2.
Your dice: 5-2."""

DOUBLED_HOME_LEFT = """\
Opponent (O)   pips 165   off 0   bar 2
+--24--23--22--21--20--19-+-BAR+--18--17--16--15--14--13-+
|                   O   O |    |                         |
|                   O   O |    |                         |
|                   O   O |    |                         |
|                   O   O |    |                         |
|                   6     | X  |                         |
|          [8] ?          |    |                         |
|               7         | O  |                         |
|               X         | O  |                         |
|               X         |    |                         |
|   O   X       X         |    |                         |
|   O   X       X       X |    |                       O |
+---1---2---3---4---5---6-+----+---7---8---9--10--11--12-+
You (X)   pips 63   off 4   bar 1
You are doubled to 8: take or pass."""

HOME_ON_TOP = """\
You (X)   pips 17   off 7
+--12--11--10---9---8---7-+----+---6---5---4---3---2---1-+
|                         |    |               X   X   X |
|                         |    |               X   X   X |
|                         |    |               X   X     |
|                         |    |                         |
|                         |    |                         |
|         [6] [6]         |    |                         |
|                         |    |                         |
|                         |    |                         |
|                         |    |                         |
|                         |    |       O           O     |
|                         |[4] |       O   O       O   O |
+--13--14--15--16--17--18-+-BAR+--19--20--21--22--23--24-+
Opponent (O)   pips 19   off 9
The cube is your opponent's, at 4.
Your opponent's dice: 6-6."""


def test_the_opening_position() -> None:
    assert text.draw(BoardView(START)) == OPENING


def test_my_roll_with_my_cube_against_bob() -> None:
    view = BoardView(MIDDLE_GAME, dice=(5, 2), dice_side="viewer", cube=2, cube_owner="viewer")
    assert text.draw(view, replace(ENGLISH, opponent="bob")) == MY_ROLL


def test_a_double_with_checkers_on_the_bar_and_high_stacks_and_my_home_at_the_left() -> None:
    view = BoardView(EVERYTHING, cube=4, offered_cube=8, offered_to="viewer", home_left=True)
    assert text.draw(view) == DOUBLED_HOME_LEFT


def test_my_home_on_top_and_his_cube() -> None:
    view = BoardView(
        BEAR_OFF, dice=(6, 6), dice_side="opponent", cube=4, cube_owner="opponent", home_top=True
    )
    assert text.draw(view) == HOME_ON_TOP


def test_a_crowded_bar_is_counted() -> None:
    rows = text.draw(BoardView(CROWDED_BAR, cube=2, cube_owner="viewer")).splitlines()
    assert [row[27:31].strip() for row in rows[2:13]] == [
        "",
        "5",
        "X",
        "X",
        "X",
        "",
        "O",
        "O",
        "O",
        "6",
        "[2]",
    ]


@pytest.mark.parametrize("points", ALL)
@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_every_board_is_plain_characters_of_one_width(
    points: tuple[int, ...], orientation: tuple[bool, bool]
) -> None:
    view = BoardView(points, home_left=orientation[0], home_top=orientation[1])
    lines = text.draw(view).splitlines()
    assert all(line.isascii() and len(line) <= 72 for line in lines)
    assert {len(line) for line in lines[1:14]} == {58}


@pytest.mark.parametrize("points", ALL)
@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_every_checker_stands_under_its_number(
    points: tuple[int, ...], orientation: tuple[bool, bool]
) -> None:
    """The board in characters is read back, column by column."""
    view = BoardView(points, home_left=orientation[0], home_top=orientation[1])
    lines = text.draw(view).splitlines()
    assert read_back(lines[1], lines[2:7]) | read_back(lines[13], lines[8:13]) == {
        point: points[point] for point in range(1, 25)
    }


def read_back(border: str, rows: list[str]) -> dict[int, int]:
    found = {}
    for column in (*range(1, 25, 4), *range(32, 56, 4)):
        cells = [row[column : column + 4].strip() for row in rows]
        count = next((int(cell) for cell in cells if cell.isdigit()), sum(1 for cell in cells if cell))
        found[int(border[column : column + 4].strip("-"))] = -count if "O" in cells else count
    return found


def test_a_name_cannot_break_the_board() -> None:
    """Control characters and line ends of a name never reach a letter."""
    drawn = text.draw(BoardView(START), replace(ENGLISH, opponent="bo\nb\x1b[2J" + "x" * 50, you="{name} %s"))
    assert drawn.splitlines()[0] == "bob[2J" + "x" * 14 + " (O)   pips 167   off 0"
    assert drawn.splitlines()[14] == "{name} %s (X)   pips 167   off 0"


def test_dice_are_told_as_in_titles_the_larger_first() -> None:
    drawn = text.draw(BoardView(START, dice=(3, 4), dice_side="viewer"))
    assert "[4] [3]" in drawn
    assert "Your dice: 4-3." in drawn


def test_the_alternative_text_says_all_that_the_picture_shows() -> None:
    view = BoardView(EVERYTHING, viewer_is_white=False, dice=(1, 3), dice_side="viewer", cube=None)
    assert text.alt(view, replace(ENGLISH, opponent="bob")) == (
        "You (dark): bar 1; 6 point 1, 4 point 7, 2 point 2; off 4. "
        "bob (light, your numbers): bar 2; 1 point 2, 12 point 1, 19 point 4, 20 point 6. "
        "There is no cube in this game. Your dice: 3-1."
    )


def test_a_side_that_has_borne_off_everything_has_a_sentence_too() -> None:
    won = BoardView((0,) * 19 + (-2,) + (0,) * 6)
    assert text.alt(won).startswith("You (light): off 15. Opponent (dark, your numbers): 19 point 2; off 13.")
