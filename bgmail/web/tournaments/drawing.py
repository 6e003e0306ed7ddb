"""A bracket as SVG, styled by class alone: columns from left to right, each meeting between the two it comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from bgmail.pairing.bracket import Fixture, Kind, Part

WIDTH, ROW, GAP = 204, 25, 44
STEP = 2 * ROW + 22
"""From one meeting of the first column to the next."""
TOP = 44
"""Where the first meeting begins: headings stand above."""
EDGE = 2
SEED_WIDTH, MARK_WIDTH = 34, 22
LONGEST = 21
"""Characters of a name that fit."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One side of a meeting. `known` False: `name` says what is waited for. `mark`: "+", "–" or ""."""

    name: str
    seed: int | None = None
    known: bool = True
    won: bool = False
    lost: bool = False
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    """A meeting as it is drawn. `href` "" = it leads nowhere. `live`: it is being played."""

    slots: tuple[Slot, Slot]
    label: str
    href: str = ""
    live: bool = False
    code: str = ""


Column = tuple[Part, int]


def draw(fixtures: Sequence[Fixture], boxes: Mapping[str, Box], headings: Mapping[Column, str]) -> str:
    """Those fixtures as an SVG element; each column has its heading. Names are any text (escaped here).

    What is drawn is in a list beside it, so the drawing is hidden from readers of the screen, and its links are
    left out of the order of the keyboard.
    """
    columns = _columns(fixtures)
    rows = _rows(fixtures)
    places = {
        f.key: (EDGE + columns[f.part, f.column] * (WIDTH + GAP), TOP + round(rows[f.key] * STEP))
        for f in fixtures
    }
    width = max(x for x, _ in places.values()) + WIDTH + EDGE
    height = max(y for _, y in places.values()) + 2 * ROW + 8
    return "".join(
        (
            f'<svg class="br" width="{width}" height="{height}" viewBox="0 0 {width} {height}" aria-hidden="true">',
            *_headings(columns, headings),
            *(_line(places, f, side) for f in fixtures for side in (0, 1)),
            *(_box(places[f.key], boxes[f.key]) for f in fixtures),
            "</svg>",
        )
    )


def _columns(fixtures: Sequence[Fixture]) -> dict[Column, int]:
    """Where each column stands, from the left; the match for the third place is below the final."""
    found: dict[Column, int] = {}
    for fixture in sorted(fixtures, key=lambda f: f.round):
        column = fixture.part, fixture.column
        if fixture.part is not Part.THIRD and column not in found:
            found[column] = len(found)
    third = (Part.THIRD, 1)
    if any((f.part, f.column) == third for f in fixtures):
        found[third] = max(found.values(), default=0)
    return found


def _rows(fixtures: Sequence[Fixture]) -> dict[str, float]:
    """How far down each meeting stands, in steps: who comes from nowhere in the drawing takes the next free row."""
    by_key = {fixture.key: fixture for fixture in fixtures}
    fed = {s.key for f in fixtures if f.part is not Part.THIRD for s in f.sources if s.kind is Kind.WINNER}
    rows: dict[str, float] = {}
    free = 0

    def lay(fixture: Fixture) -> float:
        nonlocal free
        before = [by_key[key] for key in dict.fromkeys(_fed_by(fixture)) if key in by_key]
        if before:
            found = [lay(one) for one in before]
            rows[fixture.key] = sum(found) / len(found)
        else:
            rows[fixture.key] = float(free)
            free += 1
        return rows[fixture.key]

    for fixture in fixtures:
        if fixture.key not in fed and fixture.part is not Part.THIRD:
            lay(fixture)
    for fixture in fixtures:
        if fixture.part is Part.THIRD:
            rows[fixture.key] = rows[_last(fixtures).key] + 1.5
    return rows


def _fed_by(fixture: Fixture) -> list[str]:
    return [source.key for source in fixture.sources if source.kind is Kind.WINNER]


def _last(fixtures: Sequence[Fixture]) -> Fixture:
    return max((f for f in fixtures if f.part is not Part.THIRD), key=lambda f: f.round)


def _headings(columns: Mapping[Column, int], headings: Mapping[Column, str]) -> list[str]:
    return [
        f'<text class="br-head" x="{EDGE + place * (WIDTH + GAP)}" y="15">{escape(headings[column])}</text>'
        for column, place in columns.items()
        if column[0] is not Part.THIRD
    ]


def _line(places: Mapping[str, tuple[int, int]], fixture: Fixture, side: int) -> str:
    """From a meeting to the side of the next one that its winner takes."""
    source = fixture.sources[side]
    if source.kind is not Kind.WINNER or source.key not in places or (fixture.if_needed and side):
        return ""
    (x, y), (to_x, to_y) = places[source.key], places[fixture.key]
    start, middle, end = y + ROW, x + WIDTH + GAP // 2, to_y + ROW // 2 + side * ROW
    if abs(y - to_y) < 1:
        end = start
    return f'<path class="br-line" d="M{x + WIDTH} {start}H{middle}V{end}H{to_x}"/>'


def _box(place: tuple[int, int], box: Box) -> str:
    x, y = place
    live = " br-live" if box.live else ""
    code = f'<text class="br-code" x="{x + 2}" y="{y - 5}">{escape(box.code)}</text>' if box.code else ""
    inside = (
        f'<rect class="br-box{live}" x="{x}" y="{y}" width="{WIDTH}" height="{2 * ROW}" rx="7"/>'
        f'<path class="br-half" d="M{x + 1} {y + ROW}h{WIDTH - 2}"/>'
        f"{_slot(x, y, box.slots[0])}{_slot(x, y + ROW, box.slots[1])}"
    )
    if not box.href:
        return f"<g>{code}{inside}<title>{escape(box.label)}</title></g>"
    return f'{code}<a href={quoteattr(box.href)} tabindex="-1">{inside}<title>{escape(box.label)}</title></a>'


def _slot(x: int, y: int, slot: Slot) -> str:
    kind = " br-won" if slot.won else " br-lost" if slot.lost else "" if slot.known else " br-wait"
    base = y + 17
    name = slot.name if len(slot.name) <= LONGEST else f"{slot.name[: LONGEST - 1]}…"
    seed = (
        f'<text class="br-seed" x="{x + SEED_WIDTH - 9}" y="{base}">{slot.seed}</text>' if slot.seed else ""
    )
    mark = (
        f'<text class="br-mark" x="{x + WIDTH - 9}" y="{base}">{escape(slot.mark)}</text>'
        if slot.mark
        else ""
    )
    return f'{seed}<text class="br-name{kind}" x="{x + SEED_WIDTH}" y="{base}">{escape(name)}</text>{mark}'
