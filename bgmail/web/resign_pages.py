"""Several matches given up at once: a list with ticks, and one confirmation."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from flask import Blueprint, flash, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from bgmail.phrases import refusal
from bgmail.phrases.terms import stage
from bgmail.phrases.translate import gettext as _
from bgmail.phrases.translate import ngettext
from bgmail.service import matches, resignations
from bgmail.service.errors import Refused
from bgmail.service.resignations import Done
from bgmail.service.views import MatchView
from bgmail.web.guard import signed_in
from bgmail.web.queue import names_of, ordered
from bgmail.web.walk import walk_of
from bgmail.world import world

blueprint = Blueprint("resign", __name__, url_prefix="/resign")


@blueprint.get("")
@signed_in
def index() -> ResponseReturnValue:
    """All my running matches, none of them ticked."""
    return _page((), "", 200)


@blueprint.post("")
@signed_in
def resign() -> ResponseReturnValue:
    """Resigns the ticked matches, once I have said that I am sure. A second time nothing more happens."""
    here, chosen = world(), request.form.getlist("match")
    try:
        if chosen and not request.form.get("sure"):
            raise Refused("not_sure")
        done = resignations.resign_all(here.store, g.account.id, chosen, here.now(), here.chance)
    except Refused as error:
        return _page(chosen, refusal(error), 422)
    for line in _told(done):
        flash(line)
    return redirect(url_for("home.index", show="all"), 303)


def _told(done: Done) -> Sequence[str]:
    lines = []
    if done.resigned:
        lines.append(ngettext("One match is resigned.", "%(num)s matches are resigned.", done.resigned))
    if done.over:
        lines.append(ngettext("One match was over already.", "%(num)s matches were over already.", done.over))
    if done.left:
        lines.append(
            ngettext(
                "One match can't be resigned at this moment: try again soon.",
                "%(num)s matches can't be resigned at this moment: try again soon.",
                done.left,
            )
        )
    return lines


def _page(chosen: Collection[str], trouble: str, status: int) -> ResponseReturnValue:
    here, ticked = world(), set(chosen)
    running = matches.mine(here.store, g.account.id, "running", resignations.MOST)
    views = ordered(running, walk_of(request.args).order, here.now())
    rows = [(view.id, _name(view), _where(view), view.id in ticked) for view in views]
    return render_template("home/resign.html", here="all", rows=rows, trouble=trouble), status


def _name(view: MatchView) -> str:
    return names_of(view, view.side_of(g.account.id)).opponent


def _where(view: MatchView) -> str:
    """The match and its score, the reader's first."""
    you = view.side_of(g.account.id)
    mine, theirs = view.match.score if not you else view.match.score[::-1]
    where = stage(view.match)
    return _("%(where)s, %(mine)s–%(theirs)s", where=where[:1].upper() + where[1:], mine=mine, theirs=theirs)
