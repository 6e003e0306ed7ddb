"""What is to be drawn, always from the side of the person who looks at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from bgmail.rules.position import Position

Whose = Literal["viewer", "opponent"]
Upright = Literal["phone", "always", "never"]

BAR = 25
OFF = 0
CHECKERS = 15
POINTS = range(1, 25)
CUBES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)


def other(whose: Whose) -> Whose:
    """The other one of the two."""
    return "opponent" if whose == "viewer" else "viewer"


@dataclass(frozen=True, slots=True)
class BoardView:
    """One picture of a board.

    `points` are 26 numbers from the viewer's side: `[1..24]` the viewer's checkers > 0, the opponent's < 0;
    `[25]` the viewer's on the bar, `[0]` minus the opponent's on the bar. Checkers off are derived. Points
    named elsewhere (`arrows`, `last_play`, `targets`, `selected`) carry the viewer's numbers too, whoever
    played: 25 is the bar of the side concerned and 0 its tray.

    `dice` lie in the half of `dice_side`; `dice_used` says how many moves each die has already made (0-1, for
    doubles 0-2). `cube` None: none in play. `offered_cube`: a double on the table at that value, lying before
    `offered_to`, who answers. `home_left` and `home_top` choose where the viewer's home board is;
    `upright` whether the board stands on its short side, by `numbers` its points are numbered.
    `arrows` (from, to, whose) and `last_play` show a play back in the position after it.
    """

    points: tuple[int, ...]
    viewer_is_white: bool = True
    dice: tuple[int, int] | None = None
    dice_side: Whose | None = None
    dice_used: tuple[int, int] = (0, 0)
    cube: int | None = 1
    cube_owner: Whose | None = None
    offered_cube: int | None = None
    offered_to: Whose | None = None
    home_left: bool = False
    home_top: bool = False
    upright: Upright = "never"
    numbers: bool = True
    arrows: tuple[tuple[int, int, Whose], ...] = ()
    last_play: tuple[int, ...] = ()
    targets: tuple[int, ...] = ()
    selected: int | None = None

    def __post_init__(self) -> None:
        if len(self.points) != 26:
            raise ValueError(f"a board has 26 places, not {len(self.points)}")
        if self.points[OFF] > 0 or self.points[BAR] < 0:
            raise ValueError("place 0 is the opponent's bar (0 or less), place 25 the viewer's (0 or more)")
        if min(self.off("viewer"), self.off("opponent")) < 0:
            raise ValueError("a side has at most 15 checkers")
        if (self.dice is None) != (self.dice_side is None):
            raise ValueError("dice and the side that rolled them belong together")
        if self.dice and not all(1 <= die <= 6 for die in self.dice):
            raise ValueError(f"no such dice: {self.dice}")
        if (self.offered_cube is None) != (self.offered_to is None):
            raise ValueError("an offered cube and the side that answers belong together")
        if not {self.cube or 1, self.offered_cube or 1} <= set(CUBES):
            raise ValueError("no such cube")

    @classmethod
    def of(
        cls,
        position: Position,
        *,
        on_roll_is_viewer: bool,
        viewer_is_white: bool = True,
        dice: tuple[int, int] | None = None,
        dice_side: Whose | None = None,
        dice_used: tuple[int, int] = (0, 0),
        cube: int | None = 1,
        cube_owner: Whose | None = None,
        offered_cube: int | None = None,
        offered_to: Whose | None = None,
        home_left: bool = False,
        home_top: bool = False,
        arrows: tuple[tuple[int, int, Whose], ...] = (),
        last_play: tuple[int, ...] = (),
        targets: tuple[int, ...] = (),
        selected: int | None = None,
    ) -> BoardView:
        """The view of a position that is given from the side on roll; mirrored if the viewer isn't on roll.

        Where they aren't said, dice belong to the side on roll, and an offered cube to the other one.
        """
        roller: Whose = "viewer" if on_roll_is_viewer else "opponent"
        board = tuple(position.board)
        return cls(
            points=board if on_roll_is_viewer else tuple(-n for n in reversed(board)),
            viewer_is_white=viewer_is_white,
            dice=dice,
            dice_side=dice_side or (roller if dice else None),
            dice_used=dice_used,
            cube=cube,
            cube_owner=cube_owner,
            offered_cube=offered_cube,
            offered_to=offered_to or (other(roller) if offered_cube else None),
            home_left=home_left,
            home_top=home_top,
            arrows=arrows,
            last_play=last_play,
            targets=targets,
            selected=selected,
        )

    def is_white(self, whose: Whose) -> bool:
        """Whether that side has the light checkers."""
        return self.viewer_is_white == (whose == "viewer")

    def bar(self, whose: Whose) -> int:
        """How many checkers that side has on the bar."""
        return self.points[BAR] if whose == "viewer" else -self.points[OFF]

    def off(self, whose: Whose) -> int:
        """How many checkers that side has borne off."""
        sign = 1 if whose == "viewer" else -1
        return CHECKERS - sum(max(0, sign * n) for n in self.points)

    def pips(self, whose: Whose) -> int:
        """That side's pip count."""
        if whose == "viewer":
            return sum(place * n for place, n in enumerate(self.points) if n > 0)
        return sum((BAR - place) * -n for place, n in enumerate(self.points) if n < 0)

    def holder(self, point: int) -> Whose | None:
        """Who has checkers on that point (1..24)."""
        n = self.points[point]
        return "viewer" if n > 0 else "opponent" if n < 0 else None

    def worn_dice(self) -> tuple[tuple[int, int], ...]:
        """Each die as (face, wear): 0 fresh, 1 half used (doubles only), 2 used up. Empty without dice."""
        if self.dice is None:
            return ()
        per_move = 1 if self.dice[0] == self.dice[1] else 2
        return tuple(
            (face, min(2, per_move * used)) for face, used in zip(self.dice, self.dice_used, strict=True)
        )
