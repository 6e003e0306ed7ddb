"""The divisions of a league as they stand, and who would go up or down."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row

from bgmail.pairing.leagues import Finish, moving
from bgmail.service.tournaments.series import Held, Series, held_of
from bgmail.service.tournaments.views import Entrant, EntryState, Line, entrant_of, standings_of
from bgmail.store import series as rows
from bgmail.store import tournaments as tournament_rows
from bgmail.store.engine import Store


@dataclass(frozen=True, slots=True)
class Table:
    """The standings of one division as they are, and the same as the next season takes them: who stays, by account."""

    held: Held
    lines: tuple[Line, ...]
    finish: tuple[Finish, ...]


def tables(store: Store, found: Series) -> tuple[Table, ...]:
    """The standings of the season that runs or ran last, the highest division first."""
    with store.read() as connection:
        divisions = rows.divisions(connection, found.id, found.season)
        people = people_of(connection, divisions)
        here = frozenset(row.account_id for row in rows.members(connection, found.id))
    lines = [final_order(row.standings, people[row.id]) for row in divisions]
    finishes = finishes_of(lines, here)
    parts = zip(divisions, lines, finishes, strict=True)
    return tuple(Table(held_of(row, found.season), line, finish) for row, line, finish in parts)


def finishes_of(divisions: Iterable[Sequence[Line]], here: Container[int]) -> list[tuple[Finish, ...]]:
    """Final standings as they make the next season's divisions: `here` are the accounts of those who are still members.
    Who was a substitute in a lower division too counts in the higher one alone."""
    known: set[int] = set()
    found = []
    for lines in divisions:
        own = [line.entrant for line in lines if line.entrant.account_id not in known]
        known.update(one.account_id for one in own)
        found.append(
            tuple(
                Finish(one.account_id, one.state is EntryState.IN and one.account_id in here) for one in own
            )
        )
    return found


def ways(found: Series, tables: Sequence[Table], place: int) -> tuple[str, ...]:
    """Where each line of one of the divisions would go if the season ended now: "up", "down" or "". Who has played
    nothing yet goes nowhere."""
    up, down = moving([table.finish for table in tables], place, found.moves)
    own = {one.person for one in tables[place].finish}

    def way(line: Line) -> str:
        person = line.entrant.account_id
        if not line.played or person not in own:
            return ""
        return "up" if person in up else "down" if person in down else ""

    return tuple(map(way, tables[place].lines))


def people_of(connection: Connection, divisions: Sequence[Row[Any]]) -> dict[str, dict[int, Entrant]]:
    """The entrants of tournaments by their ids, each by number. One statement, however many there are."""
    found = tournament_rows.entries_in(connection, [row.id for row in divisions])
    return {id_: {row.number: entrant_of(row) for row in entries} for id_, entries in found.items()}


def final_order(kept: str | None, people: Mapping[int, Entrant]) -> tuple[Line, ...]:
    """The standings of a tournament; by seed where there are none, as in one that was called off."""
    lines = standings_of(kept, people).lines
    if lines:
        return lines
    seeded: Sequence[Entrant] = sorted(people.values(), key=lambda one: (one.seed or 0, one.number))
    return tuple(Line(place, one, 0, 0, 0, (), "", None, True) for place, one in enumerate(seeded, 1))
