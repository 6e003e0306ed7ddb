"""The parts of a board as SVG fragments: points, checkers, dice, cube, slabs, marks. Styled by class alone."""

from __future__ import annotations

from collections.abc import Iterable
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
    OFFERED_CUBE,
    POINT_WIDTH,
    SLAB_HEIGHT,
    SLAB_WIDTH,
    TOP,
    WIDTH,
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


def number(value: float) -> str:
    """A coordinate, at most one decimal."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def box(css: str, x: float, y: float, width: float, height: float, radius: float = 0) -> str:
    """A rectangle."""
    rounded = f' rx="{number(radius)}"' if radius else ""
    size = f'width="{number(width)}" height="{number(height)}"'
    return f'<rect class="{css}" x="{number(x)}" y="{number(y)}" {size}{rounded}/>'


def text(css: str, spot: Spot, words: str) -> str:
    """A short text (digits) in the middle of a spot."""
    return f'<text class="{css}" x="{number(spot[0])}" y="{number(spot[1])}">{words}</text>'


def triangle(layout: Layout, point: int) -> str:
    """The path of one point."""
    half = POINT_WIDTH / 2 - 3
    edge, tip = number(layout.point_edge(point)), number(layout.tip(point))
    return f"M{number(layout.point_x(point) - half)} {edge}h{number(2 * half)}L{number(layout.point_x(point))} {tip}z"


def triangles(layout: Layout, *, odd: bool) -> str:
    """The path of every second point."""
    return "".join(triangle(layout, point) for point in POINTS if point % 2 == odd)


def hatching(ids: str) -> str:
    """The pattern that hatches the dark points in print."""
    return (
        f'<pattern id="{ids}h" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<path class="hl" d="M4.5 0v9"/></pattern>'
    )


def ground(layout: Layout, ids: str) -> str:
    """Frame, bar, trays, felts and points, without numbers."""
    trays = "".join(box("traybox", *layout.tray(whose), 8) for whose in ("viewer", "opponent"))
    felts = "".join(
        box("felt", layout.left(x, FELT_WIDTH), TOP, FELT_WIDTH, BOTTOM - TOP, 4) for x in FELTS
    )
    dark = triangles(layout, odd=False)
    return (
        box("frame", 1, 1, WIDTH - 2, HEIGHT - 2, 16)
        + box("barbox", layout.left(BAR_X, BAR_WIDTH), TOP, BAR_WIDTH, BOTTOM - TOP)
        + trays
        + felts
        + f'<path class="pa" d="{triangles(layout, odd=True)}"/><path class="pb" d="{dark}"/>'
        + f'<path fill="url(#{ids}h)" d="{dark}"/>'
    )


def symbols(ids: str) -> str:
    """The two forms of a checker, to be used by id."""
    return (
        f'<g id="{ids}w">{light(0, 0)}</g><g id="{ids}d">{dark(0, 0)}</g>'
    )


def light(x: float, y: float) -> str:
    """A light checker: a thin ring."""
    at = f'cx="{number(x)}" cy="{number(y)}"'
    return f'<circle class="w" {at} r="29.8"/><circle class="wr" {at} r="21"/>'


def dark(x: float, y: float) -> str:
    """A dark checker: a thick ring and a dot."""
    at = f'cx="{number(x)}" cy="{number(y)}"'
    return (
        f'<circle class="d" {at} r="29.8"/><circle class="dr" {at} r="20"/><circle class="dd" {at} r="5.5"/>'
    )


def checker(ids: str, white: bool, spot: Spot, extra: str = "") -> str:
    """One checker, by reference to its form."""
    href = f"#{ids}{'w' if white else 'd'}"
    return f'<use href="{href}" x="{number(spot[0])}" y="{number(spot[1])}"{extra}/>'


def count(white: bool, spot: Spot, how_many: int) -> str:
    """The count on the outermost checker of a high stack."""
    x, y = number(spot[0]), number(spot[1])
    side = "w" if white else "d"
    plate = f'<circle class="{side}c" cx="{x}" cy="{y}" r="23"/>'
    return plate + text(f"{side}t count", spot, str(how_many))


def slab(white: bool, spot: Spot) -> str:
    """A checker off, seen from its edge: dark ones carry a thick bar."""
    x, y = spot[0] - SLAB_WIDTH / 2, spot[1] - SLAB_HEIGHT / 2
    body = box("w" if white else "d", x, y, SLAB_WIDTH, SLAB_HEIGHT, 4)
    middle = f"M{number(spot[0] - 18)} {number(spot[1])}h36"
    return body + f'<path class="{"wr" if white else "dr"}" d="{middle}"/>'


def die(white: bool, spot: Spot, face: int, css: str = "") -> str:
    """A die in the colours of its side."""
    half = DIE / 2
    body = box("w" if white else "d", spot[0] - half, spot[1] - half, DIE, DIE, 11)
    pips = "".join(
        f'<circle class="{"wt" if white else "dt"}" cx="{number(spot[0] + 15 * dx)}" '
        f'cy="{number(spot[1] + 15 * dy)}" r="5.6"/>'
        for dx, dy in PIPS[face]
    )
    return f'<g class="die{" " + css if css else ""}">{body}{pips}</g>'


def cube(spot: Spot, value: int, *, offered: bool = False) -> str:
    """The doubling cube; in the middle of the board it is bigger and has the accent's edge."""
    size = OFFERED_CUBE if offered else CUBE
    shown = str(64 if value == 1 else value)
    body = box("cb", spot[0] - size / 2, spot[1] - size / 2, size, size, 9)
    small = ' style=""' if False else ""
    return f'<g class="cube{" offer" if offered else ""}"{small}>{body}{text("ct", spot, shown)}</g>'


def ring(spot: Spot) -> str:
    """Around a selected checker."""
    return f'<circle class="ring" cx="{number(spot[0])}" cy="{number(spot[1])}" r="34"/>'


def target(spot: Spot) -> str:
    """A dashed circle where a checker may go."""
    return f'<circle class="target" cx="{number(spot[0])}" cy="{number(spot[1])}" r="29"/>'


def arrow(start: Spot, end: Spot) -> str:
    """An arrow from one checker's place to another's, with a halo so that it shows on everything."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy) or 1.0
    ux, uy = dx / length, dy / length
    tip = (end[0] - 6 * ux, end[1] - 6 * uy)
    wings = [(tip[0] - 24 * ux + side * 15 * uy, tip[1] - 24 * uy - side * 15 * ux) for side in (1, -1)]
    path = _line(start, tip) + _line(wings[0], tip, wings[1])
    return f'<path class="halo" d="{path}"/><path class="arrow" d="{path}"/>'


def _line(*spots: Spot) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in spots)


def joined(parts: Iterable[str]) -> str:
    """Fragments one after the other."""
    return "".join(parts)
