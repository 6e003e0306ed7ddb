"""Leagues, and knockouts of which there is always one to enter: begun, joined, left and ended, read by everybody.

Their divisions and knockouts are tournaments, with all that `/tournaments` has on them.
"""

from __future__ import annotations

from typing import Any

from bgmail.api import numbers, paging
from bgmail.api.auth import Caller
from bgmail.api.body import judged, read_json
from bgmail.api.league_models import (
    JoinLeague,
    LeagueList,
    LeagueMembers,
    LeagueSeasons,
    LeagueStandings,
    LeagueState,
    NewLeague,
)
from bgmail.api.operations import Operation, offer
from bgmail.service.errors import NotFound
from bgmail.service.tournaments import divisions, series, series_states
from bgmail.service.tournaments.series import Founding, Kind, Series
from bgmail.world import world

MEMBERS = paging.Page(200, 200)

Answered = dict[str, Any]


@offer(
    Operation(
        "POST",
        "/leagues",
        "create_league",
        "Begin a league",
        LeagueState,
        status=201,
        body=NewLeague,
        problems=(400, 403, 422),
    )
)
def create(caller: Caller) -> tuple[Answered, int]:
    """Its first season begins by itself, as soon as it has members enough."""
    here, wish = world(), judged(NewLeague, read_json())
    founding = Founding(
        Kind(wish.kind), wish.name, wish.conditions, size=wish.size, moves=wish.moves, least=wish.least
    )
    return _state(
        series.create(here.store, caller.account_id, founding, here.now(), key=wish.key), caller
    ), 201


@offer(
    Operation(
        "GET",
        "/leagues",
        "list_leagues",
        "Leagues, those that go on first",
        LeagueList,
        parameters=paging.USUAL.parameters,
        problems=(422,),
    )
)
def list_(caller: Caller) -> Answered:
    """Of both kinds."""
    limit, offset = paging.USUAL.limit(), numbers.asked("cursor")
    found = series.listed(world().store, limit + 1, offset)
    return {"leagues": _states(found[:limit], caller), "cursor": paging.after(found, limit, offset)}


@offer(
    Operation("GET", "/leagues/<id>", "show_league", "A league as it stands", LeagueState, problems=(404,))
)
def show(caller: Caller, id: str) -> Answered:  # noqa: A002 - the word of the path
    """Its conditions are what a member confirms."""
    return _state(_found(id), caller)


@offer(
    Operation(
        "POST",
        "/leagues/<id>/join",
        "join_league",
        "Play from the next season on",
        LeagueState,
        body=JoinLeague,
        problems=(400, 403, 404, 422),
    )
)
def join(caller: Caller, id: str) -> Answered:  # noqa: A002
    """And every season after it; the same again changes nothing. A knockout is entered as a tournament."""
    here, found = world(), _found(id)
    wish = judged(JoinLeague, read_json())
    joined = series.join(
        here.store, found.id, caller.account_id, wish.conditions, here.now(), fair_play=wish.fair_play
    )
    return _state(joined, caller)


@offer(
    Operation(
        "POST", "/leagues/<id>/leave", "leave_league", "Play no other season", LeagueState, problems=(404,)
    )
)
def leave(caller: Caller, id: str) -> Answered:  # noqa: A002
    """The one that runs goes on, unless its tournament is left as well."""
    here, found = world(), _found(id)
    return _state(series.leave(here.store, found.id, caller.account_id, here.now()), caller)


@offer(
    Operation(
        "POST",
        "/leagues/<id>/end",
        "end_league",
        "Let no other season of your league begin",
        LeagueState,
        problems=(403, 404),
    )
)
def end(caller: Caller, id: str) -> Answered:  # noqa: A002
    """What runs is played to its end. It can't be undone; a second time changes nothing."""
    here, found = world(), _found(id)
    return _state(series.end(here.store, found.id, caller.account_id, here.now()), caller)


@offer(
    Operation(
        "GET",
        "/leagues/<id>/members",
        "list_league_members",
        "Who plays the next season of a league",
        LeagueMembers,
        parameters=MEMBERS.parameters,
        problems=(404, 422),
    )
)
def members(caller: Caller, id: str) -> Answered:  # noqa: A002, ARG001 - everybody sees the same
    """In the order in which they joined."""
    one, limit, offset = _found(id), MEMBERS.limit(), numbers.asked("cursor")
    found = series.members(world().store, one.id, limit + 1, offset)
    told = [series_states.member(each) for each in found[:limit]]
    return {"members": told, "cursor": paging.after(found, limit, offset)}


@offer(
    Operation(
        "GET",
        "/leagues/<id>/seasons",
        "list_league_seasons",
        "The tournaments of a league",
        LeagueSeasons,
        parameters=paging.USUAL.parameters,
        problems=(404, 422),
    )
)
def seasons(caller: Caller, id: str) -> Answered:  # noqa: A002, ARG001
    """Of a series of knockouts the open one is the one to enter."""
    one, limit, offset = _found(id), paging.USUAL.limit(), numbers.asked("cursor")
    found = series.held(world().store, one.id, limit + 1, offset)
    told = [series_states.held(each) for each in found[:limit]]
    return {"tournaments": told, "cursor": paging.after(found, limit, offset)}


@offer(
    Operation(
        "GET",
        "/leagues/<id>/standings",
        "show_league_standings",
        "The standings of all divisions",
        LeagueStandings,
        problems=(404,),
    )
)
def standings(caller: Caller, id: str) -> Answered:  # noqa: A002, ARG001
    """As they were last computed: within seconds of a result."""
    found = _found(id)
    tables = divisions.tables(world().store, found) if found.is_league else ()
    return {"season": found.season, "divisions": series_states.divisions(found, tables)}


def _found(series_id: str) -> Series:
    number = numbers.written(series_id)
    if number is None:
        raise NotFound("no_series")
    return series.load(world().store, number)


def _state(one: Series, caller: Caller) -> Answered:
    return _states((one,), caller)[0]


def _states(found: tuple[Series, ...], caller: Caller) -> list[Answered]:
    joined = series.joined(world().store, found, caller.account_id)
    return [{**series_states.series(one), "you": _you(one, joined, caller)} for one in found]


def _you(one: Series, joined: frozenset[int], caller: Caller) -> Answered | None:
    member, organises = one.id in joined, one.creator_id == caller.account_id
    return {"member": member, "organises": organises} if member or organises else None
