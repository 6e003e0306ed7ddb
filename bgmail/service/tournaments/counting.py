"""What stands behind the standings: the sums of tie-breaks part by part, and cross tables. Read, never stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bgmail.pairing.crosstable import CrossTable, cross_tables
from bgmail.pairing.field import Field, Format, Standing
from bgmail.pairing.ranking import Explained
from bgmail.pairing.roundrobin import RoundRobin
from bgmail.pairing.stages import Explaining, Stages
from bgmail.service.tournaments.field import field_of, field_shown, pairing_of
from bgmail.service.tournaments.views import Entrant, Line, Pairing, Tournament
from bgmail.store import tournaments as rows
from bgmail.store.engine import Store


@dataclass(frozen=True, slots=True)
class Counted:
    """The values of each listed entry with their parts, by its number; and the numbers of each group, where the
    standings are those of groups (else ())."""

    reasons: Mapping[int, tuple[Explained, ...]]
    groups: tuple[tuple[int, ...], ...] = ()


def counted(store: Store, tournament: Tournament, lines: Sequence[Line], shown: Sequence[Line]) -> Counted:
    """What those lines of the standings that are `shown` are made of. One statement, however large it is.

    A line is left out if something was decided since: its values follow in a moment.
    """
    with store.read() as connection:
        results = rows.results(connection, tournament.id)
    entrants = [line.entrant for line in lines]
    field = field_of(entrants, [pairing_of(row) for row in results], tournament.lot)
    format_ = tournament.plan.format()
    if not isinstance(format_, Explaining):
        return Counted({}, _groups(format_, field))
    only = {line.entrant.number for line in shown}
    reasons = format_.explained(field, [_standing(line) for line in lines], only)
    return Counted(reasons, _groups(format_, field))


def _standing(line: Line) -> Standing:
    return Standing(
        line.rank,
        line.entrant.number,
        line.wins,
        line.losses,
        line.played,
        line.values,
        line.decided_by,
        line.out_in,
        line.listed,
    )


def crossed(
    tournament: Tournament, entrants: Iterable[Entrant], pairings: Iterable[Pairing]
) -> tuple[CrossTable, ...]:
    """The cross tables of those stages that have one."""
    return cross_tables(tournament.plan.format(), field_shown(entrants, pairings, tournament.lot))


def _groups(format_: Format, field: Field) -> tuple[tuple[int, ...], ...]:
    """Those of a round robin in groups, as long as no other stage has followed it."""
    if isinstance(format_, Stages):
        first = format_.formats[0]
        later = any(":" in pairing.key for pairing in field.pairings)
        return () if later else _groups(first, format_.inside(field, 0))
    groups = format_.groups(field) if isinstance(format_, RoundRobin) else ()
    return groups if len(groups) > 1 else ()
