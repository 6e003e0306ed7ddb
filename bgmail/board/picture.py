"""A board as a PNG for letters, put together from tiles of the SVG by Pillow alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO

from PIL import Image

from bgmail.board import pieces, sheet
from bgmail.board.geometry import BAR_SHOWN, SHOWN, SIDES, Layout, Spot
from bgmail.board.themes import theme as theme_named
from bgmail.board.view import POINTS, BoardView, Whose

WIDTHS = (600,)
DEFLATION = 5
"""A third quicker than what zlib does by itself, for a picture a tenth larger."""


def png(view: BoardView, theme: str = "club", width: int = 600) -> bytes:
    """The board as PNG bytes, `width` pixels wide (one of `WIDTHS`).

    It shows what `svg.draw` shows, but for the marks of a page: arrows, targets and a selected checker.
    ValueError for an unknown theme or a width without tiles.
    """
    layout = Layout.of(view)
    board = _Board(theme, width, layout, _empty_board(theme, width, layout).copy())
    _paint(board, view)
    out = BytesIO()
    board.image.save(out, "PNG", compress_level=DEFLATION)
    return out.getvalue()


@cache
def _sheet(theme: str, width: int) -> Image.Image:
    theme_named(theme)
    if width not in WIDTHS:
        raise ValueError(f"no board pictures {width} pixels wide (there are {', '.join(map(str, WIDTHS))})")
    with (files("bgmail.board") / "tiles" / f"{theme}-{width}.png").open("rb") as source:
        image = Image.open(source)
        image.load()
    return image


def tiles_digest(theme: str, width: int) -> str:
    """What a stored sheet was made from, to be compared with `sheet.digest`."""
    return str(_sheet(theme, width).info["digest"])


@cache
def _tile(
    theme: str, width: int, name: str, mirrored: bool = False, upside_down: bool = False
) -> Image.Image:
    x, y, w, h = sheet.on_sheet(width)[name]
    image = _sheet(theme, width).crop((x, y, x + w, y + h))
    if mirrored:
        image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    return image.transpose(Image.Transpose.FLIP_TOP_BOTTOM) if upside_down else image


@cache
def _empty_board(theme: str, width: int, layout: Layout) -> Image.Image:
    """The ground with its points and numbers, from which every picture starts."""
    blank = _Board(
        theme, width, layout, _tile(theme, width, "ground", layout.home_left, layout.home_top).copy()
    )
    for point in POINTS:
        blank.point(point, "")
        blank.put(f"number {point}", (layout.point_x(point), layout.number_y(point)))
    return blank.image


@dataclass(frozen=True, slots=True)
class _Board:
    """A picture in the making."""

    theme: str
    width: int
    layout: Layout
    image: Image.Image

    @property
    def grid(self) -> sheet.Grid:
        return sheet.Grid(self.width)

    def put(self, name: str, spot: Spot) -> None:
        """Put a tile with its middle on a spot of even ground."""
        tile = _tile(self.theme, self.width, name)
        x, y = self.grid.spot(spot)
        self.image.paste(tile, (round(x - tile.width / 2), round(y - tile.height / 2)))

    def fit(self, name: str) -> None:
        """Put a tile where it was cut from, mirrored with the board."""
        left_right, upside_down = self.layout.home_left, self.layout.home_top
        x, y, w, h = self.grid.pixels(sheet.tiles()[name].box)
        tile = _tile(self.theme, self.width, name, left_right, upside_down)
        x = self.image.width - x - w if left_right else x
        self.image.paste(tile, (x, self.image.height - y - h if upside_down else y))

    def point(self, point: int, held: str) -> None:
        """Put a point with its checkers in its place; its tile is turned upside down with the board."""
        upside_down = self.layout.home_top
        name = sheet.point_tile(point, self.layout.is_low(point) != upside_down, held)
        tile = _tile(self.theme, self.width, name, self.layout.home_left, upside_down)
        x, edge = self.grid.spot((self.layout.point_x(point), self.layout.point_edge(point)))
        top = round(edge) - tile.height if self.layout.is_low(point) else round(edge)
        self.image.paste(tile, (self._column(x, tile.width), top))

    def _column(self, x: float, width: int) -> int:
        """The left pixel of a column; the same distance from the other edge when the board is mirrored."""
        if self.layout.home_left:
            return self.image.width - width - round(self.image.width - x - width / 2)
        return round(x - width / 2)


def _paint(board: _Board, view: BoardView) -> None:
    for point in POINTS:
        _paint_point(board, view, point)
    for whose in SIDES:
        _paint_bar(board, view, whose)
        _paint_off(board, view, whose)
    for point in view.last_play:
        if point in POINTS:
            spot = (board.layout.point_x(point), board.layout.number_y(point))
            board.put(f"number {point} last", spot)
    _paint_dice(board, view)
    _paint_cube(board, view)


def _paint_point(board: _Board, view: BoardView, point: int) -> None:
    n, holder = abs(view.points[point]), view.holder(point)
    if holder is None:
        return
    white = view.is_white(holder)
    board.point(point, sheet.stack_name(white, n, SHOWN))
    if n > SHOWN:
        board.put(f"count {sheet.side(white)}{n}", board.layout.checker(point, SHOWN - 1, n))


def _paint_bar(board: _Board, view: BoardView, whose: Whose) -> None:
    n, white = view.bar(whose), view.is_white(whose)
    if n:
        board.fit(f"bar {whose} {sheet.stack_name(white, n, BAR_SHOWN)}")
    if n > BAR_SHOWN:
        board.put(f"count {sheet.side(white)}{n}", board.layout.bar(whose, BAR_SHOWN - 1))


def _paint_off(board: _Board, view: BoardView, whose: Whose) -> None:
    n = view.off(whose)
    if n:
        board.fit(f"off {whose} {sheet.side(view.is_white(whose))}{n}")
        board.put(f"off count {n}", board.layout.off_count(whose))


def _paint_dice(board: _Board, view: BoardView) -> None:
    whose = view.dice_side
    if whose is None:
        return
    side = sheet.side(view.is_white(whose))
    for nth, (face, wear) in enumerate(sorted(view.worn_dice(), reverse=True)):  # as the words beside it say
        board.put(f"die {side}{face}{pieces.WEARS[wear]}", board.layout.die(whose, nth))


def _paint_cube(board: _Board, view: BoardView) -> None:
    if view.offered_to is not None:
        board.put(f"offered {view.offered_cube}", board.layout.offered_cube(view.offered_to))
    elif view.cube is not None:
        board.put(f"cube {view.cube}", board.layout.cube(view.cube_owner))
