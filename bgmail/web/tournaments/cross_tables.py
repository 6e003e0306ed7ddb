"""Cross tables: everybody's results against each opponent, or round by round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import url_for

from bgmail.pairing import crosstable
from bgmail.pairing.crosstable import CrossTable
from bgmail.pairing.field import How
from bgmail.phrases.formats import group_name, round_name, stage_name
from bgmail.phrases.people import called
from bgmail.phrases.translate import gettext as _
from bgmail.service.tournaments import views
from bgmail.service.tournaments.counting import crossed
from bgmail.service.tournaments.views import Pairing
from bgmail.web.tournaments.frame import Visit, blueprint, render, visit
from bgmail.web.tournaments.meetings import Player
from bgmail.web.tournaments.standings import PAGE, asked_start, pages, player_of
from bgmail.world import world

MANY = 12
"""A table of more lines than this needs a wide page."""


@dataclass(frozen=True, slots=True)
class Result:
    """One result in a cell: a sign for the eye, a sentence for the ear, the opponent for cells that stand alone."""

    sign: str
    says: str
    opponent: str
    href: str
    won: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One line: a cell for each column; None where the line meets itself."""

    place: str
    player: Player
    wins: int
    cells: tuple[tuple[Result, ...] | None, ...]
    mine: bool


@dataclass(frozen=True, slots=True)
class Grid:
    """One table. Columns are (what stands there, what it means)."""

    title: str
    columns: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]
    by_round: bool


@blueprint.get("/<tournament_id>/cross-table")
def cross_table(tournament_id: str) -> str:
    """All tables of a tournament; of long ones a hundred lines at a time."""
    seen = visit(tournament_id)
    pairings = {one.key: one for one in views.pairings(world().store, tournament_id)}
    people = {one.number: one for one in views.entrants(world().store, tournament_id)}
    tables = crossed(seen.tournament, people.values(), pairings.values())
    longest = max((len(one.rows) for one in tables), default=0)
    start = asked_start(longest)
    return render(
        "cross_table.html",
        seen,
        "cross_table",
        wide=any(one.rounds or len(one.rows) > MANY for one in tables),
        grids=[_grid(seen, one, len(tables) > 1, pairings, people, start) for one in tables],
        pages=pages("cross_table", tournament_id, longest, start),
    )


def _grid(
    seen: Visit,
    table: CrossTable,
    several: bool,
    pairings: Mapping[str, Pairing],
    people: Mapping[int, views.Entrant],
    start: int,
) -> Grid:
    if table.rounds:
        columns = tuple((str(number), round_name(number)) for number in table.rounds)
    else:
        columns = tuple((str(row.line.rank), called(people[row.line.entry].handle)) for row in table.rows)
    return Grid(
        title=_title(seen, table) if several else "",
        columns=columns,
        rows=tuple(_row(seen, row, table, pairings, people) for row in table.rows[start : start + PAGE]),
        by_round=bool(table.rounds),
    )


def _title(seen: Visit, table: CrossTable) -> str:
    if table.group:
        return group_name(table.group)
    return stage_name(seen.tournament.plan.stages[table.stage])


def _row(
    seen: Visit,
    row: crosstable.Row,
    table: CrossTable,
    pairings: Mapping[str, Pairing],
    people: Mapping[int, views.Entrant],
) -> Row:
    line, own = row.line, people[row.line.entry]
    others = [None] * len(row.cells) if table.rounds else [one.line.entry for one in table.rows]
    return Row(
        place=str(line.rank) if line.listed else "",
        player=player_of(own),
        wins=line.wins,
        cells=tuple(
            None if other == line.entry else tuple(_result(pairings[one.key], line.entry) for one in cell)
            for other, cell in zip(others, row.cells, strict=True)
        ),
        mine=seen.reader_id is not None and own.account_id == seen.reader_id,
    )


def _result(one: Pairing, entry: int) -> Result:
    side = one.second if one.first.number == entry else one.first
    name = called(side.handle) if side else _("bye")
    sign, says = _told(one, entry, name)
    href = url_for("match.page", match_id=one.match_id) if one.match_id else ""
    return Result(sign, says, name, href, one.winner == entry)


def _told(one: Pairing, entry: int, name: str) -> tuple[str, str]:
    """The sign of a result and the sentence for it."""
    if one.how is None:
        return "·", _("against %(name)s: not over", name=name)
    if one.how is How.BYE:
        return "+", _("bye")
    if one.how is How.ANNULLED:
        return "×", _("against %(name)s: annulled", name=name)
    won = one.winner == entry
    if one.how is How.FORFEIT:
        if won:
            return "+", _("won against %(name)s without play", name=name)
        return "–", _("lost against %(name)s without play", name=name)
    return (
        ("1", _("won against %(name)s", name=name)) if won else ("0", _("lost against %(name)s", name=name))
    )
