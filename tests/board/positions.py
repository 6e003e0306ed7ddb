"""Positions that the tests of the board look at, as 26 numbers from the viewer's side."""

from __future__ import annotations

START = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)
MIDDLE_GAME = (0, -2, 0, 0, 2, 2, 4, 0, 3, 0, 0, 0, -3, 3, 0, 0, -2, -3, 0, -4, 0, -1, 0, 0, 1, 0)
EVERYTHING = (-2, -2, 2, 0, 7, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, -4, -6, 0, 0, 0, 0, 1)
"""A stack of 7 and one of 6, both sides on the bar, four of mine off."""
CROWDED_BAR = (-6, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3, -2, -2, -2, 0, 0, 5)
BEAR_OFF = (0, 2, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2, -1, 0, -2, -1, 0)
SPREAD = (0, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 3)
"""Almost every point is taken: the board with most to draw."""
ALL = (START, MIDDLE_GAME, EVERYTHING, CROWDED_BAR, BEAR_OFF, SPREAD)
ORIENTATIONS = ((False, False), (True, False), (False, True), (True, True))
