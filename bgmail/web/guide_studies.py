"""The positions that the guide talks about, as literals. What is legal in them is asked of the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bgmail.rules import Dice, Position
from bgmail.rules.position import LANES

_START_OF_OTHERS: Final = {1: 2, 12: 5, 17: 3, 19: 5}
_AT_HOME: Final = {19: 2, 20: 2, 22: 3, 23: 1}


def placed(own: dict[int, int], other: dict[int, int]) -> Position:
    """A position from checkers by point, both sides in the numbers of the side on roll; 25 is its bar."""
    board = [0] * LANES
    for point, count in own.items():
        board[point] += count
    for point, count in other.items():
        board[point] -= count
    return Position.from_board(board)


@dataclass(frozen=True, slots=True)
class Study:
    """A position with a roll. `shown` is the play to draw, "" = the position before it. `tries` are refused."""

    position: Position
    dice: Dice
    shown: str = ""
    tries: tuple[str, ...] = ()


_ON_THE_BAR = placed({25: 1, 24: 1, 13: 5, 8: 3, 6: 5}, _START_OF_OTHERS)

STUDIES: Final[dict[str, Study]] = {
    "movement": Study(Position.start(), Dice(6, 5), shown="24/13", tries=("13/24",)),
    "blocked": Study(Position.start(), Dice(5, 4), tries=("24/19",)),
    "hit": Study(
        placed({24: 2, 13: 5, 8: 3, 6: 5}, {1: 1, 7: 1, 12: 5, 14: 1, 17: 2, 19: 5}), Dice(6, 1), "13/7* 8/7"
    ),
    "bar": Study(_ON_THE_BAR, Dice(6, 4), tries=("13/7", "bar/19")),
    "dance": Study(_ON_THE_BAR, Dice(6, 6)),
    "both-dice": Study(
        placed({24: 1, 13: 2, 6: 5, 5: 4, 4: 3}, {18: 2, 7: 2, 12: 3, 19: 4, 20: 4}),
        Dice(6, 4),
        tries=("13/9",),
    ),
    "larger-die": Study(
        placed({13: 1, 3: 7, 1: 7}, {2: 2, 19: 5, 20: 4, 21: 4}), Dice(6, 5), tries=("13/8",)
    ),
    "doubles": Study(Position.start(), Dice(5, 5), tries=("13/3",)),
    "straggler": Study(placed({7: 1, 5: 3, 4: 3, 2: 3}, _AT_HOME), Dice(5, 4), tries=("5/off 4/off",)),
    "higher-checker": Study(placed({6: 2, 4: 3, 2: 2}, _AT_HOME), Dice(5, 3), tries=("6/3 4/off",)),
    "highest-off": Study(placed({4: 2, 3: 2, 1: 1}, _AT_HOME), Dice(6, 5), shown="4/off(2)"),
}
"""By the name of the example; the rules page tells them in this order."""

LOSERS: Final[dict[str, Position]] = {
    "single": placed({6: 4, 5: 5, 4: 3, 2: 2}, {}),
    "gammon": placed({13: 2, 8: 3, 6: 5, 5: 3, 4: 2}, {}),
    "backgammon": placed({22: 1, 13: 1, 8: 3, 6: 5, 5: 3, 4: 2}, {}),
}
"""Games that are just over: the loser's checkers in the loser's numbers, the winner has borne off all."""

OPENINGS: Final[dict[Dice, str]] = {
    Dice(3, 1): "8/5 6/5",
    Dice(4, 2): "8/4 6/4",
    Dice(5, 3): "8/3 6/3",
    Dice(6, 1): "13/7 8/7",
    Dice(6, 5): "24/13",
    Dice(2, 1): "13/11 6/5",
    Dice(4, 1): "24/23 13/9",
    Dice(5, 1): "24/23 13/8",
    Dice(3, 2): "24/21 13/11",
    Dice(4, 3): "24/20 13/10",
    Dice(5, 2): "13/11 13/8",
    Dice(5, 4): "24/20 13/8",
    Dice(6, 2): "24/18 13/11",
    Dice(6, 3): "24/18 13/10",
    Dice(6, 4): "24/14",
}
"""A sound play for each roll that can open a game, the clearest first."""
DRAWN = 5
"""So many of them are drawn."""

RACE: Final = placed({7: 1, 6: 5, 5: 3, 4: 3, 3: 2, 2: 1}, {18: 4, 19: 3, 20: 4, 21: 2, 22: 2})
"""A race in which the side on roll is well ahead."""
