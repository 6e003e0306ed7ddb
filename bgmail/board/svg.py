"""A board as SVG: one string, styled by `themes.css()`, with stable hooks for the page's script."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from bgmail.board import pieces
from bgmail.board.geometry import BAR_SHOWN, HEIGHT, SHOWN, SIDES, WIDTH, Layout, Spot
from bgmail.board.labels import OPPONENT_BAR, OPPONENT_OFF, Labels, english
from bgmail.board.themes import AUTO, THEMES, css
from bgmail.board.view import BAR, OFF, POINTS, BoardView, Whose

PLACES = {("bar", "viewer"): str(BAR), ("bar", "opponent"): OPPONENT_BAR}
TRAYS = {"viewer": str(OFF), "opponent": OPPONENT_OFF}


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

    `theme` is a name of `THEMES` or "auto". `interactive` adds hit areas and names for every place. `title` and
    `desc` are any text (escaped here). `labels` are the places' names as in `labels.english`. `ids` starts every
    id in it, for pages with several boards. `standalone` puts the style sheet inside (not for pages: their
    policy forbids it). ValueError for an unknown theme.
    """
    layout = Layout.of(view)
    names = labels if labels is not None else english(view)
    body = (
        f"<defs>{pieces.hatching(ids)}{pieces.symbols(ids)}</defs>"
        + pieces.ground(layout, ids)
        + _numbers(view, layout)
        + _places(view, layout, names, ids, interactive)
        + _dice(view, layout)
        + _cube(view, layout)
        + _marks(view, layout)
    )
    return _wrapped(body, theme, interactive, title, desc, ids, standalone)


def _wrapped(
    body: str, theme: str, interactive: bool, title: str, desc: str | None, ids: str, standalone: bool
) -> str:
    if theme != AUTO and theme not in THEMES:
        raise ValueError(f"no such board theme: {theme!r}")
    style = f"<style>{css('club' if theme == AUTO else theme)}</style>" if standalone else ""
    described = f'<desc id={quoteattr(ids + "desc")}>{escape(desc)}</desc>' if desc else ""
    by = f" aria-describedby={quoteattr(ids + 'desc')}" if desc else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="bd bd-{theme}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="{"group" if interactive else "img"}" aria-labelledby={quoteattr(ids + "title")}{by}>'
        f"<title id={quoteattr(ids + 'title')}>{escape(title)}</title>{described}{style}{body}</svg>"
    )


def _numbers(view: BoardView, layout: Layout) -> str:
    return "".join(_number(view, layout, point) for point in POINTS)


def _number(view: BoardView, layout: Layout, point: int) -> str:
    spot = (layout.point_x(point), layout.number_y(point))
    if point not in view.last_play:
        return pieces.text("num", spot, str(point))
    plate = pieces.box("lastbox", spot[0] - 19, spot[1] - 12, 38, 24, 12)
    return plate + pieces.text("num last", spot, str(point))


def _places(view: BoardView, layout: Layout, names: Labels, ids: str, interactive: bool) -> str:
    parts = [_point(view, layout, names, ids, interactive, point) for point in POINTS]
    for whose in SIDES:
        parts.append(_bar(view, layout, names, ids, interactive, whose))
        parts.append(_off(view, layout, names, interactive, whose))
    return "".join(part for part in parts if part)


def _place(key: str, names: Labels, interactive: bool, hit: tuple[float, float, float, float], inside: str) -> str:
    if not interactive:
        return inside
    attributes = f'data-point="{key}" role="button" tabindex="-1" aria-label={quoteattr(names[key])}'
    return f'<g class="place" {attributes}>{pieces.box("hit", *hit)}{inside}</g>'


def _point(view: BoardView, layout: Layout, names: Labels, ids: str, interactive: bool, point: int) -> str:
    n = abs(view.points[point])
    holder = view.holder(point)
    inside = ""
    if holder:
        white = view.is_white(holder)
        spots = [layout.checker(point, nth, n) for nth in range(min(n, SHOWN))]
        inside = _stack(ids, white, spots, n, holder if interactive else None)
    return _place(str(point), names, interactive, layout.hit(point), inside)


def _stack(ids: str, white: bool, spots: list[Spot], n: int, whose: Whose | None) -> str:
    extra = f' data-side="{whose}"' if whose else ""
    drawn = "".join(pieces.checker(ids, white, spot, extra) for spot in spots)
    return drawn + (pieces.count(white, spots[-1], n) if n > len(spots) else "")


def _bar(view: BoardView, layout: Layout, names: Labels, ids: str, interactive: bool, whose: Whose) -> str:
    n = view.bar(whose)
    spots = [layout.bar(whose, nth) for nth in range(min(n, BAR_SHOWN))]
    inside = _stack(ids, view.is_white(whose), spots, n, whose if interactive else None) if n else ""
    return _place(PLACES["bar", whose], names, interactive, layout.bar_hit(whose), inside)


def _off(view: BoardView, layout: Layout, names: Labels, interactive: bool, whose: Whose) -> str:
    n = view.off(whose)
    white = view.is_white(whose)
    inside = "".join(pieces.slab(white, layout.off(whose, nth)) for nth in range(n))
    if n:
        inside += pieces.text("offc", layout.off_count(whose), str(n))
    return _place(TRAYS[whose], names, interactive, layout.tray_hit(whose), inside)


def _dice(view: BoardView, layout: Layout) -> str:
    if view.dice is None or view.dice_side is None:
        return ""
    per_die = 2 if view.dice[0] == view.dice[1] else 1
    white = view.is_white(view.dice_side)
    return "".join(
        pieces.die(white, layout.die(view.dice_side, nth), face, _wear(view.dice_used[nth], per_die))
        for nth, face in enumerate(view.dice)
    )


def _wear(used: int, per_die: int) -> str:
    return "used" if used >= per_die else "half" if used else ""


def _cube(view: BoardView, layout: Layout) -> str:
    if view.offered_cube is not None and view.offered_to is not None:
        return pieces.cube(layout.offered_cube(view.offered_to), view.offered_cube, offered=True)
    if view.cube is None:
        return ""
    return pieces.cube(layout.cube(view.cube_owner), view.cube)


def _marks(view: BoardView, layout: Layout) -> str:
    parts = [pieces.arrow(_end(view, layout, a, whose), _end(view, layout, b, whose)) for a, b, whose in view.arrows]
    if view.selected is not None:
        parts.append(pieces.ring(_top(view, layout, view.selected)))
    parts += [pieces.target(_landing(view, layout, point)) for point in view.targets]
    return "".join(parts)


def _top(view: BoardView, layout: Layout, point: int) -> Spot:
    """Where the outermost of the viewer's checkers on a place is."""
    if point == BAR:
        return layout.bar("viewer", max(0, view.bar("viewer") - 1))
    n = abs(view.points[point])
    return layout.checker(point, max(0, n - 1), n)


def _landing(view: BoardView, layout: Layout, point: int) -> Spot:
    """Where the viewer's next checker would stand on a place: a blot that it hits stands there already."""
    if point == OFF:
        x, y, width, height = layout.tray("viewer")
        return x + width / 2, y + height / 2
    n = max(0, view.points[point])
    return layout.checker(point, n, n + 1)


def _end(view: BoardView, layout: Layout, point: int, whose: Whose) -> Spot:
    """Where an arrow starts or ends: the outermost checker there, or the first place of an empty one."""
    if point == BAR:
        return layout.bar(whose, 0)
    if point == OFF:
        x, y, width, height = layout.tray(whose)
        return x + width / 2, y + height / 2
    n = abs(view.points[point])
    return layout.checker(point, max(0, n - 1), n)
