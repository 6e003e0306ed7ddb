"""Where everything on a board stands, in units of its 1000 x 740 view box; pages get the numbers as JSON."""

from __future__ import annotations

from dataclasses import dataclass

from bgmail.board.view import CHECKERS, POINTS, BoardView, Whose

WIDTH, HEIGHT = 1000, 740
FRAME = 34
TOP, BOTTOM = FRAME, HEIGHT - FRAME
MIDDLE = HEIGHT / 2
FELT_WIDTH = 396
FELTS = (34, 492)
BAR_X, BAR_WIDTH = 430, 62
TRAY_X, TRAY_WIDTH = 904, 68
TRAYS = (TOP, 404)
TRAY_HEIGHT = 302
POINT_WIDTH, POINT_HEIGHT = 66, 268
RADIUS = 31
SHOWN = 5
BAR_SHOWN = 4
NUMBER_Y = 17
DIE = 56
DICE_APART = 72
CUBE = 48
OFFERED_CUBE = 76
SLAB_WIDTH, SLAB_HEIGHT, SLAB_PITCH = 58, 15, 18
STACKS: dict[int, tuple[float, ...]] = {
    n: tuple(RADIUS + 1 + pitch * nth for nth in range(n))
    for n, pitch in ((1, 62), (2, 62), (3, 62), (4, 56.5), (5, 51.5))
}
BAR_STACK = (60, 114, 168, 222)

Spot = tuple[float, float]
Box = tuple[float, float, float, float]
SIDES: tuple[Whose, Whose] = ("viewer", "opponent")


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the viewer's home board is: right or left, bottom or top. All four are mirror images."""

    home_left: bool = False
    home_top: bool = False

    @classmethod
    def of(cls, view: BoardView) -> Layout:
        """The layout that a view asks for."""
        return cls(view.home_left, view.home_top)

    def x(self, x: float) -> float:
        """An x of the plain layout (home right) as it is here."""
        return WIDTH - x if self.home_left else x

    def y(self, y: float) -> float:
        """A y of the plain layout (home bottom) as it is here."""
        return HEIGHT - y if self.home_top else y

    def left(self, x: float, width: float) -> float:
        """The left edge here of a box that starts at `x` in the plain layout."""
        return WIDTH - x - width if self.home_left else x

    def top(self, y: float, height: float) -> float:
        """The upper edge here of a box that starts at `y` in the plain layout."""
        return HEIGHT - y - height if self.home_top else y

    def is_low(self, point: int) -> bool:
        """Whether a point (1..24) grows from the lower edge."""
        return (point <= 12) != self.home_top

    def point_x(self, point: int) -> float:
        """The middle of a point (1..24)."""
        column = 12 - point if point <= 12 else point - 13
        felt = FELTS[column // 6]
        return self.x(felt + (column % 6 + 0.5) * POINT_WIDTH)

    def point_edge(self, point: int) -> float:
        """The y of a point's base."""
        return BOTTOM if self.is_low(point) else TOP

    def tip(self, point: int) -> float:
        """The y of a point's tip."""
        return BOTTOM - POINT_HEIGHT if self.is_low(point) else TOP + POINT_HEIGHT

    def number_y(self, point: int) -> float:
        """The middle of a point's number, outside in the frame."""
        return HEIGHT - NUMBER_Y if self.is_low(point) else NUMBER_Y

    def checker(self, point: int, nth: int, count: int) -> Spot:
        """The middle of the `nth` of `count` checkers on a point, 0 at the edge; beyond five the fifth's."""
        offset = STACKS[min(max(count, 1), SHOWN)][min(nth, SHOWN - 1)]
        edge = self.point_edge(point)
        return self.point_x(point), edge - offset if self.is_low(point) else edge + offset

    def bar(self, whose: Whose, nth: int) -> Spot:
        """The middle of the `nth` checker on the bar, from the middle outwards, in the half it enters."""
        offset = BAR_STACK[min(nth, BAR_SHOWN - 1)]
        y = MIDDLE - offset if whose == "viewer" else MIDDLE + offset
        return self.x(BAR_X + BAR_WIDTH / 2), self.y(y)

    def tray(self, whose: Whose) -> Box:
        """The box (x, y, width, height) of a side's tray."""
        y = TRAYS[1] if whose == "viewer" else TRAYS[0]
        return self.left(TRAY_X, TRAY_WIDTH), self.top(y, TRAY_HEIGHT), TRAY_WIDTH, TRAY_HEIGHT

    def off(self, whose: Whose, nth: int) -> Spot:
        """The middle of the `nth` checker off, a slab seen from its edge."""
        offset = 8 + SLAB_HEIGHT / 2 + SLAB_PITCH * min(nth, CHECKERS - 1)
        y = BOTTOM - offset if whose == "viewer" else TOP + offset
        return self.x(TRAY_X + TRAY_WIDTH / 2), self.y(y)

    def off_count(self, whose: Whose) -> Spot:
        """The middle of the number of checkers off, at the inner end of the tray."""
        y = TRAYS[1] + 15 if whose == "viewer" else TRAYS[0] + TRAY_HEIGHT - 15
        return self.x(TRAY_X + TRAY_WIDTH / 2), self.y(y)

    def die(self, whose: Whose, nth: int) -> Spot:
        """The middle of a side's first or second die from the left: the viewer's lie in the home half."""
        felt = FELTS[1] if whose == "viewer" else FELTS[0]
        middle = self.x(felt + FELT_WIDTH / 2)
        return middle + (nth - 0.5) * DICE_APART, MIDDLE

    def cube(self, owner: Whose | None) -> Spot:
        """The middle of the cube on the bar: centred, or at its owner's end."""
        y = {None: MIDDLE, "viewer": BOTTOM - 33, "opponent": TOP + 33}[owner]
        return self.x(BAR_X + BAR_WIDTH / 2), self.y(y)

    def offered_cube(self, to: Whose) -> Spot:
        """The middle of a cube that lies before the side that must answer."""
        felt = FELTS[1] if to == "viewer" else FELTS[0]
        return self.x(felt + FELT_WIDTH / 2), MIDDLE

    def hit(self, point: int) -> Box:
        """The box (x, y, width, height) to touch for a point: its whole column up to the middle."""
        y = MIDDLE if self.is_low(point) else 0
        return self.point_x(point) - POINT_WIDTH / 2, y, POINT_WIDTH, MIDDLE

    def bar_hit(self, whose: Whose) -> Box:
        """The box that a finger may touch for a side's bar."""
        y = TOP if whose == "viewer" else MIDDLE
        height = MIDDLE - TOP
        return self.left(BAR_X, BAR_WIDTH), self.top(y, height), BAR_WIDTH, height

    def tray_hit(self, whose: Whose) -> Box:
        """The box that a finger may touch for a side's tray: out to the edge of the board."""
        y = MIDDLE if whose == "viewer" else 0
        width = WIDTH - TRAY_X + 12
        return self.left(TRAY_X - 12, width), self.top(y, MIDDLE), width, MIDDLE


def as_dict(home_left: bool = False, home_top: bool = False) -> dict[str, object]:
    """The whole geometry as JSON-ready values for a page's script.

    `points["13"]` = {x, edge, dir}: dir is -1 where checkers pile upwards; to touch, a point is `column` wide and
    as high as its half of the board. `stack[n-1]` = the distances of n checkers from the edge; `bar` and `off`
    list the middles of a side's checkers; boxes are [x, y, width, height].
    """
    layout = Layout(home_left, home_top)
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "home_left": home_left,
        "home_top": home_top,
        "radius": RADIUS,
        "column": POINT_WIDTH,
        "shown": SHOWN,
        "stack": [list(STACKS[n]) for n in range(1, SHOWN + 1)],
        "points": {str(point): _point(layout, point) for point in POINTS},
        "bar": {whose: _bar(layout, whose) for whose in SIDES},
        "off": {whose: _off(layout, whose) for whose in SIDES},
        "dice": {whose: [list(layout.die(whose, nth)) for nth in (0, 1)] for whose in SIDES},
        "die": DIE,
        "cube": {
            "size": CUBE,
            "centre": list(layout.cube(None)),
            "viewer": list(layout.cube("viewer")),
            "opponent": list(layout.cube("opponent")),
        },
        "offered_cube": {
            "size": OFFERED_CUBE,
            "viewer": list(layout.offered_cube("viewer")),
            "opponent": list(layout.offered_cube("opponent")),
        },
    }


def _point(layout: Layout, point: int) -> dict[str, object]:
    return {
        "x": layout.point_x(point),
        "edge": layout.point_edge(point),
        "dir": -1 if layout.is_low(point) else 1,
    }


def _bar(layout: Layout, whose: Whose) -> dict[str, object]:
    spots = [list(layout.bar(whose, nth)) for nth in range(BAR_SHOWN)]
    return {"shown": BAR_SHOWN, "spots": spots, "hit": list(layout.bar_hit(whose))}


def _off(layout: Layout, whose: Whose) -> dict[str, object]:
    spots = [list(layout.off(whose, nth)) for nth in range(CHECKERS)]
    return {
        "spots": spots,
        "slab": [SLAB_WIDTH, SLAB_HEIGHT],
        "count": list(layout.off_count(whose)),
        "tray": list(layout.tray(whose)),
        "hit": list(layout.tray_hit(whose)),
    }
