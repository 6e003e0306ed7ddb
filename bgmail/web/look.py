"""How somebody likes pages and boards to look: light or dark, the board's colours, which way it is turned.

Kept in the account, or in cookies, so it works without a script and for people who aren't signed in.
"""

from __future__ import annotations

from flask import Blueprint, Response, abort, flash, g, redirect, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response as AnyResponse

from bgmail.phrases import refusal
from bgmail.phrases.translate import gettext as _
from bgmail.service import board_preferences
from bgmail.service.board_preferences import BoardPreference
from bgmail.service.errors import Refused
from bgmail.web import addresses, boards
from bgmail.web.addresses import safe_path
from bgmail.world import world

blueprint = Blueprint("look", __name__)

YEAR = 365 * 86_400
THEME = "bgmail_theme"
THEMES = ("light", "dark")


@blueprint.post("/look")
def choose() -> AnyResponse:
    """Keeps light or dark, and goes back to where it was chosen."""
    response = redirect(safe_path(request.form.get("back")), 303)
    chosen = request.form.get("theme", "")
    _remember(response, THEME, chosen if chosen in THEMES else "")
    return response


@blueprint.get("/look")
def board() -> str:
    """Choose how boards look, and what a click does."""
    return _page(boards.chosen(), safe_path(request.args.get("back")))


@blueprint.post("/look/board")
def keep_board() -> ResponseReturnValue:
    """Keeps a choice for boards, or several, and goes back to where it was made."""
    back = safe_path(request.form.get("back"))
    try:
        preference = boards.changed(request.form, boards.chosen())
    except Refused as error:
        return _page(boards.chosen(), back, refusal(error)), 422
    response = redirect(back, 303)
    if g.account:
        board_preferences.keep(world().store, g.account.id, preference)
    else:
        _remember(response, boards.COOKIE, boards.spelled(preference))
    if "whole" in request.form:
        flash(_("Saved: your boards look like this from now on."))
    return response


@blueprint.get("/look/board")
def sample() -> ResponseReturnValue:
    """The sample board with choices that nobody has kept yet, for the form's script."""
    try:
        return boards.sample(boards.changed(request.args, boards.chosen()))
    except Refused as error:
        return refusal(error), 422


def _page(preference: BoardPreference, back: str, trouble: str = "") -> str:
    return render_template("look/board.html", back=back, trouble=trouble, **form_values(preference))


def form_values(preference: BoardPreference) -> dict[str, object]:
    """What the form for boards is given, on its own page and among the settings."""
    return {
        "preference": preference,
        "sample": boards.sample(preference),
    }


def _remember(response: AnyResponse, name: str, value: str) -> None:
    if value:
        secure = request.is_secure
        response.set_cookie(name, value, max_age=YEAR, samesite="Lax", secure=secure, path="/")
    else:
        response.delete_cookie(name, samesite="Lax", path="/")


def theme() -> str:
    """ "light" or "dark" if chosen; "" follows the reader's system."""
    chosen = request.cookies.get(THEME, "")
    return chosen if chosen in THEMES else ""


@blueprint.get("/boards.css")
def style() -> AnyResponse:
    """The style sheet of boards, in all their colours."""
    return _sent(addresses.BOARDS)


@blueprint.get("/static/<name>.<any(css, js):kind>")
def text(name: str, kind: str) -> AnyResponse:
    """A script or style sheet."""
    return _sent(f"{name}.{kind}")


def _sent(name: str) -> AnyResponse:
    """The file, compressed for who unpacks it. Pages aren't: beside what is secret stands what others wrote."""
    content = addresses.text(name) or abort(404)
    mimetype = "text/css" if name.endswith(".css") else "text/javascript"
    response = Response(content, mimetype=mimetype, headers={"Cache-Control": "no-cache"})
    if request.accept_encodings["gzip"]:
        response.set_data(addresses.packed(name))
        response.content_encoding = "gzip"
    response.vary.add("Accept-Encoding")
    response.add_etag()
    return response.make_conditional(request)
