"""My vacation: what is left of it, taking and ending one, and which matches it holds and which it doesn't."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from bgmail.phrases import instant, moment, stage
from bgmail.phrases import vacations as words
from bgmail.phrases.translate import gettext as _
from bgmail.rules.side import Side
from bgmail.service import standstills, vacations
from bgmail.service.errors import Refused, ServiceError
from bgmail.service.standstills import Effect
from bgmail.service.vacations import Vacation, Wish
from bgmail.timing.balance import YEARLY, midnight, shares
from bgmail.web.forms import Form, posted, refused
from bgmail.web.guard import signed_in
from bgmail.web.queue import names_of
from bgmail.web.reader import zone_of
from bgmail.world import world

blueprint = Blueprint("vacation", __name__, url_prefix="/settings/vacation")

Page = tuple[str, int, dict[str, str]]
FIELDS = ("first", "last", "with_play")


@dataclass(frozen=True, slots=True)
class Line:
    """What a vacation does to one match, in words. `moves` tells both deadlines where it moves one now, `early` the one
    that comes before it: "" where none does."""

    match_id: str
    opponent: str
    stage: str
    reason: str
    moves: tuple[str, str] | None
    waits: bool
    early: str


@dataclass(frozen=True, slots=True)
class Shown:
    """One vacation as the page tells it."""

    id: int
    days: str
    lasting: str
    open_ended: bool
    automatic: bool
    with_play: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """What a wish comes to: the vacation, what it costs by year, and the matches that it holds and doesn't hold."""

    shown: Shown
    costs: tuple[tuple[int, str], ...]
    held: tuple[Line, ...]
    running: tuple[Line, ...]


@blueprint.get("")
@signed_in
def index() -> Page:
    """All of it; with days in the address also what a vacation on them would do."""
    typed = {name: request.args.get(name, "") for name in FIELDS}
    if "look" not in request.args:
        return _page(Form(typed))
    here = world()
    try:
        one = vacations.asked_for(here.store, g.account, _wish(typed), here.now())
    except ServiceError as error:
        return _page(refused(error, typed))
    return _page(Form(typed), _preview(one))


@blueprint.post("")
@signed_in
def take() -> Page | Response:
    """Takes what was looked at."""
    here, typed = world(), posted(*FIELDS)
    now = here.now()
    try:
        one = vacations.take(here.store, g.account, _wish(typed), now)
    except ServiceError as error:
        return _page(refused(error, typed))
    standstills.spread_all(here.store, g.account.id, now, here.chance)
    flash(_("Your vacation has begun.") if one.is_on(now) else _("Your vacation is planned."))
    return _back()


@blueprint.post("/<int(max=2147483647):vacation_id>/end")
@signed_in
def end(vacation_id: int) -> Page | Response:
    """Ends one now, or takes one back that is to come."""
    here = world()
    now = here.now()
    try:
        one = vacations.end(here.store, g.account.id, vacation_id, now)
    except ServiceError as error:
        return _page(refused(error, {}))
    standstills.spread_all(here.store, g.account.id, now, here.chance)
    begun = one.start < one.end
    flash(_("Your vacation is over. Your clocks run again.") if begun else _("Your vacation is taken back."))
    return _back()


@blueprint.post("/<int(max=2147483647):vacation_id>/change")
@signed_in
def change(vacation_id: int) -> Page | Response:
    """Gives one another last day."""
    here, typed = world(), posted("last")
    now = here.now()
    try:
        until = _after(typed["last"]) if typed["last"] else None
        vacations.change(here.store, g.account, vacation_id, until, now)
    except ServiceError as error:
        return _page(refused(error, {}))
    standstills.spread_all(here.store, g.account.id, now, here.chance)
    flash(_("Saved. Your vacation has another last day."))
    return _back()


@blueprint.post("/automatic")
@signed_in
def automatic() -> Response:
    """Whether a vacation begins by itself."""
    on = request.form.get("automatic") == "yes"
    vacations.set_automatic(world().store, g.account.id, on=on)
    flash(
        _("Saved. A vacation begins by itself when your time runs out.")
        if on
        else _("Saved. No vacation begins by itself.")
    )
    return _back()


def _back() -> Response:
    return redirect(url_for("vacation.index"), 303)


def _wish(typed: dict[str, str]) -> Wish:
    """What the form asks for. The first day from its midnight on, today from now on; the last one to its end."""
    today = world().now().astimezone(_zone()).date()
    first = _day(typed["first"]) if typed["first"] else today
    if first < today:
        raise Refused("vacation_past")
    start = None if first == today else midnight(first, _zone())
    return Wish(start, _after(typed["last"]) if typed["last"] else None, typed["with_play"] == "yes")


def _after(text: str) -> datetime:
    """The instant at which a day is over."""
    return midnight(_day(text) + timedelta(days=1), _zone())


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise Refused("vacation_day", text=text) from None
    if not 2000 <= day.year <= 9000:
        raise Refused("vacation_day", text=text)
    return day


def _zone() -> ZoneInfo:
    return zone_of(g.account)


def _page(form: Form, preview: Preview | None = None) -> Page:
    here = world()
    now = here.now()
    mine = vacations.of(here.store, g.account, now)
    running = mine.running(now)
    spare = _spare(running, now)
    page = render_template(
        "settings/vacation.html",
        here="settings",
        form=form,
        preview=preview,
        running=_preview(running) if running else None,
        planned=[_shown(one, now) for one in mine.planned(now)],
        past=[_shown(one, now) for one in mine.past(now)],
        automatic=mine.automatic,
        left=[(year, words.days(left + spare.get(year, timedelta()))) for year, left in mine.left],
        today=now.astimezone(_zone()).date().isoformat(),
        zone=_zone().key,
        yearly=words.days(YEARLY),
    )
    return page, form.status, dict(form.headers)


def _spare(running: Vacation | None, now: datetime) -> Mapping[int, timedelta]:
    """By year, the days that a vacation without an end takes from now on: they stay where it is ended before."""
    if running is None or running.wished is not None:
        return {}
    return dict(shares(now, running.end, running.zone))


def _preview(one: Vacation) -> Preview:
    here = world()
    now = here.now()
    lines = [(each.why_not, _line(each, one, now)) for each in standstills.effects(here.store, one)]
    return Preview(
        shown=_shown(one, now),
        costs=tuple((year, words.days(cost)) for year, cost in shares(one.start, one.end, one.zone)),
        held=tuple(line for reason, line in lines if reason is None),
        running=tuple(line for reason, line in lines if reason is not None),
    )


def _shown(one: Vacation, now: datetime) -> Shown:
    return Shown(
        id=one.id,
        days=words.days(one.end - one.start),
        lasting=words.own(one.start, one.end, _zone(), now),
        open_ended=one.wished is None,
        automatic=one.automatic,
        with_play=one.with_play,
    )


def _line(each: Effect, one: Vacation, now: datetime) -> Line:
    view = each.view
    you = view.side_of(g.account.id)
    moves = None
    if each.before and each.after and each.before != each.after:
        moves = moment(each.before, _zone(), now), instant(each.after, _zone(), now)
    waits = you is not None and view.clock.on == Side(you).other
    comes_early = not waits and each.before is not None and each.before <= one.start
    return Line(
        match_id=view.id,
        opponent=names_of(view, you).opponent,
        stage=stage(view.match),
        reason=words.why_not(each.why_not) if each.why_not else "",
        moves=moves,
        waits=waits,
        early=moment(each.before, _zone(), now) if each.before and comes_early else "",
    )
