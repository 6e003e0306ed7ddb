"""Tournaments: made, listed, entered and left, commanded by their organisers, read by everybody."""

from __future__ import annotations

from typing import Any

from flask import Response, current_app, request

from bgmail.api import numbers, paging
from bgmail.api.auth import Caller
from bgmail.api.body import judged, read_json
from bgmail.api.instants import instant
from bgmail.api.operations import Operation, Parameter, offer
from bgmail.api.problems import Malformed
from bgmail.api.tournament_models import (
    Commanded,
    Enter,
    EntryList,
    NewTournament,
    PairingList,
    TournamentExport,
    TournamentList,
    TournamentLog,
    TournamentStandings,
    TournamentState,
)
from bgmail.service.tournaments import commands, creating, entering, exports, leaving, states, views
from bgmail.service.tournaments.desk import Wish
from bgmail.service.tournaments.entering import Entering
from bgmail.service.tournaments.views import State, Tournament
from bgmail.world import world

LISTS: dict[str, tuple[State, ...]] = {
    "open": (State.OPEN,),
    "running": (State.RUNNING,),
    "over": (State.OVER, State.CANCELLED),
    "mine": tuple(State),
}

Answered = dict[str, Any]


@offer(
    Operation(
        "POST",
        "/tournaments",
        "create_tournament",
        "Make a tournament that you organise",
        TournamentState,
        status=201,
        body=NewTournament,
        problems=(400, 403, 422),
    )
)
def create(caller: Caller) -> tuple[Answered, int]:
    """A draft at first: the command `open` lets people enter."""
    here, now = world(), world().now()
    wish = judged(NewTournament, read_json())
    draft = creating.Draft(
        wish.name,
        wish.plan,
        wish.conditions,
        wish.places,
        instant(wish.starts_at, "starts_at"),
        wish.starts_full,
    )
    made = creating.create(here.store, caller.account_id, draft, now, here.chance, key=wish.key)
    return _state(made, caller), 201


@offer(
    Operation(
        "GET",
        "/tournaments",
        "list_tournaments",
        "Tournaments, the newest first",
        TournamentList,
        parameters=(
            Parameter(
                "list", {"enum": list(LISTS), "default": "open"}, "`mine`: those that you play or organise"
            ),
            *paging.USUAL.parameters,
        ),
        problems=(422,),
    )
)
def list_(caller: Caller) -> Answered:
    """Drafts are among your own only."""
    which, offset = request.args.get("list", "open"), numbers.asked("cursor")
    if which not in LISTS:
        raise Malformed(f"list: {', '.join(LISTS)}.")
    whose = caller.account_id if which == "mine" else None
    limit = paging.USUAL.limit()
    found = views.listed(world().store, LISTS[which], account_id=whose, limit=limit + 1, offset=offset)
    return {"tournaments": _states(found[:limit], caller), "cursor": paging.after(found, limit, offset)}


@offer(
    Operation(
        "GET",
        "/tournaments/<id>",
        "show_tournament",
        "A tournament as it stands",
        TournamentState,
        problems=(404,),
    )
)
def show(caller: Caller, id: str) -> Answered:  # noqa: A002 - the word of the path
    """Its conditions are what an entry confirms."""
    return _state(_seen(caller, id), caller)


@offer(
    Operation(
        "POST",
        "/tournaments/<id>/enter",
        "enter_tournament",
        "Enter a tournament, or its waiting list",
        TournamentState,
        body=Enter,
        problems=(400, 403, 404, 422),
    )
)
def enter(caller: Caller, id: str) -> Answered:  # noqa: A002
    """The same again changes nothing."""
    here, now = world(), world().now()
    _seen(caller, id)
    wish = judged(Enter, read_json())
    entry = Entering(wish.conditions, wish.fair_play, wish.nonce)
    return _state(entering.enter(here.store, id, caller.account_id, entry, now, here.chance), caller)


@offer(
    Operation(
        "POST",
        "/tournaments/<id>/leave",
        "leave_tournament",
        "Give your place up",
        TournamentState,
        problems=(404, 422),
    )
)
def leave(caller: Caller, id: str) -> Answered:  # noqa: A002
    """After the start the matches that you have left are lost without play."""
    here, now = world(), world().now()
    _seen(caller, id)
    return _state(leaving.leave(here.store, id, caller.account_id, now, here.chance), caller)


@offer(
    Operation(
        "POST",
        "/tournaments/<id>/commands",
        "command_tournament",
        "Command a tournament that you organise",
        TournamentState,
        body=Commanded,
        problems=(400, 403, 404, 422),
    )
)
def command(caller: Caller, id: str) -> Answered:  # noqa: A002
    """Each command is safe to repeat under its key, and kept in the log with its reason."""
    here, now = world(), world().now()
    _seen(caller, id)
    body = judged(Commanded, read_json())
    data = body.model_dump(exclude_none=True, exclude={"command", "reason", "key", "draft"})
    if body.draft is not None:
        data["draft"] = body.draft.model_dump(exclude_unset=True)
    wish = Wish(body.command, data, body.reason, body.key)
    return _state(commands.command(here.store, id, caller.account_id, wish, now, here.chance), caller)


@offer(
    Operation("GET", "/tournaments/<id>/entries", "list_entries", "Its entries", EntryList, problems=(404,))
)
def entries(caller: Caller, id: str) -> Answered:  # noqa: A002
    """Those who wait and those who left are among them."""
    _seen(caller, id)
    return {"entries": [states.entry(one) for one in views.entrants(world().store, id)]}


@offer(
    Operation(
        "GET", "/tournaments/<id>/pairings", "list_pairings", "Its pairings", PairingList, problems=(404,)
    )
)
def pairings(caller: Caller, id: str) -> Answered:  # noqa: A002
    """With the matches that have begun."""
    _seen(caller, id)
    return {"pairings": [states.pairing(one) for one in views.pairings(world().store, id)]}


@offer(
    Operation(
        "GET",
        "/tournaments/<id>/standings",
        "show_standings",
        "Its standings",
        TournamentStandings,
        problems=(404,),
    )
)
def standings(caller: Caller, id: str) -> Answered:  # noqa: A002
    """As they were last computed: within seconds of a result."""
    _seen(caller, id)
    return states.standings(views.standings(world().store, id))


@offer(
    Operation(
        "GET",
        "/tournaments/<id>/log",
        "show_tournament_log",
        "What happened in it, and who decided what",
        TournamentLog,
        parameters=(
            Parameter("after", {"type": "integer", "minimum": 0}, "Only entries with a greater seq"),
        ),
        problems=(404, 422),
    )
)
def log(caller: Caller, id: str) -> Answered:  # noqa: A002
    """At most 1000 entries: ask again after the last one."""
    _seen(caller, id)
    return {"log": [states.told(one) for one in views.log(world().store, id, numbers.asked("after"))]}


@offer(
    Operation(
        "GET",
        "/tournaments/<id>/export",
        "export_tournament",
        "The tournament as a file: JSON with everything, or one of its tables as CSV",
        TournamentExport,
        parameters=(
            Parameter("format", {"enum": ["json", "csv"], "default": "json"}, "The file's format"),
            Parameter("table", {"enum": list(exports.TABLES), "default": "standings"}, "Which table, as CSV"),
        ),
        problems=(404, 422),
    )
)
def export(caller: Caller, id: str) -> Answered | Response:  # noqa: A002
    """Also of one that runs: as far as it got."""
    one, store = _seen(caller, id), world().store
    wanted, table = request.args.get("format", "json"), request.args.get("table", "standings")
    if wanted == "json":
        return exports.exported(store, one)
    if wanted != "csv":
        raise Malformed("format: json or csv.")
    if table not in exports.TABLES:
        raise Malformed(f"table: {', '.join(exports.TABLES)}.")
    response: Response = current_app.response_class(exports.table_of(store, one, table))
    response.content_type = "text/csv; charset=utf-8"
    response.headers["Content-Disposition"] = f'attachment; filename="{one.id}-{table}.csv"'
    response.headers["Cache-Control"] = "no-store"
    return response


def _seen(caller: Caller, tournament_id: str) -> Tournament:
    return views.load(world().store, tournament_id, caller.account_id)


def _state(one: Tournament, caller: Caller) -> Answered:
    return _states((one,), caller)[0]


def _states(found: tuple[Tournament, ...], caller: Caller) -> list[Answered]:
    around = views.around(world().store, [one.id for one in found], caller.account_id)
    return [
        {
            **states.tournament(one, around[one.id].organisers),
            "you": states.you(around[one.id], caller.account_id),
        }
        for one in found
    ]
