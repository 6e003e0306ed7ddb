"""The parts of a board as SVG fragments: points, checkers, dice, cube, marks. Styled by class alone."""

from __future__ import annotations

from math import hypot

from bgmail.board.geometry import (
    BAR_WIDTH,
    BAR_X,
    BOTTOM,
    CUBE,
    DIE,
    FELT_WIDTH,
    FELTS,
    HEIGHT,
    MIDDLE,
    OFFERED_CUBE,
    POINT_WIDTH,
    RADIUS,
    SIDES,
    SLAB_HEIGHT,
    SLAB_WIDTH,
    TOP,
    WIDTH,
    Box,
    Layout,
    Spot,
)
from bgmail.board.view import POINTS

PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
WEARS = ("", "bd-half", "bd-used")
EDGE_RADIUS = RADIUS - 1.2


def number(value: float) -> str:
    """A coordinate, at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")


def box(css: str, place: Box, radius: float = 0) -> str:
    """A rectangle."""
    x, y, width, height = map(number, place)
    rounded = f' rx="{number(radius)}"' if radius else ""
    return f'<rect class="{css}" x="{x}" y="{y}" width="{width}" height="{height}"{rounded}/>'


def circle(css: str, spot: Spot, radius: float) -> str:
    """A circle."""
    return f'<circle class="{css}" cx="{number(spot[0])}" cy="{number(spot[1])}" r="{number(radius)}"/>'


def text(css: str, spot: Spot, words: str) -> str:
    """A short text (digits) in the middle of a spot."""
    return f'<text class="{css}" x="{number(spot[0])}" y="{number(spot[1])}">{words}</text>'


def triangles(layout: Layout, *, odd: bool) -> str:
    """The path of every second point."""
    return "".join(_triangle(layout, point) for point in POINTS if point % 2 == odd)


def _triangle(layout: Layout, point: int) -> str:
    x, half = layout.point_x(point), POINT_WIDTH / 2 - 3
    base = f"M{number(x - half)} {number(layout.point_edge(point))}h{number(2 * half)}"
    return f"{base}L{number(x)} {number(layout.tip(point))}z"


def hatching(ids: str) -> str:
    """The pattern that hatches the dark points in print (in the other themes it has their own colour)."""
    return (
        f'<pattern id="{ids}h" width="15" height="15" patternUnits="userSpaceOnUse">'
        '<path class="bd-hl" d="M-3 3L3-3M-3 18L18-3M12 18L18 12"/></pattern>'
    )


def ground(layout: Layout, ids: str | None, cut: Spot | None = None) -> str:
    """Frame, bar, trays, felts and points, without numbers; hatched by the pattern of `ids`, if any.

    With `cut` the frame is that much narrower at either edge (in x and y), and its corners are square.
    """
    x, y = cut or (0, 0)
    bar = (layout.left(BAR_X, BAR_WIDTH), TOP, BAR_WIDTH, BOTTOM - TOP)
    felts = [(layout.left(x, FELT_WIDTH), TOP, FELT_WIDTH, BOTTOM - TOP) for x in FELTS]
    dark = triangles(layout, odd=False)
    return "".join(
        (
            box("bd-frame", (x + 1, y + 1, WIDTH - 2 * x - 2, HEIGHT - 2 * y - 2), 0 if cut else 16),
            box("bd-bar", bar),
            *(box("bd-tray", layout.tray(whose), 8) for whose in SIDES),
            *(box("bd-felt", felt, 4) for felt in felts),
            f'<path class="bd-pa" d="{triangles(layout, odd=True)}"/>',
            f'<path class="bd-pb" d="{dark}"/>',
            f'<path fill="url(#{ids}h)" d="{dark}"/>' if ids is not None else "",
        )
    )


def symbols(ids: str) -> str:
    """The two forms of a checker around 0, 0, to be used by id."""
    return f'<g id="{ids}w">{whole_checker(True)}</g><g id="{ids}d">{whole_checker(False)}</g>'


def whole_checker(white: bool, spot: Spot = (0, 0)) -> str:
    """A checker: light ones have a thin ring, dark ones a thick ring and a dot."""
    if white:
        return circle("bd-w", spot, EDGE_RADIUS) + circle("bd-wr", spot, 21)
    return circle("bd-d", spot, EDGE_RADIUS) + circle("bd-dr", spot, 20) + circle("bd-dd", spot, 5.5)


def checker(ids: str, white: bool, spot: Spot, extra: str = "") -> str:
    """A checker by reference to its form."""
    href = f"#{ids}{'w' if white else 'd'}"
    return f'<use href="{href}" x="{number(spot[0])}" y="{number(spot[1])}"{extra}/>'


def count(white: bool, spot: Spot, how_many: int) -> str:
    """The number on the outermost checker of a high stack."""
    side = "w" if white else "d"
    return circle(f"bd-{side}c", spot, 24) + text(f"bd-{side}t bd-count", spot, str(how_many))


def point_number(spot: Spot, point: int, *, last: bool) -> str:
    """A point's number in the frame; on a plate if the last play touched the point."""
    if not last:
        return text("bd-num", spot, str(point))
    plate = box("bd-lastbox", (spot[0] - 19, spot[1] - 10, 38, 20), 10)
    return plate + text("bd-num bd-last", spot, str(point))


def slab(white: bool, spot: Spot) -> str:
    """A checker off, seen from its edge: dark ones carry a thick bar, light ones a thin line."""
    x, y = spot[0] - SLAB_WIDTH / 2, spot[1] - SLAB_HEIGHT / 2
    side = "w" if white else "d"
    body = box(f"bd-{side}", (x, y, SLAB_WIDTH, SLAB_HEIGHT), 4)
    return f'{body}<path class="bd-{side}r" d="M{number(spot[0] - 18)} {number(spot[1])}h36"/>'


def die(white: bool, spot: Spot, face: int, css: str = "", extra: str = "") -> str:
    """A die in the colours of its side."""
    side, half = "w" if white else "d", DIE / 2
    body = box(f"bd-{side}", (spot[0] - half, spot[1] - half, DIE, DIE), 11)
    pips = "".join(
        circle(f"bd-{side}t", (spot[0] + 15 * dx, spot[1] + 15 * dy), 5.6) for dx, dy in PIPS[face]
    )
    return f'<g class="bd-die{" " + css if css else ""}"{extra}>{body}{pips}</g>'


def cube(spot: Spot, value: int, *, offered: bool = False) -> str:
    """The doubling cube, 64 on top while nobody has doubled; an offered one is bigger, edged in accent."""
    size = OFFERED_CUBE if offered else CUBE
    shown = str(64 if value == 1 else value)
    body = box("", (spot[0] - size / 2, spot[1] - size / 2, size, size), 9).replace(' class=""', "")
    digits = text("bd-long" if len(shown) > 2 else "bd-short", spot, shown)
    return f'<g class="bd-cube{" bd-offer" if offered else ""}">{body}{digits}</g>'


def ring(spot: Spot) -> str:
    """Around a selected checker."""
    return circle("bd-ring", spot, RADIUS + 3)


def target(spot: Spot) -> str:
    """A dashed circle where a checker may go."""
    return circle("bd-target", spot, RADIUS - 2)


def arrow(start: Spot, end: Spot) -> str:
    """An arrow between two checkers' places, bowed towards the middle; its halo lifts it off anything."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy) or 1.0
    inward = 1 if start[1] + end[1] < 2 * MIDDLE else -1
    bow = (0.1 if abs(dy) > RADIUS else 0.3) * abs(dx) + 20
    bend = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2 + inward * bow)
    dx, dy = end[0] - bend[0], end[1] - bend[1]
    length = hypot(dx, dy) or 1.0
    ux, uy = dx / length, dy / length
    tip = (end[0] - 8 * ux, end[1] - 8 * uy)
    wings = [(tip[0] - 22 * ux + side * 14 * uy, tip[1] - 22 * uy - side * 14 * ux) for side in (1, -1)]
    head = "L".join(_pair(spot) for spot in (wings[0], tip, wings[1]))
    path = f"M{_pair(start)}Q{_pair(bend)} {_pair(tip)}M{head}"
    return f'<path class="bd-halo" d="{path}"/><path class="bd-arrow" d="{path}"/>'


def _pair(spot: Spot) -> str:
    return f"{number(spot[0])} {number(spot[1])}"
