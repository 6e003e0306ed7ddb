"""My weekend and night: when my clocks stand still."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from bgmail.phrases import instant
from bgmail.phrases.rests import clock_time, long_day_name
from bgmail.phrases.translate import gettext as _
from bgmail.service import accounts, weekly
from bgmail.service.errors import ServiceError
from bgmail.service.weekly import Weekly
from bgmail.web.forms import Form, posted, refused
from bgmail.web.guard import signed_in
from bgmail.world import world

blueprint = Blueprint("weekly", __name__, url_prefix="/settings/rest")

Page = tuple[str, int, dict[str, str]]


@blueprint.get("")
@signed_in
def index() -> Page:
    """What I chose, and when I can change it."""
    had = weekly.of(world().store, g.account.id)
    night = had.calendar.night
    typed = {
        "night_from": clock_time(night[0]) if night else "",
        "night_to": clock_time(night[1]) if night else "",
        "time_zone": had.calendar.zone if had.calendar.rests else g.account.time_zone,
    }
    return _page(Form(typed), {str(day) for day in had.calendar.weekend}, had)


@blueprint.post("")
@signed_in
def choose() -> Page | Response:
    """Another weekend or night, from the next turn on."""
    here, typed, days = world(), posted("night_from", "night_to", "time_zone"), request.form.getlist("day")
    try:
        wish = weekly.wish(days, typed["night_from"], typed["night_to"], typed["time_zone"])
        weekly.choose(here.store, g.account.id, wish, here.now())
    except ServiceError as error:
        return _page(refused(error, typed), set(days), weekly.of(here.store, g.account.id))
    flash(_("Saved. It counts from your next turn in each match that allows it."))
    return redirect(url_for("weekly.index"), 303)


def _page(form: Form, chosen: set[str], had: Weekly) -> Page:
    now, zone = world().now(), ZoneInfo(g.account.time_zone)
    soonest = had.changes_at(now)
    page = render_template(
        "settings/weekly.html",
        here="settings",
        account=g.account,
        form=form,
        days=[(str(day), long_day_name(day)) for day in range(7)],
        chosen=chosen,
        chosen_zone=form.typed["time_zone"],
        zones=accounts.time_zones(),
        changes_at=instant(soonest, zone, now) if soonest else "",
    )
    return page, form.status, dict(form.headers)
