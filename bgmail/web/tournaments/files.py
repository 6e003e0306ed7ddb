"""What can be taken away from a tournament: its tables for spreadsheets, and all of it as data."""

from __future__ import annotations

from flask import Response, current_app

from bgmail.service.tournaments import exports
from bgmail.web.tournaments.frame import blueprint, visit
from bgmail.world import world


@blueprint.get("/<tournament_id>/export/<any(standings, pairings, players):table>.csv")
def table(tournament_id: str, table: str) -> Response:
    """One table as a file for spreadsheets."""
    seen = visit(tournament_id)
    return _file(
        exports.table_of(world().store, seen.tournament, table),
        "text/csv; charset=utf-8",
        f"{table}.csv",
        tournament_id,
    )


@blueprint.get("/<tournament_id>/export.json")
def export(tournament_id: str) -> Response:
    """The whole tournament."""
    data = exports.exported(world().store, visit(tournament_id).tournament)
    return _file(current_app.json.dumps(data), "application/json", "tournament.json", tournament_id)


def _file(content: str, kind: str, name: str, tournament_id: str) -> Response:
    response = Response(content, content_type=kind)
    response.headers.set("Content-Disposition", "attachment", filename=f"bgmail-{tournament_id}-{name}")
    return response
