"""How somebody likes pages to look: light or dark, boards turned, one click a move.

Kept in cookies, so it works without a script and for people who aren't signed in.
"""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, Response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from bgmail.board.view import BoardView
from bgmail.phrases.translate import gettext as _
from bgmail.rules.position import Position
from bgmail.web.addresses import safe_path, sheet
from bgmail.web.picture import Turned, drawing, place_words

blueprint = Blueprint("look", __name__)

YEAR = 365 * 86_400
THEME, BOARD = "bgmail_theme", "bgmail_board"
THEMES = ("light", "dark")
LEFT, TOP, ONE_CLICK = "left", "top", "click"


@blueprint.post("/look")
def choose() -> AnyResponse:
    """Keeps a choice and goes back to where it was made."""
    response = redirect(safe_path(request.form.get("back")), 303)
    if "theme" in request.form:
        _keep(response, THEME, request.form["theme"] if request.form["theme"] in THEMES else "")
    if "board" in request.form:
        _keep(response, BOARD, "-".join(word for word in (LEFT, TOP, ONE_CLICK) if word in request.form))
    return response


@blueprint.get("/look")
def boards() -> str:
    """Choose how boards are turned, and what a click does."""
    view = BoardView.of(Position.start(), on_roll_is_viewer=True, dice=(3, 1))
    view = replace(view, home_left=turned().home_left, home_top=turned().home_top)
    board = drawing(view, place_words(_("the opponent")), _("A board as you see it"), interactive=False)
    back = safe_path(request.args.get("back"))
    return render_template(
        "match/boards.html", back=back, turned=turned(), one_click=one_click(), board=board
    )


def _keep(response: AnyResponse, name: str, value: str) -> None:
    if value:
        secure = request.is_secure
        response.set_cookie(name, value, max_age=YEAR, samesite="Lax", secure=secure, path="/")
    else:
        response.delete_cookie(name, samesite="Lax", path="/")


def theme() -> str:
    """ "light" or "dark" if chosen; "" follows the reader's system."""
    chosen = request.cookies.get(THEME, "")
    return chosen if chosen in THEMES else ""


def turned() -> Turned:
    """How the reader likes boards turned."""
    chosen = _board()
    return Turned(home_left=LEFT in chosen, home_top=TOP in chosen)


def one_click() -> bool:
    """Whether one click on a checker plays the first die at once."""
    return ONE_CLICK in _board()


def _board() -> list[str]:
    return request.cookies.get(BOARD, "").split("-")


@blueprint.get("/style.css")
def style() -> Response:
    """The style sheet of pages and boards in one file."""
    return Response(sheet(), mimetype="text/css")
