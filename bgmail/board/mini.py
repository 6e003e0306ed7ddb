"""A small board for lists: the same board with fewer details, no ids and few bytes."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from bgmail.board import pieces
from bgmail.board.geometry import BOTTOM, HEIGHT, RADIUS, SIDES, TOP, WIDTH, Layout, Spot
from bgmail.board.themes import class_of
from bgmail.board.view import CHECKERS, POINTS, BoardView, Whose

PITCH = 58
SHOWN = 5


def draw(view: BoardView, theme: str = "club", *, title: str = "Backgammon board") -> str:
    """A board as a small SVG element, to be shown about 150 px wide; styled by `themes.css()`.

    Checkers are dots (the dark ones with a light core); those beyond the fifth on a point aren't drawn; those
    off are a bar as long as they are many. `title` is any text (escaped here). ValueError for an unknown
    theme.
    """
    layout = Layout.of(view)
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{class_of(theme)} bd-mini" '
            f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label={quoteattr(title)}>',
            pieces.ground(layout, None),
            *_checkers(view, layout),
            *_off(view, layout),
            _cube(view, layout),
            "</svg>",
        )
    )


def _checkers(view: BoardView, layout: Layout) -> Iterator[str]:
    """All checkers of a side as one path of dots, laid down once for the edge, once for the face."""
    for whose in SIDES:
        dots = "".join(f"M{pieces.number(x)} {pieces.number(y)}h0" for x, y in _spots(view, layout, whose))
        for css in ("we", "wi") if view.is_white(whose) else ("de", "di", "do"):
            if dots:
                yield f'<path class="bd-{css}" d="{dots}"/>'


def _spots(view: BoardView, layout: Layout, whose: Whose) -> Iterator[Spot]:
    for point in POINTS:
        if view.holder(point) == whose:
            away = -1 if layout.is_low(point) else 1
            for nth in range(min(abs(view.points[point]), SHOWN)):
                yield layout.point_x(point), layout.point_edge(point) + away * (RADIUS + PITCH * nth)
    for nth in range(view.bar(whose)):
        yield layout.bar(whose, nth)


def _off(view: BoardView, layout: Layout) -> Iterator[str]:
    """The checkers off as a bar in the tray."""
    for whose in SIDES:
        n = view.off(whose)
        if n:
            x, y, width, height = layout.tray(whose)
            length = (height - 16) * n / CHECKERS
            at_the_bottom = y + height > (TOP + BOTTOM) / 2 + 1
            start = y + height - 8 - length if at_the_bottom else y + 8
            css = "bd-w" if view.is_white(whose) else "bd-d"
            yield pieces.box(css, (x + 10, start, width - 20, length), 6)


def _cube(view: BoardView, layout: Layout) -> str:
    if view.offered_cube is not None and view.offered_to is not None:
        return pieces.cube(layout.offered_cube(view.offered_to), view.offered_cube, offered=True)
    if view.cube is None:
        return ""
    return pieces.cube(layout.cube(view.cube_owner), view.cube)
