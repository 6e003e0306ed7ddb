"""What one benchmark measured, and the line that says so."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measurement:
    """A figure of ours, the reference's where there is one, and what was measured, units included.

    `lower_is_better` turns the ratio round, so that more than 1 always means that ours is better.
    """

    ours: float
    reference: float | None
    what: str
    lower_is_better: bool = False

    @property
    def ratio(self) -> float | None:
        """How many times better ours is, or None without a reference."""
        if self.reference is None:
            return None
        return self.reference / self.ours if self.lower_is_better else self.ours / self.reference

    def line(self, name: str) -> str:
        """The benchmark's line: name, ours, reference, ratio and what was measured, with tabs between."""
        return "\t".join([name, _plain(self.ours), _plain(self.reference), _plain(self.ratio), self.what])


def _plain(figure: float | None) -> str:
    """A plain decimal with three or more significant digits, `-` for none."""
    if figure is None:
        return "-"
    for digits, enough in ((0, 1000), (1, 100), (2, 10)):
        if abs(figure) >= enough:
            return f"{figure:.{digits}f}"
    return f"{figure:.3f}"
