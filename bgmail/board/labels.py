"""Names for screen readers: one a place of the board. English by default; a caller may pass other words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from bgmail.board.geometry import SIDES
from bgmail.board.view import BAR, OFF, POINTS, BoardView, Whose

Labels = Mapping[str, str]

_KEYS: dict[tuple[str, Whose], str] = {
    ("bar", "viewer"): str(BAR),
    ("bar", "opponent"): "opponent-bar",
    ("off", "viewer"): str(OFF),
    ("off", "opponent"): "opponent-off",
}


def key_of(what: Literal["bar", "off"], whose: Whose) -> str:
    """The key of a side's bar or tray; a point's is its number for the viewer."""
    return _KEYS[what, whose]


def english(view: BoardView) -> dict[str, str]:
    """A sentence for every place: "1".."24", "25" (my bar), "0" (my tray), "opponent-bar", "opponent-off"."""
    names = {str(point): _point(view, point) for point in POINTS}
    for whose in SIDES:
        names[key_of("bar", whose)] = f"Bar, {_held(view.bar(whose), whose)}"
        names[key_of("off", whose)] = f"Off, {_held(view.off(whose), whose)}"
    return names


def _point(view: BoardView, point: int) -> str:
    holder = view.holder(point)
    return f"{point} point, {_held(abs(view.points[point]), holder) if holder else 'empty'}"


def _held(count: int, whose: Whose) -> str:
    owner = "yours" if whose == "viewer" else "your opponent's"
    return f"{count or 'none'} of {owner}"
