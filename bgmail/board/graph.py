"""The pip counts of both sides through a game as SVG: a broad line and a dashed one, styled by class alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

WIDTH, HEIGHT = 420, 190
LEFT, RIGHT, TOP, BOTTOM = 32, 410, 10, 168
GRID = 50
LEAST = 100


@dataclass(frozen=True, slots=True)
class Course:
    """One game: the pips of either side after each step, and the steps (from 0) at which the cube was turned."""

    white: Sequence[int]
    black: Sequence[int]
    doubles: Sequence[int] = ()

    def __post_init__(self) -> None:
        if not self.white or len(self.white) != len(self.black):
            raise ValueError("both sides have a pip count at every step")

    @property
    def steps(self) -> int:
        return len(self.white)

    @property
    def top(self) -> int:
        """The number at the upper edge."""
        return max(LEAST, *self.white, *self.black)

    def x(self, step: int) -> float:
        """Where a step stands."""
        return LEFT + (RIGHT - LEFT) * step / max(1, self.steps - 1)

    def y(self, pips: int) -> float:
        """Where a pip count stands."""
        return BOTTOM - (BOTTOM - TOP) * pips / self.top


def draw(course: Course, at: int, title: str, desc: str) -> str:
    """The graph as an SVG element with a mark at the step `at`; `title` and `desc` are any text (escaped here).

    White's line is broad and ends in a circle, Black's is dashed and ends in a square; diamonds stand where the
    cube was turned. `data-from`, `data-to` and `data-steps` tell a script where the steps are.
    """
    return "".join(
        (
            f'<svg class="pg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label={quoteattr(title)} '
            f'data-from="{LEFT}" data-to="{RIGHT}" data-steps="{course.steps}"><desc>{escape(desc)}</desc>',
            *(_grid(course, pips) for pips in range(0, course.top + 1, GRID)),
            *(_diamond(course.x(step)) for step in course.doubles),
            f'<path class="pg-now" d="M{course.x(at):.1f} {TOP}V{BOTTOM}"/>',
            _line("pg-w", course, course.white),
            _line("pg-b", course, course.black),
            _circle(course),
            _square(course),
            "</svg>",
        )
    )


def _grid(course: Course, pips: int) -> str:
    y = course.y(pips)
    number = f'<text class="pg-t" x="{LEFT - 6}" y="{y + 4:.1f}">{pips}</text>'
    return f'<path class="pg-g" d="M{LEFT} {y:.1f}H{RIGHT}"/>{number}'


def _line(css: str, course: Course, pips: Sequence[int]) -> str:
    points = "L".join(f"{course.x(step):.1f} {course.y(count):.1f}" for step, count in enumerate(pips))
    return f'<path class="{css}" d="M{points}"/>'


def _circle(course: Course) -> str:
    last = course.steps - 1
    return f'<circle class="pg-we" cx="{course.x(last):.1f}" cy="{course.y(course.white[-1]):.1f}" r="6"/>'


def _square(course: Course) -> str:
    x, y = course.x(course.steps - 1), course.y(course.black[-1])
    return f'<rect class="pg-be" x="{x - 5:.1f}" y="{y - 5:.1f}" width="10" height="10"/>'


def _diamond(x: float) -> str:
    return f'<path class="pg-d" d="M{x:.1f} {BOTTOM + 4}l6 6l-6 6l-6-6z"/>'
