"""What is laid over the checkers for a moment: a play shown back, a selected checker, places it may go to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bgmail.board import pieces
from bgmail.board.geometry import Layout, Spot
from bgmail.board.view import BAR, OFF, BoardView, Whose


def choices(view: BoardView, layout: Layout) -> Iterator[str]:
    """The selected checker and the places it may go to."""
    if view.selected is not None:
        yield pieces.ring(_outermost(view, layout, view.selected, "viewer"))
    for point in view.targets:
        yield pieces.target(_next_place(view, layout, point, "viewer"))


def arrows(view: BoardView, layout: Layout) -> Iterator[str]:
    """The play shown back, an arrow a move; several from or to the same point have their own checkers."""
    starts: Counter[int] = Counter()
    ends: Counter[int] = Counter()
    for start, end, whose in view.arrows:
        tail = _next_place(view, layout, start, whose, starts[start])
        yield pieces.arrow(tail, _outermost(view, layout, end, whose, ends[end]))
        starts[start] += 1
        ends[end] += 1


def _held(view: BoardView, place: int, whose: Whose) -> int:
    """How many checkers that side has on a place as the viewer numbers it; 25 and 0 are its bar and tray."""
    if place == BAR:
        return view.bar(whose)
    if place == OFF:
        return view.off(whose)
    return max(0, view.points[place] if whose == "viewer" else -view.points[place])


def _spot(layout: Layout, place: int, whose: Whose, nth: int, count: int) -> Spot:
    if place == BAR:
        return layout.bar(whose, nth)
    if place == OFF:
        return layout.off(whose, nth)
    return layout.checker(place, nth, count)


def _outermost(view: BoardView, layout: Layout, place: int, whose: Whose, before: int = 0) -> Spot:
    """The outermost checker of a side on a place, or the one `before` it."""
    n = _held(view, place, whose)
    return _spot(layout, place, whose, max(0, n - 1 - before), n)


def _next_place(view: BoardView, layout: Layout, place: int, whose: Whose, further: int = 0) -> Spot:
    """Where the next checker of a side would stand (a blot that it hits stands there already)."""
    n = _held(view, place, whose) + further
    return _spot(layout, place, whose, n, n + 1)
