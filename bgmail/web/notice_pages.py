"""How I am told of what: a choice for each kind and channel, quiet hours, the digest; and what was sent to me."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from bgmail.phrases import instant
from bgmail.phrases.channels import attempt_line, channel_name, mode_name, notice_name, outcome_of
from bgmail.phrases.rests import clock_time
from bgmail.phrases.translate import gettext as _
from bgmail.service import addresses, choices, push, told
from bgmail.service.choices import MAIL, MODES, PUSH, Mode
from bgmail.service.errors import ServiceError
from bgmail.service.notices import Kind
from bgmail.web import bounce_pages
from bgmail.web.forms import Form, posted, refused
from bgmail.web.guard import signed_in
from bgmail.world import world

blueprint = Blueprint("notices", __name__, url_prefix="/settings/notices")

Page = tuple[str, int, dict[str, str]]
Answer = Page | Response

KINDS = (
    Kind.YOUR_TURN,
    Kind.DOUBLE,
    Kind.RESIGNATION,
    Kind.REMINDER,
    Kind.CLAIM,
    Kind.INVITATION,
    Kind.GAME_OVER,
    Kind.MATCH_OVER,
    Kind.TIMEOUT,
    Kind.ACCEPTED,
    Kind.DECLINED,
    Kind.CANCELLED,
    Kind.EXPIRED,
    Kind.OPPONENT_AWAY,
    Kind.VACATION_BEGUN,
    Kind.VACATION_ENDED,
    Kind.DAY_GIVEN,
    Kind.UNTIMED,
    Kind.TOURNAMENT_PAIRED,
    Kind.TOURNAMENT_ENTERED,
    Kind.TOURNAMENT_ROUND,
    Kind.TOURNAMENT_BYE,
    Kind.TOURNAMENT_OVER,
    Kind.TOURNAMENT_SAYS,
    Kind.TOURNAMENT_CANCELLED,
    Kind.TOURNAMENT_LATE,
)
"""The notices that may be chosen: all but those that somebody asked for. The first five tell of time that runs."""
NEEDED = KINDS[:5]
PUSHED = NEEDED
"""What a browser can be told of."""
MOST_ID = 2**31 - 1


@blueprint.get("")
@signed_in
def index() -> Answer:
    """All choices."""
    return _page(Form(), "")


@blueprint.post("")
@signed_in
def choose() -> Answer:
    """Keeps the choice for each kind and channel that the form names."""
    part = "push" if request.form.get("part") == "push" else "modes"
    try:
        choices.choose(world().store, g.account.id, _wanted())
    except ServiceError as error:
        return _page(refused(error, {}), part)
    return _done(_("Saved: you are told as you chose."), part)


@blueprint.post("/hours")
@signed_in
def hours() -> Answer:
    """Keeps quiet hours and the time of the digest."""
    typed = posted("quiet_from", "quiet_to", "digest_at")
    try:
        choices.set_hours(world().store, g.account.id, **typed)
    except ServiceError as error:
        return _page(refused(error, typed), "hours")
    return _done(_("Saved."), "hours")


@blueprint.post("/test")
@signed_in
def test() -> Answer:
    """A letter to see whether letters arrive."""
    try:
        told.test(world().store, g.account.id, MAIL, 0, world().now())
    except ServiceError as error:
        return _page(refused(error, {}), "test")
    flash(_("A test letter is on its way. This page shows what becomes of it."))
    return redirect(url_for("notices.sent"), 303)


@blueprint.get("/sent")
@signed_in
def sent() -> str:
    """What was sent to me, by which channel, and what became of it."""
    here = world()
    before = request.args.get("before", type=int)
    if before is not None and not 0 < before <= MOST_ID:
        before = None
    found, more = told.page(here.store, g.account.id, before)
    zone, now = ZoneInfo(g.account.time_zone), here.now()
    return render_template(
        "settings/sent.html",
        here="settings",
        found=found,
        more=more,
        is_first=before is None,
        when=lambda at: instant(at, zone, now),
        name=notice_name,
        channel=channel_name,
        outcome=outcome_of,
        attempt=attempt_line,
    )


def _wanted() -> dict[tuple[Kind, str], Mode]:
    """What the form says; what it doesn't name stays as it is. A word that is no mode is refused by the service."""
    wanted = {}
    for channel, kinds in ((MAIL, KINDS), (PUSH, PUSHED)):
        for kind in kinds:
            typed = request.form.get(f"{channel}.{kind.value}")
            if typed is not None:
                wanted[kind, channel] = choices.mode_named(channel, typed)
    return wanted


def _done(says: str, part: str) -> Response:
    flash(says)
    return redirect(url_for("notices.index", _anchor=part), 303)


def _page(form: Form, part: str) -> Page:
    here, account = world(), g.account
    chosen = choices.of(here.store, account.id)
    page = render_template(
        "settings/notices.html",
        here="settings",
        form=form,
        part=part,
        hours=_hours(form if part == "hours" else Form(), chosen),
        kinds=[
            (kind.value, notice_name(kind), chosen.mode(kind, MAIL), chosen.mode(kind, PUSH))
            for kind in KINDS
        ],
        pushed=[kind.value for kind in PUSHED],
        browsers=len(push.browsers(here.store, account.id, here.now())),
        modes={
            channel: [(mode.value, mode_name(mode)) for mode in modes] for channel, modes in MODES.items()
        },
        muted=[notice_name(kind) for kind in NEEDED if chosen.mode(kind, MAIL) is Mode.OFF],
        troubles=bounce_pages.lines(),
        address=addresses.shown(account.email) if account.email else "",
    )
    return page, form.status, dict(form.headers)


def _hours(form: Form, chosen: choices.Choices) -> Form:
    """The hours as they are, or as they were typed just now."""
    if form.wrong:
        return form
    quiet = chosen.quiet
    kept = {
        "quiet_from": clock_time(quiet.start) if quiet else "",
        "quiet_to": clock_time(quiet.end) if quiet else "",
        "digest_at": clock_time(chosen.digest_at),
    }
    return Form(kept)
