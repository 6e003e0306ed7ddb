"""Cross tables: everybody's results side by side, against each opponent or round by round."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bgmail.pairing.field import Field, Format, Pairing, Standing
from bgmail.pairing.roundrobin import RoundRobin
from bgmail.pairing.stages import Stages
from bgmail.pairing.swiss import Swiss, SwissElimination

Cell = tuple[Pairing, ...]
"""The pairings of one entry with one opponent, or in one round."""


@dataclass(frozen=True, slots=True)
class Row:
    """One entry with its cells: one for each line of the table (its own empty), or one for each round."""

    line: Standing
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class CrossTable:
    """One table. `stage` counts from 0, `group` from 1 (0 = there are no groups). `rounds`: the numbers of the
    columns of a Swiss system, in rounds of the whole tournament; () where each line is a column too."""

    stage: int
    group: int
    rows: tuple[Row, ...]
    rounds: tuple[int, ...] = ()


def cross_tables(format_: Format, field: Field) -> tuple[CrossTable, ...]:
    """One for each group of a round robin, and one for each Swiss system; none for brackets and for what has not begun.

    The lines are in the order of the standings of that stage; pairings keep the keys and rounds of the field.
    """
    formats = format_.formats if isinstance(format_, Stages) else (format_,)
    made = {pairing.key: pairing for pairing in field.pairings}
    found: list[CrossTable] = []
    for stage, one in enumerate(formats):
        inside = format_.inside(field, stage) if isinstance(format_, Stages) else field
        prefix = f"{stage + 1}:" if stage else ""
        own = tuple(made[prefix + pairing.key] for pairing in inside.pairings)
        if not own:
            break
        if isinstance(one, RoundRobin):
            found += _grids(stage, one, inside, own)
        elif isinstance(one, Swiss | SwissElimination):
            found.append(_by_round(stage, one.standings(inside), own))
    return tuple(found)


def _grids(stage: int, format_: RoundRobin, inside: Field, own: tuple[Pairing, ...]) -> list[CrossTable]:
    lines, groups = format_.standings(inside), format_.groups(inside)
    return [
        replace(_grid(stage, [line for line in lines if line.entry in group], own), group=number)
        for number, group in enumerate(groups, 1 if len(groups) > 1 else 0)
    ]


def _grid(stage: int, lines: list[Standing], own: tuple[Pairing, ...]) -> CrossTable:
    cells: dict[tuple[int, int | None], list[Pairing]] = {}
    for pairing in own:
        cells.setdefault((pairing.first, pairing.second), []).append(pairing)
        if pairing.second is not None:
            cells.setdefault((pairing.second, pairing.first), []).append(pairing)
    return CrossTable(
        stage,
        0,
        tuple(
            Row(line, tuple(tuple(cells.get((line.entry, other.entry), ())) for other in lines))
            for line in lines
        ),
    )


def _by_round(stage: int, lines: tuple[Standing, ...], own: tuple[Pairing, ...]) -> CrossTable:
    rounds = tuple(sorted({pairing.round for pairing in own}))
    cells: dict[tuple[int | None, int], list[Pairing]] = {}
    for pairing in own:
        for entry in {pairing.first, pairing.second} - {None}:
            cells.setdefault((entry, pairing.round), []).append(pairing)
    return CrossTable(
        stage,
        0,
        tuple(
            Row(line, tuple(tuple(cells.get((line.entry, number), ())) for number in rounds))
            for line in lines
        ),
        rounds,
    )
