"""A whole tournament as data: what its organisers keep, and what a stranger needs to compute the standings anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bgmail.formats.tables import csv_of
from bgmail.service.states import rfc3339
from bgmail.service.tournaments import views
from bgmail.service.tournaments.views import Entrant, Line, Pairing, Tournament
from bgmail.store.engine import Store

FORMAT = "bgmail-tournament-1"
TABLES = ("standings", "pairings", "players")


def exported(store: Store, tournament: Tournament) -> dict[str, Any]:
    """JSON data: plan and conditions, players, pairings with their results, standings with the values of their
    criteria. Entries are called by number; `secret` and `lot` let anybody check what chance decided."""
    kept = views.standings(store, tournament.id)
    return {
        "format": FORMAT,
        "id": tournament.id,
        "name": tournament.name,
        "state": tournament.state.value,
        "plan": tournament.plan.data(),
        "conditions": tournament.conditions.to_data(),
        "digest": tournament.digest,
        "commitment": tournament.commitment,
        "secret": tournament.published,
        "lot": tournament.lot,
        "started_at": rfc3339(tournament.started_at),
        "finished_at": rfc3339(tournament.finished_at),
        "players": [_player(one) for one in views.entrants(store, tournament.id)],
        "pairings": [_pairing(one) for one in views.pairings(store, tournament.id)],
        "standings": [_line(one) for one in kept.lines],
    }


def table_of(store: Store, tournament: Tournament, table: str) -> str:
    """One of `TABLES` as CSV, with names instead of numbers. Raises KeyError for another."""
    if table == "standings":
        return _standings_csv(views.standings(store, tournament.id).lines)
    if table == "pairings":
        return _pairings_csv(views.pairings(store, tournament.id))
    if table == "players":
        players = [_player(one) for one in views.entrants(store, tournament.id)]
        names = ("number", "player", "state", "seed", "rating", "group")
        return csv_of(names, [[one[name] for name in names] for one in players])
    raise KeyError(table)


def _player(one: Entrant) -> dict[str, Any]:
    return {
        "number": one.number,
        "player": one.handle,
        "machine": one.is_bot,
        "state": one.state.value,
        "seed": one.seed,
        "rating": round(one.rating, 2),
        "group": one.section,
    }


def _pairing(one: Pairing) -> dict[str, Any]:
    return {
        "key": one.key,
        "round": one.round,
        "white": one.first.number,
        "black": one.second.number if one.second else None,
        "match": one.match_id,
        "winner": one.winner,
        "how": one.how.value if one.how else None,
        "decided": one.decided,
        "fixed": one.fixed,
    }


def _line(one: Line) -> dict[str, Any]:
    return {
        "rank": one.rank if one.listed else None,
        "number": one.entrant.number,
        "wins": one.wins,
        "losses": one.losses,
        "played": one.played,
        "criteria": [{"name": name, "value": value} for name, value in one.values],
        "decided_by": one.decided_by,
        "out_in": one.out_in,
    }


def _standings_csv(lines: Sequence[Line]) -> str:
    criteria = list(dict.fromkeys(name for line in lines for name, _ in line.values if name != "wins"))
    rows = []
    for line in lines:
        values = dict(line.values)
        own = [line.rank if line.listed else None, line.entrant.handle, line.wins, line.losses, line.played]
        rows.append([*own, *(values.get(name) for name in criteria), line.decided_by, line.out_in])
    return csv_of(("rank", "player", "wins", "losses", "played", *criteria, "decided_by", "out_in"), rows)


def _pairings_csv(pairings: Sequence[Pairing]) -> str:
    names = ("round", "key", "white", "black", "winner", "how", "match")
    return csv_of(
        names,
        [
            (
                one.round,
                one.key,
                one.first.handle,
                one.second.handle if one.second else None,
                _winner(one),
                one.how.value if one.how else None,
                one.match_id,
            )
            for one in pairings
        ],
    )


def _winner(one: Pairing) -> str | None:
    people = [side for side in (one.first, one.second) if side is not None]
    return next((side.handle for side in people if side.number == one.winner), None)
