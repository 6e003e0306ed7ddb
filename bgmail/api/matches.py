"""Matches: made, answered, played, listed and read."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from flask import Response, current_app, request

from bgmail import timing
from bgmail.api import cursors, numbers, paging
from bgmail.api.auth import Caller
from bgmail.api.body import judged, read_json
from bgmail.api.models import Acted, Export, Log, MatchList, State
from bgmail.api.operations import Operation, Parameter, offer
from bgmail.api.problems import Malformed
from bgmail.api.wishes import Act, Answer, Durations, NewMatch, PausesWanted, RuleValues
from bgmail.ledger.entry import Entry
from bgmail.rules.side import Side
from bgmail.service import addresses, attendance, exports, invitations, matches, turns
from bgmail.service.errors import Forbidden, Stale
from bgmail.service.states import rfc3339, state
from bgmail.service.terms import Email, Handle, Terms, To
from bgmail.service.turns import Request
from bgmail.service.views import MatchView
from bgmail.world import World, world

LISTS = ("my_turn", "running", "finished")

Answered = dict[str, Any]


@offer(
    Operation(
        "POST",
        "/matches",
        "invite",
        "Invite somebody to a match",
        State,
        status=201,
        body=NewMatch,
        problems=(400, 404, 422),
    )
)
def invite(caller: Caller) -> tuple[Answered, int]:
    """The inviter is White; the deadline is the invitation's expiry."""
    here, now = world(), world().now()
    wish = judged(NewMatch, read_json())
    view = invitations.invite(
        here.store,
        caller.account_id,
        _terms(wish),
        _addressee(wish.opponent),
        "",
        now,
        here.chance,
        nonce=wish.nonce,
        key=wish.key,
        via="api",
    )
    return state(view, view.side_of(caller.account_id), now), 201


@offer(
    Operation(
        "POST",
        "/matches/<id>/accept",
        "accept",
        "Accept an invitation: the first game opens at once",
        State,
        body=Answer,
        body_required=False,
        problems=(400, 403, 404, 409, 422),
    )
)
def accept(caller: Caller, id: str) -> Answered:  # noqa: A002 - the word of the path
    """Whoever accepts is Black."""
    here, now = world(), world().now()
    matches.visible(here.store, id, caller.account_id)
    wish = judged(Answer, read_json(required=False))
    view = invitations.accept(
        here.store, id, caller.account_id, now, here.chance, version=wish.version, nonce=wish.nonce, via="api"
    )
    return state(view, view.side_of(caller.account_id), now)


@offer(
    Operation(
        "POST",
        "/matches/<id>/decline",
        "decline",
        "Decline an invitation",
        State,
        body=Answer,
        body_required=False,
        problems=(400, 403, 404, 409, 422),
    )
)
def decline(caller: Caller, id: str) -> Answered:  # noqa: A002
    """The match is over with the ending "declined"."""
    here, now = world(), world().now()
    matches.visible(here.store, id, caller.account_id)
    wish = judged(Answer, read_json(required=False))
    view = invitations.decline(
        here.store, id, caller.account_id, now, here.chance, version=wish.version, via="api"
    )
    return state(view, view.side_of(caller.account_id), now)


@offer(
    Operation(
        "POST",
        "/matches/<id>/actions",
        "act",
        "Act in a match: roll, play, double, answer, give up",
        Acted,
        body=Act,
        problems=(400, 403, 404, 409, 422),
    )
)
def act(caller: Caller, id: str) -> Answered:  # noqa: A002
    """One action, and everything that follows without a decision."""
    here = world()
    now = here.now()
    outcome = turns.act_on_sight(
        here.store, id, lambda view: _asked(view, caller, here, now), now, here.chance
    )
    side = outcome.view.side_of(caller.account_id)
    return {**state(outcome.view, side, now), "applied_version": outcome.applied_version}


def _asked(view: MatchView, caller: Caller, here: World, now: datetime) -> tuple[Side, Request]:
    """Who sits where, and what they want: looked at in this order, however malformed the rest is."""
    side = _seat(view, caller)
    attendance.here(here.store, view, side, now, here.chance)
    value = read_json()
    try:
        wish = judged(Act, value)
    except Malformed:
        if _names_another_version(value, view):
            raise Stale(view) from None
        raise
    return side, Request(wish.action, wish.version, wish.play, wish.value, wish.nonce, wish.key, "api")


@offer(
    Operation(
        "GET",
        "/matches",
        "list_matches",
        "Your matches",
        MatchList,
        parameters=(
            Parameter("state", {"enum": list(LISTS), "default": "running"}, "Which of your matches"),
            *paging.USUAL.parameters,
        ),
        problems=(422,),
    )
)
def list_matches(caller: Caller) -> Answered:
    """`my_turn` and `running`: the nearest deadline first; `finished`: the latest first."""
    here, now = world(), world().now()
    which = request.args.get("state", "running")
    limit = paging.USUAL.limit()
    after = cursors.read(request.args.get("cursor"))
    found = matches.mine(here.store, caller.account_id, which, limit + 1, after)
    page = found[:limit]
    more = cursors.written(matches.cursor(page[-1], which)) if len(found) > limit else None
    return {
        "matches": [state(view, view.side_of(caller.account_id), now) for view in page],
        "cursor": more,
    }


@offer(Operation("GET", "/matches/<id>", "show_match", "A match as it stands", State, problems=(404,)))
def show(caller: Caller, id: str) -> Answered:  # noqa: A002
    """Matches are public to look at; invitations are not, but open ones."""
    here, now = world(), world().now()
    view = matches.visible(here.store, id, caller.account_id)
    side = view.side_of(caller.account_id)
    return state(attendance.here(here.store, view, side, now, here.chance), side, now)


@offer(
    Operation(
        "GET",
        "/matches/<id>/log",
        "show_log",
        "The log of a match",
        Log,
        parameters=(
            Parameter("after", {"type": "integer", "minimum": 0}, "Only entries with a greater seq"),
        ),
        problems=(404, 422),
    )
)
def show_log(caller: Caller, id: str) -> Answered:  # noqa: A002
    """Every entry, hashed and chained; dice that are still to come and their secret are not in it."""
    here = world()
    view = matches.visible(here.store, id, caller.account_id)
    after = numbers.within("after", 0, 2**31 - 1)
    return {"id": view.id, "entries": [_entry_json(entry) for entry in matches.log(here.store, id, after)]}


@offer(
    Operation(
        "GET",
        "/matches/<id>/export",
        "export_match",
        "The match as a file: JSON with the proof of its dice, or .mat",
        Export,
        parameters=(Parameter("format", {"enum": ["json", "mat"], "default": "json"}, "The file's format"),),
        problems=(404, 422),
    )
)
def export(caller: Caller, id: str) -> Answered | Response:  # noqa: A002
    """Also of a running match: as far as it got."""
    here = world()
    view = matches.visible(here.store, id, caller.account_id)
    wanted = request.args.get("format", "json")
    if wanted == "json":
        return exports.export_json(here.store, view.id)
    if wanted != "mat":
        raise Malformed("format: json or mat.")
    response: Response = current_app.response_class(exports.export_mat(here.store, view.id))
    response.content_type = "text/plain; charset=utf-8"
    response.headers["Content-Disposition"] = f'attachment; filename="{view.id}.mat"'
    response.headers["Cache-Control"] = "no-store"
    return response


def _terms(wish: NewMatch) -> Terms:
    time: Any = wish.time if wish.time is not None else "move-a-day"
    if isinstance(time, Durations):
        time = time.model_dump(exclude_unset=True)
    rules: Any = wish.rules if wish.rules is not None else "club"
    if isinstance(rules, RuleValues):
        rules = rules.model_dump(exclude_none=True)
    return Terms(
        length=wish.length,
        games=wish.games or 0,
        rules=rules,
        time=time,
        rated=wish.rated is not False,
        wager=wish.wager or 1,
        pauses=_allowed(wish.pauses),
    )


def _allowed(wish: PausesWanted | None) -> timing.Allowed:
    return timing.Allowed(wish.weekends, wish.nights, wish.vacation) if wish else timing.USUAL


def _addressee(opponent: str) -> To:
    return Email(addresses.clean(opponent)) if "@" in opponent else Handle(opponent)


def _seat(view: MatchView, caller: Caller) -> Side:
    """The caller's side. Raises Forbidden, or NotFound for a match that others may not know of."""
    side = view.side_of(caller.account_id)
    if side is None:
        matches.visible(world().store, view.id, caller.account_id)
        raise Forbidden("not_your_match")
    return side


def _names_another_version(value: dict[str, Any], view: MatchView) -> bool:
    """The version is looked at before the rest: what is said about a match of the past is stale first of
    all.
    """
    version = value.get("version")
    return type(version) is int and version != view.version


def _entry_json(entry: Entry) -> Answered:
    return {
        "seq": entry.seq,
        "version": entry.version,
        "at": rfc3339(timing.from_microseconds(entry.at)),
        "seat": entry.seat,
        "via": entry.via,
        "kind": entry.kind,
        "data": entry.data,
        "nonce": entry.nonce,
        "text": entry.text,
        "hash": entry.hash,
    }
