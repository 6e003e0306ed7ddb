"""The list of tournaments: open to enter, running, over, and one's own."""

from __future__ import annotations

from dataclasses import dataclass

from flask import g, render_template, request, url_for

from bgmail.phrases import match_terms, time_control
from bgmail.phrases.formats import plan_name
from bgmail.phrases.times import day, moment
from bgmail.phrases.tournaments import full_name
from bgmail.phrases.translate import gettext as _
from bgmail.phrases.translate import ngettext
from bgmail.service.tournaments import lists, views
from bgmail.service.tournaments.views import State, Tournament
from bgmail.web.reader import zone_of
from bgmail.web.tournaments.frame import blueprint, state_name
from bgmail.world import world

PAGE = 25
SHOWN: dict[str, tuple[State, ...]] = {
    "open": (State.OPEN,),
    "running": (State.RUNNING,),
    "over": (State.OVER, State.CANCELLED),
    "mine": tuple(State),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One tournament in a list: what is played, who is in, and what comes when."""

    id: str
    name: str
    says: str
    entered: str
    when: str
    state: str


@blueprint.get("")
def index() -> str:
    """The tournaments."""
    account = g.account
    numbers = lists.counts(world().store, account.id if account else None)
    which = _which(numbers)
    start = _start()
    found = views.listed(
        world().store,
        SHOWN[which],
        account_id=account.id if account and which == "mine" else None,
        limit=PAGE + 1,
        offset=start,
    )
    return render_template(
        "tournaments/index.html",
        here="tournaments",
        tabs=_tabs(numbers, which),
        which=which,
        lines=[_line(one) for one in found[:PAGE]],
        more=url_for("tournaments.index", show=which, start=start + PAGE) if len(found) > PAGE else None,
    )


def _which(numbers: lists.Counts) -> str:
    asked = request.args.get("show", "")
    if asked in SHOWN and (asked != "mine" or g.account):
        return asked
    if numbers.mine:
        return "mine"
    return "open" if numbers.open or not numbers.running else "running"


def _start() -> int:
    asked = request.args.get("start", "")
    return int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 8 else 0


def _tabs(numbers: lists.Counts, which: str) -> list[tuple[str, str, bool]]:
    named = [
        ("open", _("Open: %(number)s", number=numbers.open)),
        ("running", _("Running: %(number)s", number=numbers.running)),
        ("over", _("Over: %(number)s", number=numbers.over)),
    ]
    if g.account:
        named.insert(0, ("mine", _("Mine: %(number)s", number=numbers.mine)))
    return [(label, url_for("tournaments.index", show=name), name == which) for name, label in named]


def _line(one: Tournament) -> Line:
    match, control = one.conditions.judged()
    return Line(
        id=one.id,
        name=full_name(one.name, one.season, one.division),
        says=f"{plan_name(one.plan)}, {match_terms(match)}, {time_control(control)}",
        entered=entered(one),
        when=when(one),
        state=state_name(one.state),
    )


def entered(one: Tournament) -> str:
    """How many have entered: "5 of 8 places taken, 2 waiting"."""
    if one.places and one.state is State.OPEN:
        taken = _("%(taken)s of %(places)s places taken", taken=one.entered, places=one.places)
    else:
        taken = ngettext("%(num)s player", "%(num)s players", one.entered)
    return _("%(taken)s, %(waiting)s waiting", taken=taken, waiting=one.waiting) if one.waiting else taken


def when(one: Tournament) -> str:
    """The next date of a tournament, or its last."""
    zone, now = zone_of(g.account), world().now()
    if one.state in (State.OPEN, State.DRAFT):
        if one.starts_at and one.starts_full:
            at = moment(one.starts_at, zone, now)
            return _("starts when all places are taken, at the latest %(when)s", when=at)
        if one.starts_at:
            return _("starts %(when)s", when=moment(one.starts_at, zone, now))
        return (
            _("starts when all places are taken")
            if one.starts_full
            else _("starts when its organiser says so")
        )
    if one.finished_at:
        return _("ended %(day)s", day=day(one.finished_at, zone))
    return _("since %(day)s", day=day(one.started_at, zone)) if one.started_at else ""
