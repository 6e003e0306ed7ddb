"""A board in plain characters, for letters and terminals, and a position in one line for alt texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bgmail.board.geometry import SIDES, Layout
from bgmail.board.view import POINTS, BoardView, Whose

MINE, THEIRS = "X", "O"
ROWS = 5
BAR_ROWS = 4
CELL = 4
BAR_CELL = 6
WIDTH = 2 * (6 * CELL + 1) + BAR_CELL + 2


@dataclass(frozen=True, slots=True)
class Words:
    """What is said around the board. Templates are filled by `str.format`; names may be any text."""

    you: str = "You"
    opponent: str = "Opponent"
    side: str = "{name} ({mark})   pips {pips}   off {off}"
    side_bar: str = "   bar {bar}"
    light: str = "light"
    dark: str = "dark"
    point: str = "{point} point {count}"
    bar: str = "bar {count}"
    off: str = "off {count}"
    your_numbers: str = "your numbers"
    cube_centred: str = "The cube is centred."
    cube_viewer: str = "The cube is yours, at {value}."
    cube_opponent: str = "The cube is your opponent's, at {value}."
    no_cube: str = "There is no cube in this game."
    offered_viewer: str = "You are doubled to {value}: take or pass."
    offered_opponent: str = "You doubled to {value}."
    dice_viewer: str = "Your dice: {one}-{two}."
    dice_opponent: str = "Your opponent's dice: {one}-{two}."


ENGLISH = Words()


def draw(view: BoardView, words: Words = ENGLISH) -> str:
    """The whole board in lines of at most 72 characters; the board itself is ASCII whatever the words are.

    The viewer's checkers are X, the opponent's O. Points carry the viewer's numbers, in the same corner as in
    the picture. A stack of more than five ends in its number.
    """
    layout = Layout.of(view)
    lines = [
        _side(view, "opponent", words),
        _border(layout, low=False),
        *_half(view, layout, low=False),
        _middle(view, layout),
        *_half(view, layout, low=True),
        _border(layout, low=True),
        _side(view, "viewer", words),
    ]
    if view.home_top:
        lines[0], lines[-1] = lines[-1], lines[0]
    return "\n".join((*lines, *cube_and_dice(view, words)))


def alt(view: BoardView, words: Words = ENGLISH) -> str:
    """The position in one line of text, to stand for the picture: both sides, bar, off, cube and dice."""
    sides = [f"{_colours(view, whose, words)}: {'; '.join(_places(view, whose, words))}." for whose in SIDES]
    return " ".join((*sides, *cube_and_dice(view, words)))


def cube_and_dice(view: BoardView, words: Words = ENGLISH) -> list[str]:
    """A sentence on the cube and, if any lie there, one on the dice, the larger first as in titles and subjects."""
    sentences = [_cube_sentence(view, words)]
    if view.dice is not None:
        template = words.dice_viewer if view.dice_side == "viewer" else words.dice_opponent
        sentences.append(template.format(one=max(view.dice), two=min(view.dice)))
    return sentences


def _cube_sentence(view: BoardView, words: Words) -> str:
    if view.offered_cube is not None:
        template = words.offered_viewer if view.offered_to == "viewer" else words.offered_opponent
        return template.format(value=view.offered_cube)
    if view.cube is None:
        return words.no_cube
    if view.cube_owner is None:
        return words.cube_centred
    template = words.cube_viewer if view.cube_owner == "viewer" else words.cube_opponent
    return template.format(value=view.cube)


def _name(whose: Whose, words: Words) -> str:
    """A side's name on one line, without anything that could move the cursor."""
    name = words.you if whose == "viewer" else words.opponent
    return "".join(sign for sign in name if sign.isprintable())[:20]


def _side(view: BoardView, whose: Whose, words: Words) -> str:
    mark = MINE if whose == "viewer" else THEIRS
    line = words.side.format(name=_name(whose, words), mark=mark, pips=view.pips(whose), off=view.off(whose))
    bar = view.bar(whose)
    return line + (words.side_bar.format(bar=bar) if bar else "")


def _columns(layout: Layout, *, low: bool) -> list[int]:
    """The twelve points of the lower or upper row as read from the left."""
    return sorted((p for p in POINTS if layout.is_low(p) == low), key=layout.point_x)


def _row(cells: list[str], bar: str) -> str:
    left, right = "".join(cells[:6]), "".join(cells[6:])
    return f"|{left} |{bar:^{BAR_CELL - 2}}|{right} |"


def _border(layout: Layout, *, low: bool) -> str:
    cells = [f"{point:->{CELL}}" for point in _columns(layout, low=low)]
    bar = "----" if low != layout.home_top else "-BAR"
    return f"+{''.join(cells[:6])}-+{bar}+{''.join(cells[6:])}-+"


def _half(view: BoardView, layout: Layout, *, low: bool) -> Iterator[str]:
    """Five rows of a half, from above; the row next to the border is row 0."""
    for row in range(ROWS - 1, -1, -1) if low else range(ROWS):
        cells = [f"{_sign(view.points[point], row):>{CELL}}" for point in _columns(layout, low=low)]
        yield _row(cells, _bar_sign(view, row, low=low))


def _sign(held: int, row: int) -> str:
    n = abs(held)
    if n <= row:
        return ""
    if row == ROWS - 1 and n > ROWS:
        return str(n)
    return MINE if held > 0 else THEIRS


def _bar_sign(view: BoardView, row: int, *, low: bool) -> str:
    """The bar in a half: the cube in the row at its owner's border, checkers from the middle outwards."""
    home: Whose = "viewer" if low != view.home_top else "opponent"
    if row == 0:
        owned = view.cube_owner == home and view.offered_cube is None and view.cube is not None
        return f"[{view.cube}]" if owned else ""
    entering: Whose = "opponent" if home == "viewer" else "viewer"
    n, from_middle = view.bar(entering), ROWS - 1 - row
    if n <= from_middle:
        return ""
    if from_middle == BAR_ROWS - 1 and n > BAR_ROWS:
        return str(n)
    return MINE if entering == "viewer" else THEIRS


def _middle(view: BoardView, layout: Layout) -> str:
    """The line between the halves: dice or an offered cube before their side, a centred cube on the bar."""
    halves = {"viewer": "", "opponent": ""}
    if view.dice is not None and view.dice_side is not None:
        halves[view.dice_side] = f"[{max(view.dice)}] [{min(view.dice)}]"
    if view.offered_to is not None:
        halves[view.offered_to] = f"[{view.offered_cube}] ?"
    centred = view.cube is not None and view.cube_owner is None and view.offered_cube is None
    sides = ("viewer", "opponent") if layout.home_left else ("opponent", "viewer")
    left, right = (f"{halves[whose]:^{6 * CELL + 1}}" for whose in sides)
    bar = f"[{64 if view.cube == 1 else view.cube}]" if centred else ""
    return f"|{left}|{bar:^{BAR_CELL - 2}}|{right}|"


def _colours(view: BoardView, whose: Whose, words: Words) -> str:
    colour = words.light if view.is_white(whose) else words.dark
    numbers = "" if whose == "viewer" else f", {words.your_numbers}"
    return f"{_name(whose, words)} ({colour}{numbers})"


def _places(view: BoardView, whose: Whose, words: Words) -> Iterator[str]:
    """Where a side's checkers are, from its rearmost point on."""
    bar, off = view.bar(whose), view.off(whose)
    if bar:
        yield words.bar.format(count=bar)
    held = [point for point in POINTS if view.holder(point) == whose]
    ordered = sorted(held, reverse=whose == "viewer")
    if ordered:
        yield ", ".join(words.point.format(point=p, count=abs(view.points[p])) for p in ordered)
    if off:
        yield words.off.format(count=off)
