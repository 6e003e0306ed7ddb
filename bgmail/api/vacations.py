"""Vacation: what is left, taking, changing and ending one, and which matches it holds."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from flask import request

from bgmail.api.auth import Caller
from bgmail.api.body import judged, read_json
from bgmail.api.instants import instant
from bgmail.api.models import Holidays, TakenVacation
from bgmail.api.operations import Operation, Parameter, offer
from bgmail.api.wishes import NewVacation, SwitchedOn, VacationChange
from bgmail.service import standstills, vacations
from bgmail.service.errors import NotFound
from bgmail.service.standstills import Effect
from bgmail.service.states import rfc3339
from bgmail.service.vacations import Vacation, Wish
from bgmail.world import world

Answered = dict[str, Any]
MOST_ID = 2**31 - 1


@offer(
    Operation(
        "GET", "/vacations", "list_vacations", "Your vacations, and what is left of your days", Holidays
    )
)
def list_vacations(caller: Caller) -> Answered:
    """In the order of their beginnings; `left` is of this calendar year in your time zone, and of the next."""
    return _holidays(caller)


@offer(
    Operation(
        "GET",
        "/vacations/preview",
        "preview_vacation",
        "What a vacation would be, and which matches it would hold; nothing is taken",
        TakenVacation,
        parameters=(
            Parameter("from", {"type": "string", "format": "date-time"}, "Its beginning; left out: now"),
            Parameter("until", {"type": "string", "format": "date-time"}, "Its end; left out: open-ended"),
        ),
        problems=(422,),
    )
)
def preview(caller: Caller) -> Answered:
    """The same answer as taking it would give."""
    now = world().now()
    wish = Wish(instant(request.args.get("from"), "from"), instant(request.args.get("until"), "until"))
    return _taken(vacations.asked_for(world().store, caller.account, wish, now), now)


@offer(
    Operation(
        "POST",
        "/vacations",
        "take_vacation",
        "Take a vacation, from now on or later",
        TakenVacation,
        status=201,
        body=NewVacation,
        body_required=False,
        problems=(400, 422),
    )
)
def take(caller: Caller) -> tuple[Answered, int]:
    """It ends at `until`, when you end it, or when your days are used up, whichever is first."""
    here = world()
    now, body = here.now(), judged(NewVacation, read_json(required=False))
    wish = Wish(instant(body.from_, "from"), instant(body.until, "until"), body.ends_with_play)
    one = vacations.take(here.store, caller.account, wish, now, key=body.key)
    standstills.spread_all(here.store, caller.account_id, now, here.chance)
    return _taken(one, now), 201


@offer(
    Operation(
        "POST",
        "/vacations/<id>/change",
        "change_vacation",
        "Give a vacation that isn't over another end",
        TakenVacation,
        body=VacationChange,
        problems=(400, 404, 422),
    )
)
def change(caller: Caller, id: str) -> Answered:  # noqa: A002 - the word of the path
    """`until` null makes it open-ended."""
    here, now = world(), world().now()
    until = instant(judged(VacationChange, read_json()).until, "until")
    one = vacations.change(here.store, caller.account, _number(id), until, now)
    standstills.spread_all(here.store, caller.account_id, now, here.chance)
    return _taken(one, now)


@offer(
    Operation(
        "POST",
        "/vacations/<id>/end",
        "end_vacation",
        "End a vacation now, or take back one that is to come",
        TakenVacation,
        problems=(404,),
    )
)
def end(caller: Caller, id: str) -> Answered:  # noqa: A002
    """One that is over stays as it is: ending it again changes nothing."""
    here, now = world(), world().now()
    one = vacations.end(here.store, caller.account_id, _number(id), now)
    standstills.spread_all(here.store, caller.account_id, now, here.chance)
    return _taken(one, now)


@offer(
    Operation(
        "POST",
        "/vacations/automatic",
        "automatic_vacation",
        "Whether a vacation begins by itself when your time runs out",
        Holidays,
        body=SwitchedOn,
        problems=(400, 422),
    )
)
def automatic(caller: Caller) -> Answered:
    """Off unless you switch it on."""
    vacations.set_automatic(world().store, caller.account_id, on=judged(SwitchedOn, read_json()).on)
    return _holidays(caller)


def _holidays(caller: Caller) -> Answered:
    now = world().now()
    mine = vacations.of(world().store, caller.account, now)
    return {
        "left": [{"year": year, "seconds": int(left.total_seconds())} for year, left in mine.left],
        "automatic": mine.automatic,
        "vacations": [_vacation(one, now) for one in mine.all],
    }


def _vacation(one: Vacation, now: datetime) -> Answered:
    return {
        "id": one.id or None,
        "from": rfc3339(one.start),
        "until": rfc3339(one.end),
        "open_ended": one.wished is None,
        "automatic": one.automatic,
        "ends_with_play": one.with_play,
        "state": "running" if one.is_on(now) else "planned" if one.is_to_come(now) else "over",
    }


def _taken(one: Vacation, now: datetime) -> Answered:
    effects = standstills.effects(world().store, one) if now < one.end else []
    return {"vacation": _vacation(one, now), "matches": [_effect(each) for each in effects]}


def _effect(each: Effect) -> Answered:
    return {
        "id": each.view.id,
        "held": each.why_not is None,
        "why_not": each.why_not,
        "deadline_without": rfc3339(each.before),
        "deadline": rfc3339(each.after),
    }


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 11 and int(text) <= MOST_ID):
        raise NotFound("no_vacation")
    return int(text)
