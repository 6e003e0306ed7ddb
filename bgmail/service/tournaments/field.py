"""What a format is asked with: the field of a tournament, made of its rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Row

from bgmail.pairing.field import Entry, Field, How, Pairing, Result, Standing, Status
from bgmail.service.tournaments import views
from bgmail.store.tournaments import PLAYING


def field_of(entries: Iterable[Any], pairings: Iterable[Pairing], lot: str) -> Field:
    """The field, of rows or of what pages read: entries that wait, or left before the start, are not in it."""
    return Field(tuple(_entry(row) for row in entries if row.state in PLAYING), tuple(pairings), lot)


def _entry(row: Any) -> Entry:
    seed = row.number if row.seed is None else row.seed
    return Entry(row.number, seed, row.rating, Status(row.state), row.section)


def pairing_of(row: Row[Any], result: Result | None = None) -> Pairing:
    """The pairing of a row; `result` is one that isn't written down yet."""
    kept = None if row.how is None else Result(row.winner, How(row.how))
    return Pairing(row.key, row.round, row.first, row.second, kept or result, row.fixed)


def field_shown(entrants: Iterable[views.Entrant], pairings: Iterable[views.Pairing], lot: str) -> Field:
    """The field of what pages read."""
    return field_of(entrants, [_bare(one) for one in pairings], lot)


def _bare(one: views.Pairing) -> Pairing:
    result = None if one.how is None else Result(one.winner, one.how)
    second = None if one.second is None else one.second.number
    return Pairing(one.key, one.round, one.first.number, second, result, one.fixed)


def standings_data(standings: Sequence[Standing], head: int) -> dict[str, Any]:
    """The standings as they are kept for pages: `bgmail.service.tournaments.views` reads them."""
    return {
        "head": head,
        "lines": [
            [
                line.rank,
                line.entry,
                line.wins,
                line.losses,
                line.played,
                [[name, value] for name, value in line.values],
                line.decided_by,
                line.out_in,
                line.listed,
            ]
            for line in standings
        ],
    }
