"""A board as SVG: one string, styled by `themes.css()`, with stable hooks for the page's script."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from bgmail.board import marks, pieces
from bgmail.board.geometry import BAR_SHOWN, HEIGHT, SHOWN, SIDES, WIDTH, Box, Layout, Spot
from bgmail.board.labels import Labels, english, key_of
from bgmail.board.mini import draw as draw_mini
from bgmail.board.standing import standing
from bgmail.board.themes import AUTO, class_of, css
from bgmail.board.view import POINTS, BoardView, Whose

__all__ = ["draw", "draw_mini"]


def draw(
    view: BoardView,
    theme: str = "club",
    *,
    interactive: bool = False,
    title: str = "Backgammon board",
    desc: str | None = None,
    labels: Labels | None = None,
    ids: str = "bd-",
    standalone: bool = False,
) -> str:
    """The board as an SVG element.

    `theme` is a name of `THEMES` or "auto". `interactive` adds a hit area and a name for every place
    (`data-point`: "1".."24", "25" my bar, "0" my tray, "opponent-bar", "opponent-off"). `title` and `desc`
    are any text (escaped here). `labels` names every place, as `labels.english` does. `ids` starts every id,
    for pages with several boards. `standalone` puts the style sheet inside, for a file of its own: a page
    links to the sheet instead. ValueError for an unknown theme.
    """
    pen = _Pen(view, Layout.of(view), ids, labels or english(view) if interactive else None)
    body = "".join(
        (
            f"<defs>{pieces.hatching(ids)}{pieces.symbols(ids)}</defs>",
            '<g class="bd-turn">',
            pieces.ground(pen.layout, ids),
            *pen.numbers(),
            *pen.places(),
            *marks.arrows(view, pen.layout),
            *pen.dice(),
            pen.cube(),
            *marks.choices(view, pen.layout),
            "</g>",
        )
    )
    classes = f"{class_of(theme)}{standing(view)}"
    return (
        _opening(classes, "group" if interactive else "img", title, desc, ids)
        + _style(theme, standalone)
        + body
        + "</svg>"
    )


def _opening(classes: str, role: str, title: str, desc: str | None, ids: str) -> str:
    described = f"<desc id={quoteattr(ids + 'desc')}>{escape(desc)}</desc>" if desc else ""
    by = f" aria-describedby={quoteattr(ids + 'desc')}" if desc else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{classes}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="{role}" aria-labelledby={quoteattr(ids + "title")}{by}>'
        f"<title id={quoteattr(ids + 'title')}>{escape(title)}</title>{described}"
    )


def _style(theme: str, standalone: bool) -> str:
    return f"<style>{css('club' if theme == AUTO else theme)}</style>" if standalone else ""


@dataclass(frozen=True, slots=True)
class _Pen:
    """Draws one view; `names` only where the places can be touched."""

    view: BoardView
    layout: Layout
    ids: str
    names: Labels | None

    def numbers(self) -> Iterator[str]:
        """The numbers in the frame, those of the last play on a plate."""
        for point in POINTS if self.view.numbers else ():
            spot = (self.layout.point_x(point), self.layout.number_y(point))
            yield pieces.point_number(spot, point, last=point in self.view.last_play)

    def places(self) -> Iterator[str]:
        """Every point, both bars and both trays with what stands there."""
        for point in POINTS:
            yield self._place(str(point), self.layout.hit(point), self._point(point))
        for whose in SIDES:
            yield self._place(key_of("bar", whose), self.layout.bar_hit(whose), self._bar(whose))
            yield self._place(key_of("off", whose), self.layout.tray_hit(whose), self._off(whose))

    def _place(self, key: str, hit: Box, inside: str) -> str:
        if self.names is None:
            return inside
        name = quoteattr(self.names[key])
        opening = f'<g class="bd-place" data-point="{key}" role="button" tabindex="-1" aria-label={name}>'
        return f"{opening}{pieces.box('bd-hit', hit)}{inside}</g>"

    def _point(self, point: int) -> str:
        n, holder = abs(self.view.points[point]), self.view.holder(point)
        spots = [self.layout.checker(point, nth, n) for nth in range(min(n, SHOWN))]
        return self._stack(holder, spots, n) if holder else ""

    def _bar(self, whose: Whose) -> str:
        n = self.view.bar(whose)
        return self._stack(whose, [self.layout.bar(whose, nth) for nth in range(min(n, BAR_SHOWN))], n)

    def _stack(self, whose: Whose, spots: list[Spot], n: int) -> str:
        white = self.view.is_white(whose)
        extra = f' data-side="{whose}"' if self.names is not None else ""
        drawn = "".join(pieces.checker(self.ids, white, spot, extra) for spot in spots)
        return drawn + (pieces.count(white, spots[-1], n) if n > len(spots) else "")

    def _off(self, whose: Whose) -> str:
        n, white = self.view.off(whose), self.view.is_white(whose)
        slabs = "".join(pieces.slab(white, self.layout.off(whose, nth)) for nth in range(n))
        return slabs + (pieces.text("bd-off", self.layout.off_count(whose), str(n)) if n else "")

    def dice(self) -> Iterator[str]:
        """Two dice in the half of the side that rolled them; those used up are faint."""
        whose = self.view.dice_side
        if whose is None:
            return
        white = self.view.is_white(whose)
        for nth, (face, wear) in enumerate(self.view.worn_dice()):
            extra = f' data-die="{nth}"' if self.names is not None else ""
            yield pieces.die(white, self.layout.die(whose, nth), face, pieces.WEARS[wear], extra)

    def cube(self) -> str:
        """The cube on the bar, or before the side that must answer."""
        if self.view.offered_cube is not None and self.view.offered_to is not None:
            spot = self.layout.offered_cube(self.view.offered_to)
            return pieces.cube(spot, self.view.offered_cube, offered=True)
        if self.view.cube is None:
            return ""
        return pieces.cube(self.layout.cube(self.view.cube_owner), self.view.cube)
