"""The first page: what waits for me, all my matches, or for a stranger what this is."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from bgmail import phrases
from bgmail.board import svg
from bgmail.board.view import BoardView
from bgmail.phrases.numbers import in_words
from bgmail.phrases.translate import gettext as _
from bgmail.rules.position import Position
from bgmail.service import invitations, lately, matches
from bgmail.service.accounts import Account
from bgmail.web import boards, bounce_pages, queue
from bgmail.web.guard import signed_in
from bgmail.web.rating_pages import of_inviters
from bgmail.web.walk import next_after, waiting, walk_of
from bgmail.world import world

blueprint = Blueprint("home", __name__)
MOST_FINISHED = 50
MOST_RUNNING = 300


@blueprint.get("/")
def index() -> str:
    """My matches; the front page for somebody who isn't signed in."""
    if g.account is None:
        return render_template("home/front.html", board=_opening_board())
    if request.args.get("show") == "all":
        return _all(g.account)
    return render_template(
        "home/turn.html",
        here="turn",
        done="done" in request.args,
        troubles=bounce_pages.lines(),
        **_running(g.account),
    )


@blueprint.get("/next")
@signed_in
def onward() -> ResponseReturnValue:
    """On to the next match that waits for me, the one meant (`to`) if it still does; in the end to the queue."""
    here, walk = world(), walk_of(request.args).on()
    found = waiting(g.account.id, walk, here.now())
    meant = next((one for one in found if one.id == request.args.get("to")), None)
    then = meant or next_after(request.args.get("after", ""), found, walk)
    if then is None:
        order = None if walk.order == queue.DEFAULT else walk.order
        return redirect(url_for("home.index", order=order, done=1), 303)
    return redirect(url_for("match.page", match_id=then.id, **walk.args), 303)


def _all(account: Account) -> str:
    here = world()
    ended = matches.mine(here.store, account.id, "finished", MOST_FINISHED)
    finished = [queue.row(view, account, here.now()) for view in ended]
    return render_template("home/all.html", here="all", finished=finished, **_running(account))


def _running(account: Account) -> dict[str, Any]:
    """The running matches in the order that is asked for, and the invitations."""
    here, order = world(), queue.order_named(request.args.get("order"))
    now = here.now()
    running = queue.ordered(matches.mine(here.store, account.id, "running", MOST_RUNNING), order, now)
    rows = queue.rows(running, account, now, lately.acts(here.store, [view.id for view in running]))
    mine, theirs = queue.split(rows, lambda row: row.is_mine)
    g.my_turn = len(mine)
    received, sent = invitations.open_for(here.store, account.id)
    return {
        "mine": mine,
        "theirs": theirs,
        "next_deadline": queue.next_deadline(mine),
        "order": order,
        "tabs": queue.TABS,
        "received": received,
        "sent": sent,
        "ratings": of_inviters(received),
        "words": phrases,
        "in_words": in_words,
    }


def _opening_board() -> Markup:
    view = BoardView.of(Position.start(), on_roll_is_viewer=True, dice=(3, 1), dice_side="viewer")
    drawn = svg.draw(
        view, boards.chosen().theme, title=_("A backgammon board with 3-1 to play"), ids="front-"
    )
    return Markup(drawn)  # noqa: S704 - drawn by bgmail.board
