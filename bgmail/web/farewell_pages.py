"""What can be taken along, and how to leave: all my data as a file, and closing the account."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Blueprint, Response, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from bgmail.phrases import refusal
from bgmail.phrases.translate import gettext as _
from bgmail.phrases.translate import ngettext
from bgmail.service import belongings, departures, entrance, identity
from bgmail.service.belongings import File
from bgmail.service.errors import Refused, ServiceError
from bgmail.service.notices import Kind
from bgmail.web import zips
from bgmail.web.forms import Form, posted, refused
from bgmail.web.guard import client, sign_out_here, signed_in
from bgmail.world import world

blueprint = Blueprint("farewell", __name__, url_prefix="/settings")
PAGES = ("export", "close")


@blueprint.get("/export")
@signed_in
def export_page() -> ResponseReturnValue:
    """What the file holds, and the button."""
    return _page("export", Form())


@blueprint.post("/export")
@signed_in
def export() -> ResponseReturnValue:
    """All my data, as one archive."""
    here = world()
    now = here.now()
    try:
        identity.confirm(here.store, g.account, g.login_id, request.form.get("old", ""), now)
        belongings.allow(here.store, g.account.id, now)
    except ServiceError as error:
        return _page("export", refused(error, posted("old")))
    pieces = zips.stream(_with_a_word(belongings.files(here.store, g.account.id, now)), now)
    response = Response(pieces, mimetype="application/zip")
    response.headers.set("Content-Disposition", "attachment", filename=f"bgmail-{g.account.handle}.zip")
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.get("/close")
@signed_in
def close_page() -> ResponseReturnValue:
    """What closing an account means."""
    return _page("close", Form())


@blueprint.post("/close")
@signed_in
def close() -> ResponseReturnValue:
    """Closes my account, once I have said so twice."""
    here, account = world(), g.account
    try:
        if not request.form.get("sure"):
            raise Refused("not_sure")
        identity.confirm(here.store, account, g.login_id, request.form.get("old", ""), here.now())
    except ServiceError as error:
        return _page("close", refused(error, posted("old")))
    resigned = departures.close(here.store, account.id, here.now(), here.chance)
    sign_out_here()
    told = ngettext("One running match was resigned.", "%(num)s running matches were resigned.", resigned)
    flash(_("Your account is closed. Thank you for playing.") + (f" {told}" if resigned else ""))
    return redirect(url_for("home.index"), 303)


@blueprint.post("/link")
@signed_in
def link() -> ResponseReturnValue:
    """A letter with a link to come in by, for somebody without a password."""
    here, account = world(), g.account
    back = request.form.get("page") if request.form.get("page") in PAGES else "export"
    try:
        if not account.email:
            raise Refused("unverified")
        entrance.ask_for_link(here.store, Kind.SIGN_IN, account.email, client(), here.now())
    except ServiceError as error:
        flash(refusal(error), "error")
    else:
        flash(_("A letter is on its way. Open the link in it, then come back to this page."))
    return redirect(url_for(f"farewell.{back}_page"), 303)


def _page(name: str, form: Form) -> ResponseReturnValue:
    here = world()
    fresh = identity.came_in_lately(here.store, g.account, g.login_id, here.now())
    page = render_template(
        f"settings/{name}.html", here="settings", account=g.account, form=form, fresh=fresh, page=name
    )
    return page, form.status, dict(form.headers)


def _with_a_word(files: Iterator[File]) -> Iterator[File]:
    """The files, and one that says what they are: written now, while the reader's language is known."""
    about = _(
        "Everything that bgmail keeps about you.\n\n"
        "account.json: handle, addresses, settings. logins.json: where you are signed in, and your tokens, without "
        "their secrets. people.json: whom you follow, muted or blocked. notes.json: your notes. invitations.jsonl, "
        "letters.jsonl, letters-sent.jsonl, visits.jsonl: one line of JSON each.\n\n"
        "matches/: each match as .json, with the proof of its dice, and as .mat for other programs; with the chat, "
        "if there was any. Times are in UTC.\n"
    )
    first = File("README.txt", [about])

    def together() -> Iterator[File]:
        yield first
        yield from files

    return together()
