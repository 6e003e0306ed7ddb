"""The bracket of a tournament: drawn, and as lists beside the drawing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import url_for
from markupsafe import Markup

from bgmail.pairing.bracket import Bracket, Fixture, Kind, Part
from bgmail.pairing.field import How
from bgmail.pairing.progress import Filled
from bgmail.phrases.formats import column_name, fixture_name, source_name, stage_name
from bgmail.phrases.people import called
from bgmail.phrases.translate import gettext as _
from bgmail.service.tournaments import views
from bgmail.service.tournaments.brackets import StageBracket, brackets
from bgmail.web.tournaments.drawing import Box, Slot, draw
from bgmail.web.tournaments.frame import Visit, blueprint, render, visit
from bgmail.web.tournaments.meetings import Meeting, meeting
from bgmail.world import world

DRAWN = 6
"""How many of the last rounds are shown: the last 64. Earlier ones are among the pairings alone."""


@dataclass(frozen=True, slots=True)
class Place:
    """One meeting in a list, with its number in its round (0 for the only one): `meeting` once it is known who meets,
    else what each side waits for."""

    number: int
    meeting: Meeting | None
    sides: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Column:
    """One round of one part of a bracket."""

    name: str
    places: list[Place]


@dataclass(frozen=True, slots=True)
class Shown:
    """One stage's bracket: drawings with their headings, and the lists. `cut`: early rounds are left out."""

    name: str
    drawings: list[tuple[str, Markup]]
    columns: list[Column]
    cut: bool


@blueprint.get("/<tournament_id>/bracket")
def bracket(tournament_id: str) -> str:
    """The bracket, for everybody."""
    seen, store = visit(tournament_id), world().store
    entrants = views.entrants(store, tournament_id)
    pairings = views.pairings(store, tournament_id)
    people = {one.number: one for one in entrants}
    by_key = {one.key: one for one in pairings}
    drawn = brackets(seen.tournament.plan, entrants, pairings)
    sheets = [_Sheet(seen, one, people, by_key, _seeds(one)) for one in drawn]
    return render("bracket.html", seen, "bracket", shown=[sheet.shown() for sheet in sheets])


def _seeds(drawn: StageBracket) -> dict[int, int]:
    return {entry: seed for seed, entry in enumerate(drawn.progress.places, 1)}


@dataclass(frozen=True, slots=True)
class _Sheet:
    """One stage's bracket with all that is told about it."""

    seen: Visit
    drawn: StageBracket
    people: Mapping[int, views.Entrant]
    pairings: Mapping[str, views.Pairing]
    seeds: Mapping[int, int]

    @property
    def bracket(self) -> Bracket:
        return self.drawn.progress.bracket

    @property
    def is_double(self) -> bool:
        """Whether there is a losers' bracket: then meetings have their keys beside them."""
        return self.bracket.last(Part.LOSERS) > 0

    def shown(self) -> Shown:
        """Drawings and lists."""
        columns: dict[tuple[Part, int], list[Place]] = {}
        for filled in self.drawn.progress.filled.values():
            fixture = filled.fixture
            if self._is_needed(fixture) and fixture.column >= _first(self.bracket, fixture.part):
                columns.setdefault((fixture.part, fixture.column), []).append(self._place(filled))
        return Shown(
            name=stage_name(self.seen.tournament.plan.stages[self.drawn.stage]),
            drawings=self._drawings(),
            columns=[
                Column(column_name(self.bracket, *column), places) for column, places in columns.items()
            ],
            cut=_first(self.bracket, Part.WINNERS) > 1,
        )

    def _drawings(self) -> list[tuple[str, Markup]]:
        """The winners' bracket with the final, and the losers' bracket."""
        shown = [fixture for fixture in self.bracket.fixtures if self._is_drawn(fixture)]
        boxes = {fixture.key: self._box(fixture) for fixture in shown}
        headings = {(f.part, f.column): column_name(self.bracket, f.part, f.column) for f in shown}
        losers = [fixture for fixture in shown if fixture.part is Part.LOSERS]
        others = [fixture for fixture in shown if fixture.part is not Part.LOSERS]
        first = _("Winners’ bracket and final") if losers else _("Bracket")
        return [
            (name, Markup(draw(fixtures, boxes, headings)))  # noqa: S704 - every text in it is escaped
            for name, fixtures in ((first, others), (_("Losers’ bracket"), losers))
            if fixtures
        ]

    def _is_drawn(self, fixture: Fixture) -> bool:
        """Byes are no meetings, a second final is drawn when it comes, very early rounds are left out."""
        if fixture.is_bye or fixture.column < _first(self.bracket, fixture.part):
            return False
        return self._is_needed(fixture)

    def _is_needed(self, fixture: Fixture) -> bool:
        return not fixture.if_needed or self.drawn.progress.filled[fixture.key].pairing is not None

    def _meeting(self, filled: Filled) -> Meeting | None:
        pairing = self.pairings.get(self.drawn.key(filled.pairing.key)) if filled.pairing else None
        return meeting(self.seen, pairing, (self.bracket, filled.fixture)) if pairing else None

    def _place(self, filled: Filled) -> Place:
        one, other = (self._who(filled, side) for side in (0, 1))
        alone = column_name(self.bracket, filled.fixture.part, filled.fixture.column)
        is_only = fixture_name(self.bracket, filled.fixture) == alone
        return Place(0 if is_only else filled.fixture.number, self._meeting(filled), (one, other))

    def _who(self, filled: Filled, side: int) -> str:
        """Who sits there, or what is waited for."""
        there = filled.sides[side]
        if there.entry is not None:
            return called(self.people[there.entry].handle)
        return _("nobody") if there.known else source_name(self.bracket, filled.fixture.sources[side])

    def _box(self, fixture: Fixture) -> Box:
        filled = self.drawn.progress.filled[fixture.key]
        told, name = self._meeting(filled), fixture_name(self.bracket, fixture)
        one, other = self._slot(filled, 0), self._slot(filled, 1)
        label = f"{name}: {self._who(filled, 0)} – {self._who(filled, 1)}"
        return Box(
            slots=(one, other),
            label=f"{label}, {told.says}" if told else label,
            href=url_for("match.page", match_id=told.match_id) if told and told.match_id else "",
            live=bool(told and told.match_id and not told.over),
            code=self._code(fixture),
        )

    def _code(self, fixture: Fixture) -> str:
        """What stands above a box, where no heading says it or the other drawing speaks of it."""
        if fixture.part is Part.THIRD:
            return fixture_name(self.bracket, fixture)
        return fixture.key.upper() if self.is_double else ""

    def _slot(self, filled: Filled, side: int) -> Slot:
        entry, result = filled.sides[side].entry, filled.result
        if entry is None:
            return Slot(self._expected(filled, side), known=False)
        won = result is not None and result.winner == entry
        by_absence = result is not None and result.how is How.FORFEIT
        return Slot(
            name=called(self.people[entry].handle),
            seed=self.seeds[entry],
            won=won,
            lost=result is not None and not won,
            mark=("+" if won else "–") if by_absence else "",
        )

    def _expected(self, filled: Filled, side: int) -> str:
        """Who is waited for, in few letters: where a line leads to the place, it says where from."""
        source, part = filled.fixture.sources[side], filled.fixture.part
        if filled.sides[side].known:
            return _("nobody")
        if source.kind is Kind.VACANT:
            return _("vacant")
        if source.kind is Kind.LOSER:
            return _("loser of %(match)s", match=source.key.upper()) if self.is_double else "…"
        if part is Part.FINAL and self.bracket.by_key[source.key].part is Part.LOSERS:
            return _("winner of %(match)s", match=source.key.upper())
        return "…"


def _first(bracket: Bracket, part: Part) -> int:
    """The first column that is drawn."""
    most = {Part.WINNERS: DRAWN, Part.LOSERS: 2 * (DRAWN - 1)}.get(part)
    return 1 if most is None else max(1, bracket.last(part) - most + 1)
