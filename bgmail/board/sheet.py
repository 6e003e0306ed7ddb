"""Which tiles a board picture is put together from, and where each lies on its sheet and on the board.

A sheet is one PNG a theme and size, photographed from the very SVG that pages show: letters look the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256

from bgmail.board import pieces
from bgmail.board.geometry import (
    BAR_SHOWN,
    BAR_WIDTH,
    BAR_X,
    BOTTOM,
    CUBE,
    DIE,
    HEIGHT,
    OFFERED_CUBE,
    RADIUS,
    SHOWN,
    SIDES,
    STACKS,
    TOP,
    WIDTH,
    Box,
    Layout,
    Spot,
)
from bgmail.board.themes import css
from bgmail.board.view import CHECKERS, CUBES, POINTS

PLAIN = Layout()
IDS = "t"
MANY = "+"
SHEET_WIDTH = 1200
CUT: Spot = (5, 3.7)
"""A picture leaves that much of the frame out at either edge: so a point is a whole number of pixels wide."""
SHOWN_BOX: Box = (*CUT, WIDTH - 2 * CUT[0], HEIGHT - 2 * CUT[1])
COLUMN = 62.7
"""What is replaced of a point's 66 units: its two edges stay as the ground has them."""
MODELS = (3, 4, 21, 22)
"""A point of either colour at either edge; all others look like one of them."""

Pixels = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Tile:
    """A piece of a board: `box` in board units of the plain layout, `svg` what lies there on the bare ground.

    A `loose` tile is cut exactly at its box, and so fits every point of its kind to the pixel; the others are
    cut along the picture's pixels.
    """

    box: Box
    svg: str
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """The pixels of a picture `width` wide."""

    width: int

    @property
    def scale(self) -> float:
        """Pixels a board unit."""
        return self.width / SHOWN_BOX[2]

    @property
    def height(self) -> int:
        """The height of the picture in pixels."""
        return round(SHOWN_BOX[3] * self.scale)

    def spot(self, spot: Spot) -> Spot:
        """A spot of the board in pixels, not rounded."""
        return (spot[0] - CUT[0]) * self.scale, (spot[1] - CUT[1]) * self.scale

    def pixels(self, box: Box) -> Pixels:
        """A box of the board in whole pixels: left, top, width, height."""
        left, top = map(round, self.spot((box[0], box[1])))
        right, bottom = map(round, self.spot((box[0] + box[2], box[1] + box[3])))
        return left, top, right - left, bottom - top

    def window(self, tile: Tile) -> Box:
        """What a tile shows of its board, in board units."""
        if tile.loose:
            return tile.box
        left, top, width, height = self.pixels(tile.box)
        x, y = left / self.scale + CUT[0], top / self.scale + CUT[1]
        return x, y, width / self.scale, height / self.scale


def side(white: bool) -> str:
    """The letter of a side in a tile's name."""
    return "w" if white else "d"


def point_tile(point: int, low: bool, held: str) -> str:
    """The name of the tile for a point with what stands on it, e.g. "w3", or "" for an empty one."""
    return f"{'odd' if point % 2 else 'even'} {'low' if low else 'high'} {held}"


def stack_name(white: bool, count: int, limit: int) -> str:
    """What a tile's name calls a stack: side and number, or "many" beyond the limit."""
    return side(white) + (MANY if count > limit else str(count))


@cache
def tiles() -> dict[str, Tile]:
    """All tiles by name, the same for every theme and size."""
    return dict(_all_tiles())


def _all_tiles() -> Iterator[tuple[str, Tile]]:
    yield "ground", Tile(SHOWN_BOX, "")
    for point in MODELS:
        yield from _point(point)
    for white in (True, False):
        yield from _bars(white)
        yield from _trays(white)
        yield from _dice(white)
        yield from _counts(white)
    yield from _numbers()
    yield from _cubes()


def _stack(white: bool, spots: list[Spot], many: bool) -> str:
    plate = pieces.circle(f"bd-{side(white)}c", spots[-1], 24) if many else ""
    return "".join(pieces.checker(IDS, white, spot) for spot in spots) + plate


def _heights(limit: int) -> Iterator[tuple[int, int]]:
    """Every count that looks different, with the number of checkers drawn."""
    for n in range(1, limit + 2):
        yield n, min(n, limit)


def _point(point: int) -> Iterator[tuple[str, Tile]]:
    low = PLAIN.is_low(point)
    yield point_tile(point, low, ""), Tile(_column(point, BOTTOM - TOP - 330), "", loose=True)
    for white in (True, False):
        for count, n in _heights(SHOWN):
            spots = [PLAIN.checker(point, nth, n) for nth in range(n)]
            name = point_tile(point, low, stack_name(white, count, SHOWN))
            box = _column(point, STACKS[n][-1] + RADIUS + 1)
            yield name, Tile(box, _stack(white, spots, count > n), loose=True)


def _column(point: int, height: float) -> Box:
    """A point from its edge up to a height that is rounded to whole pixels of a picture 600 wide."""
    height = 1.65 * -(-height // 1.65)
    y = BOTTOM - height if PLAIN.is_low(point) else TOP
    return PLAIN.point_x(point) - COLUMN / 2, y, COLUMN, height


def _bars(white: bool) -> Iterator[tuple[str, Tile]]:
    for whose in SIDES:
        for count, n in _heights(BAR_SHOWN):
            spots = [PLAIN.bar(whose, nth) for nth in range(n)]
            upper, lower = sorted((spots[0][1], spots[-1][1]))
            box = (BAR_X, upper - RADIUS - 1, BAR_WIDTH, lower - upper + 2 * RADIUS + 2)
            yield (
                f"bar {whose} {stack_name(white, count, BAR_SHOWN)}",
                Tile(box, _stack(white, spots, count > n)),
            )


def _trays(white: bool) -> Iterator[tuple[str, Tile]]:
    for whose in SIDES:
        x, y, width, height = PLAIN.tray(whose)
        box = (x - 2, y - 2, width + 4, height + 4)
        slabs = [pieces.slab(white, PLAIN.off(whose, nth)) for nth in range(CHECKERS)]
        for n in range(1, CHECKERS + 1):
            yield f"off {whose} {side(white)}{n}", Tile(box, "".join(slabs[:n]))


def _dice(white: bool) -> Iterator[tuple[str, Tile]]:
    spot = PLAIN.die("viewer", 0)
    for face in range(1, 7):
        for wear in pieces.WEARS:
            svg = pieces.die(white, spot, face, wear)
            yield f"die {side(white)}{face}{wear}", Tile(around(spot, DIE + 4), svg)


def _counts(white: bool) -> Iterator[tuple[str, Tile]]:
    """Numbers to be laid on the plate of a high stack's outermost checker."""
    spot = PLAIN.checker(8, SHOWN - 1, SHOWN)
    for n in range(BAR_SHOWN + 1, CHECKERS + 1):
        svg = pieces.checker(IDS, white, spot) + pieces.count(white, spot, n)
        yield f"count {side(white)}{n}", Tile(around(spot, 40, 26), svg)


def _numbers() -> Iterator[tuple[str, Tile]]:
    for point in POINTS:
        spot = (PLAIN.point_x(point), PLAIN.number_y(point))
        for last in (False, True):
            svg = pieces.point_number(spot, point, last=last)
            yield f"number {point}{' last' if last else ''}", Tile(around(spot, 42, 20), svg)
    spot = PLAIN.off_count("viewer")
    for n in range(1, CHECKERS + 1):
        yield f"off count {n}", Tile(around(spot, 36, 24), pieces.text("bd-off", spot, str(n)))


def _cubes() -> Iterator[tuple[str, Tile]]:
    on_bar, offered = PLAIN.cube(None), PLAIN.offered_cube("viewer")
    for value in CUBES:
        yield f"cube {value}", Tile(around(on_bar, CUBE + 4), pieces.cube(on_bar, value))
        svg = pieces.cube(offered, value, offered=True)
        yield f"offered {value}", Tile(around(offered, OFFERED_CUBE + 8), svg)


def around(spot: Spot, width: float, height: float | None = None) -> Box:
    """A box with that middle; a square without a height."""
    height = width if height is None else height
    return spot[0] - width / 2, spot[1] - height / 2, width, height


@cache
def on_sheet(width: int) -> dict[str, Pixels]:
    """Where each tile lies on the sheet for pictures of that width: in shelves, the high ones first."""
    grid = Grid(width)
    windows = {name: grid.window(tile) for name, tile in tiles().items()}
    sizes = {name: (round(w[2] * grid.scale), round(w[3] * grid.scale)) for name, w in windows.items()}
    places: dict[str, Pixels] = {}
    x = y = shelf = 0
    for name, (w, h) in sorted(sizes.items(), key=lambda item: -item[1][1]):
        if x + w > SHEET_WIDTH:
            x, y, shelf = 0, y + shelf, 0
        places[name] = (x, y, w, h)
        x, shelf = x + w, max(shelf, h)
    return places


def sheet_height(width: int) -> int:
    """How high the sheet for pictures of that width is, in pixels."""
    return max(y + h for _, y, _, h in on_sheet(width).values())


def page(theme: str, width: int) -> str:
    """The sheet as an HTML page: every tile a window onto a board of its own."""
    ground = pieces.ground(PLAIN, IDS, CUT)
    shared = f"{pieces.hatching(IDS)}{pieces.symbols(IDS)}<g id='ground'>{ground}</g>"
    windows = "".join(_window(tile, width, on_sheet(width)[name]) for name, tile in tiles().items())
    style = f"body{{margin:0;background:#fff}}{css(theme)}.bd{{position:absolute;overflow:hidden}}"
    return (
        f"<!doctype html><meta charset=utf-8><style>{style}</style>"
        f"<svg class='bd' style='width:0;height:0'><defs>{shared}</defs></svg>{windows}"
    )


def _window(tile: Tile, width: int, place: Pixels) -> str:
    left, top, w, h = place
    style = f"left:{left}px;top:{top}px;width:{w}px;height:{h}px"
    view_box = " ".join(f"{value:.4f}" for value in Grid(width).window(tile))
    return f"<svg class='bd' style='{style}' viewBox='{view_box}'><use href='#ground'/>{tile.svg}</svg>"


def digest(theme: str, width: int) -> str:
    """What a sheet was made from, in a few hex digits; a sheet carries it, to be noticed when outdated."""
    return sha256(page(theme, width).encode()).hexdigest()[:32]
