"""Names for screen readers: one a place of the board. English by default; a caller may pass other words."""

from __future__ import annotations

from collections.abc import Mapping

from bgmail.board.view import BAR, OFF, POINTS, BoardView, Whose

Labels = Mapping[str, str]

OPPONENT_BAR = "opponent-bar"
OPPONENT_OFF = "opponent-off"


def english(view: BoardView) -> dict[str, str]:
    """A sentence for every place: keys "1".."24", "25" (my bar), "0" (my tray), "opponent-bar", "opponent-off"."""
    names = {str(point): _point(view, point) for point in POINTS}
    names[str(BAR)] = f"Bar, {_held(view.bar('viewer'), 'viewer')}"
    names[OPPONENT_BAR] = f"Bar, {_held(view.bar('opponent'), 'opponent')}"
    names[str(OFF)] = f"Off, {_held(view.off('viewer'), 'viewer')}"
    names[OPPONENT_OFF] = f"Off, {_held(view.off('opponent'), 'opponent')}"
    return names


def _point(view: BoardView, point: int) -> str:
    holder = view.holder(point)
    return f"{point} point, {_held(abs(view.points[point]), holder) if holder else 'empty'}"


def _held(count: int, whose: Whose) -> str:
    owner = "yours" if whose == "viewer" else "your opponent's"
    return f"{count or 'none'} of {owner}"
