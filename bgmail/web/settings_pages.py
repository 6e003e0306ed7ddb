"""My settings on one page, a small form for each; `farewell_pages` has what can be taken along, and the way out."""

from __future__ import annotations

from collections.abc import Callable
from zoneinfo import ZoneInfo

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from bgmail.phrases import instant
from bgmail.phrases.rests import calendar as calendar_words
from bgmail.phrases.translate import gettext as _
from bgmail.service import accounts, addresses, admission, entrance, logins, proofs, weekly
from bgmail.service.errors import ServiceError
from bgmail.service.logins import Login
from bgmail.web import boards
from bgmail.web.forms import Form, posted, refused
from bgmail.web.guard import client, sign_out_here, signed_in
from bgmail.web.look import form_values
from bgmail.world import world

blueprint = Blueprint("settings", __name__, url_prefix="/settings")

Page = tuple[str, int, dict[str, str]]
Answer = Page | Response


@blueprint.get("")
@signed_in
def index() -> Answer:
    """All settings."""
    return _page(Form(), "")


@blueprint.post("/time-zone")
@signed_in
def time_zone() -> Answer:
    """The zone in which instants are shown."""
    zone = request.form.get("time_zone", "")
    return _do(
        "zone", lambda: accounts.set_time_zone(world().store, g.account.id, zone), _("Time zone saved.")
    )


@blueprint.post("/matches")
@signed_in
def matches() -> Answer:
    """How many matches at a time."""
    typed = request.form.get("most", "")
    return _do("matches", lambda: admission.set_most(world().store, g.account.id, typed), _("Saved."))


@blueprint.post("/address")
@signed_in
def address() -> Answer:
    """Another address for letters, once it is confirmed."""
    here = world()
    if request.form.get("answer") == "withdraw":
        return _do(
            "address", lambda: proofs.withdraw(here.store, g.account), _("Your address stays as it is.")
        )
    typed = posted("email", "old")
    try:
        proposed = proofs.propose(
            here.store, g.account, typed["email"], typed["old"], here.now(), client=client()
        )
    except ServiceError as error:
        return _page(refused(error, typed), "address")
    return _done(
        _("A letter is on its way to %(address)s: open the link in it.", address=addresses.shown(proposed)),
        "address",
    )


@blueprint.post("/password")
@signed_in
def password() -> Answer:
    """Set or change the password."""
    here = world()
    return _do(
        "password",
        lambda: entrance.change_password(
            here.store,
            g.account,
            request.form.get("old", ""),
            request.form.get("password", ""),
            here.now(),
            session_id=g.login_id,
        ),
        _("Your new password is set. Other browsers are signed out."),
    )


@blueprint.post("/sessions/<int(max=2147483647):login_id>/end")
@signed_in
def end_session(login_id: int) -> Answer:
    """Sign one browser out."""
    end = lambda: logins.end_session(world().store, g.account.id, login_id)  # noqa: E731
    return _do("sessions", end, _("That browser is signed out."))


@blueprint.post("/sessions/end-all")
@signed_in
def end_all() -> Response:
    """Sign out everywhere, this browser too."""
    logins.sign_out_everywhere(world().store, g.account.id)
    sign_out_here()
    flash(_("You are signed out everywhere. Tokens and unused links have ended as well."))
    return redirect(url_for("auth.sign_in"), 303)


@blueprint.post("/tokens")
@signed_in
def create_token() -> Answer:
    """A new token for programs, shown on this one answer."""
    here = world()
    try:
        token = logins.create_token(here.store, g.account.id, request.form.get("name", ""), here.now())
    except ServiceError as error:
        return _page(refused(error, posted("name")), "tokens")
    return _page(Form(), "tokens", new_token=token)


@blueprint.post("/tokens/<int(max=2147483647):login_id>/revoke")
@signed_in
def revoke_token(login_id: int) -> Answer:
    """End one token."""
    end = lambda: logins.revoke_token(world().store, g.account.id, login_id)  # noqa: E731
    return _do("tokens", end, _("That token is revoked."))


def _do(part: str, act: Callable[[], object], says: str) -> Answer:
    try:
        act()
    except ServiceError as error:
        return _page(refused(error, posted("time_zone", "email", "old", "password", "name", "most")), part)
    return _done(says, part)


def _done(says: str, part: str) -> Response:
    flash(says)
    return redirect(url_for("settings.index", _anchor=part), 303)


def _page(form: Form, part: str, new_token: str | None = None) -> Page:
    """The page; `form` belongs to its `part`, the others are fresh."""
    here, account = world(), g.account
    now = here.now()
    page = render_template(
        "settings/index.html",
        here="settings",
        account=account,
        forms={part: form, "": Form()},
        part=part,
        zones=accounts.time_zones(),
        sessions=logins.sessions(here.store, account.id, now),
        tokens=logins.tokens(here.store, account.id),
        login_id=g.login_id,
        new_token=new_token,
        shown=addresses.shown,
        used=_used,
        contents=_contents(),
        weekly=calendar_words(weekly.of(here.store, account.id).calendar),
        most_matches=admission.most_of(here.store, account.id),
        **form_values(boards.chosen()),
    )
    return page, form.status, dict(form.headers)


def _contents() -> list[tuple[str, str]]:
    """The sections of the page, by their anchors."""
    return [
        ("zone", _("Time zone")),
        ("language", _("Language")),
        ("board", _("Board")),
        ("matches", _("Matches at a time")),
        ("automation", _("What is done for you")),
        ("rest", _("Weekend and night")),
        ("vacation", _("Vacation")),
        ("letters", _("Notices")),
        ("feeds", _("Calendar and feed")),
        ("webhooks", _("Webhooks")),
        ("address", _("E-mail address")),
        ("password", _("Password")),
        ("sessions", _("Where you are signed in")),
        ("tokens", _("Tokens for programs")),
        ("data", _("My data")),
        ("close", _("Close my account")),
    ]


def _used(login: Login) -> str:
    return instant(login.used_at, ZoneInfo(g.account.time_zone), world().now())
