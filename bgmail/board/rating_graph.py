"""A rating over time as SVG: a line of steps in the band of its deviation, styled by class alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

WIDTH, HEIGHT = 640, 220
LEFT, RIGHT, TOP, BOTTOM = 60, 628, 10, 186
GRIDS = (25, 50, 100, 200, 500)
MOST_LINES = 6
LEAST_SPAN = 100.0


@dataclass(frozen=True, slots=True)
class Course:
    """The instants (any numbers that grow), and at each the rating and its deviation. At least two."""

    at: Sequence[float]
    values: Sequence[float]
    deviations: Sequence[float]

    def __post_init__(self) -> None:
        if len(self.at) < 2 or not len(self.at) == len(self.values) == len(self.deviations):
            raise ValueError("a course has two instants at least, each with a rating and a deviation")

    @property
    def low(self) -> float:
        """The number at the lower edge."""
        return min(value - wide for value, wide in zip(self.values, self.deviations, strict=True))

    @property
    def high(self) -> float:
        """The number at the upper edge."""
        highest = max(value + wide for value, wide in zip(self.values, self.deviations, strict=True))
        return max(highest, self.low + LEAST_SPAN)

    def x(self, at: float) -> float:
        """Where an instant stands."""
        return LEFT + (RIGHT - LEFT) * (at - self.at[0]) / ((self.at[-1] - self.at[0]) or 1)

    def y(self, value: float) -> float:
        """Where a rating stands."""
        return BOTTOM - (BOTTOM - TOP) * (value - self.low) / (self.high - self.low)

    @property
    def grid(self) -> list[int]:
        """The round numbers that get a line, few enough to be read."""
        every = next((step for step in GRIDS if (self.high - self.low) / step <= MOST_LINES), GRIDS[-1])
        first = int(-(-self.low // every)) * every
        return list(range(first, int(self.high) + 1, every))


def draw(course: Course, dates: Sequence[tuple[float, str]], title: str, desc: str) -> str:
    """The graph as an SVG element. `dates` are instants with the words under them; `title` and `desc` are any text
    (escaped here).

    A rating holds until the next match, so the line goes by steps; the band is as wide as the deviation on either side.
    """
    return "".join(
        (
            f'<svg class="rg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label={quoteattr(title)}>'
            f"<desc>{escape(desc)}</desc>",
            _band(course),
            *(_grid(course, number) for number in course.grid),
            *(_date(course, at, words) for at, words in dates),
            f'<path class="rg-line" d="{_steps(course, course.values)}"/>',
            _end(course),
            "</svg>",
        )
    )


def _band(course: Course) -> str:
    pairs = list(zip(course.values, course.deviations, strict=True))
    upper = _steps(course, [value + wide for value, wide in pairs])
    lower = _corners(course, [value - wide for value, wide in pairs])[::-1]
    return f'<path class="rg-band" d="{upper}L{_joined(lower)}Z"/>'


def _steps(course: Course, values: Sequence[float]) -> str:
    return f"M{_joined(_corners(course, values))}"


def _corners(course: Course, values: Sequence[float]) -> list[tuple[float, float]]:
    """The corners of a line that keeps each value until the next; the last stretch slopes, since only time went by."""
    found = [(course.x(course.at[0]), course.y(values[0]))]
    for place in range(1, len(values)):
        x = course.x(course.at[place])
        if place < len(values) - 1:
            found.append((x, course.y(values[place - 1])))
        found.append((x, course.y(values[place])))
    return found


def _joined(corners: Sequence[tuple[float, float]]) -> str:
    return "L".join(f"{x:.1f} {y:.1f}" for x, y in corners)


def _grid(course: Course, number: int) -> str:
    y = course.y(number)
    text = f'<text class="rg-t" x="{LEFT - 8}" y="{y + 4:.1f}">{number}</text>'
    return f'<path class="rg-g" d="M{LEFT} {y:.1f}H{RIGHT}"/>{text}'


def _date(course: Course, at: float, words: str) -> str:
    x = course.x(at)
    side = "start" if at == course.at[0] else "end" if at == course.at[-1] else "middle"
    return f'<text class="rg-d rg-{side}" x="{x:.1f}" y="{BOTTOM + 24}">{escape(words)}</text>'


def _end(course: Course) -> str:
    return f'<circle class="rg-end" cx="{RIGHT}" cy="{course.y(course.values[-1]):.1f}" r="5"/>'
