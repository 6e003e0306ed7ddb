"""The standings, with what every value is made of for whoever asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import request, url_for

from bgmail.pairing.ranking import Explained
from bgmail.phrases import tie_breaks
from bgmail.phrases.people import called
from bgmail.phrases.tie_breaks import criterion_name, criterion_says, points_say
from bgmail.phrases.translate import gettext as _
from bgmail.service.tournaments import views
from bgmail.service.tournaments.counting import Counted, counted
from bgmail.service.tournaments.views import Entrant, EntryState
from bgmail.web.tournaments.frame import Visit, blueprint, render, visit
from bgmail.web.tournaments.meetings import Player
from bgmail.world import world

PAGE = 100
"""So many lines at a time."""
FOLDED = {"wins", "round_out", "third_place", "lot"}
"""Criteria without a column of their own: they are told otherwise, or only where somebody asks why."""
ONE_EACH = {"wins", "head_to_head", "higher_placed"}
"""Criteria that count matches: an opponent's name says it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line. `place` "" for one that is not listed; `values` stand under the columns; `sums` are (criterion, how it
    adds up); `why` says what parts it from the line above."""

    place: str
    player: Player
    wins: int
    losses: int
    values: tuple[str, ...]
    sums: tuple[tuple[str, str], ...]
    why: str
    says: str
    mine: bool


@dataclass(frozen=True, slots=True)
class Board:
    """The rows of one group (`group` from 1), or of all (0)."""

    group: int
    rows: tuple[Row, ...]


@blueprint.get("/<tournament_id>/standings")
def standings(tournament_id: str) -> str:
    """A hundred lines at a time."""
    seen = visit(tournament_id)
    store = world().store
    kept = views.standings(store, tournament_id)
    start = asked_start(len(kept.lines))
    criteria = _criteria(seen, kept.lines)
    columns = [name for name in criteria if name not in FOLDED]
    shown = kept.lines[start : start + PAGE]
    count = counted(store, seen.tournament, kept.lines, shown)
    return render(
        "standings.html",
        seen,
        "standings",
        boards=_boards(seen, kept, shown, columns, count),
        columns=[criterion_name(name) for name in columns],
        meanings=[(criterion_name(name), criterion_says(name)) for name in criteria],
        in_share=_in_share("round_out" in criteria, kept.lines),
        stand_in=tie_breaks.stand_in_says(seen.tournament.plan),
        pages=pages("standings", tournament_id, len(kept.lines), start),
        own=_own_page(seen, kept.lines, start),
    )


def _in_share(in_bracket: bool, lines: Sequence[views.Line]) -> bool:
    """Whether several who are still in a bracket share its first place, so that the page says why."""
    return in_bracket and sum(line.rank == 1 and line.out_in is None for line in lines) > 1


def asked_start(count: int) -> int:
    """The first line of the page that is asked for, from 0."""
    asked = request.args.get("first", "")
    number = int(asked) - 1 if asked.isascii() and asked.isdecimal() and len(asked) < 6 else 0
    return min(max(0, number) // PAGE * PAGE, max(0, count - 1) // PAGE * PAGE)


def pages(endpoint: str, tournament_id: str, count: int, start: int) -> list[tuple[str, str, bool]]:
    """The pages of a long table as (lines, address, whether it is this one); none for a short one."""
    if count <= PAGE:
        return []
    return [
        (
            tie_breaks.lines_say(first + 1, min(first + PAGE, count), count),
            url_for(f"tournaments.{endpoint}", tournament_id=tournament_id, first=first + 1),
            first == start,
        )
        for first in range(0, count, PAGE)
    ]


def player_of(one: Entrant) -> Player:
    """Somebody in a table."""
    name = called(one.handle)
    return Player(name, name == one.handle, one.is_bot, won=False)


def _criteria(seen: Visit, lines: Sequence[views.Line]) -> list[str]:
    """Those that the lines have, in the order in which they are compared."""
    found = {name for line in lines for name, _value in line.values}
    begins = ("wins",) if lines and lines[0].values[:1] and lines[0].values[0][0] == "wins" else ()
    order = (*begins, "round_out", "third_place", "wins", *seen.tournament.plan.tie_breaks, "lot")
    if begins:  # what stands before the tie-breaks elsewhere may be one of them here
        order = (*begins, *seen.tournament.plan.tie_breaks, *order)
    return [name for name in dict.fromkeys(order) if name in found]


def _boards(
    seen: Visit, kept: views.Standings, shown: Sequence[views.Line], columns: Sequence[str], count: Counted
) -> list[Board]:
    names = {line.entrant.number: called(line.entrant.handle) for line in kept.lines}
    rows = {line.entrant.number: _row(seen, line, columns, count.reasons, names) for line in shown}
    if not count.groups:
        return [Board(0, tuple(rows.values()))]
    return [
        Board(number, tuple(row for entry, row in rows.items() if entry in group))
        for number, group in enumerate(count.groups, 1)
    ]


def _row(
    seen: Visit,
    line: views.Line,
    columns: Sequence[str],
    reasons: Mapping[int, tuple[Explained, ...]],
    names: Mapping[int, str],
) -> Row:
    values, why = dict(line.values), reasons.get(line.entrant.number, ())
    if tuple((one.criterion, one.value) for one in why) != line.values:
        why = ()  # something has been decided since the standings were computed: they follow in a moment
    return Row(
        place=str(line.rank) if line.listed else "",
        player=player_of(line.entrant),
        wins=line.wins,
        losses=line.losses,
        values=tuple(points_say(name, values[name]) if name in values else "–" for name in columns),
        sums=tuple((criterion_name(one.criterion), _sum(one, names)) for one in why if _is_told(one, line)),
        why=tie_breaks.decided_says(line.decided_by) if line.decided_by else "",
        says=_state(line),
        mine=seen.reader_id is not None and line.entrant.account_id == seen.reader_id,
    )


def _is_told(one: Explained, line: views.Line) -> bool:
    """The lot is told to those whom it decides on, the round to those who are out."""
    if one.criterion == "lot":
        return line.decided_by == "lot"
    return one.criterion != "round_out" or line.out_in is not None


def _sum(one: Explained, names: Mapping[int, str]) -> str:
    value = points_say(one.criterion, one.value)
    if not one.parts or (
        len(one.parts) == 1 and one.parts[0].opponent is None and one.criterion not in ONE_EACH
    ):
        return value
    parts = [
        tie_breaks.part_says(
            None if part.opponent is None else names[part.opponent],
            "" if one.criterion in ONE_EACH else points_say(one.criterion, part.points),
            part.counts,
        )
        for part in one.parts
    ]
    return tie_breaks.sum_says(parts, value)


def _state(line: views.Line) -> str:
    states = {
        EntryState.WITHDRAWN: _("has withdrawn"),
        EntryState.EXCLUDED: _("was excluded"),
        EntryState.DISQUALIFIED: _("was disqualified"),
    }
    return states.get(line.entrant.state) or tie_breaks.out_says(line.out_in)


def _own_page(seen: Visit, lines: Sequence[views.Line], start: int) -> tuple[int, str] | None:
    """The reader's own place and the page that has it, if it is another one."""
    for index, line in enumerate(lines):
        if line.entrant.account_id == seen.reader_id and not start <= index < start + PAGE:
            first = index // PAGE * PAGE + 1
            return line.rank, url_for("tournaments.standings", tournament_id=seen.tournament.id, first=first)
    return None
