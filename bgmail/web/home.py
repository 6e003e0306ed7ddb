"""The first page: what waits for me, all my matches, or for a stranger what this is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from flask import Blueprint, g, render_template, request
from markupsafe import Markup

from bgmail import phrases, timing
from bgmail.board import mini, svg
from bgmail.board.view import BoardView
from bgmail.phrases import button, heading, instant, match_result, span, stage
from bgmail.phrases.translate import gettext as _
from bgmail.phrases.words import Names
from bgmail.rules.match import Phase
from bgmail.rules.position import Position
from bgmail.rules.side import Side
from bgmail.service import invitations, matches
from bgmail.service.accounts import Account
from bgmail.service.views import MatchView
from bgmail.web.clockface import low_mark
from bgmail.web.picture import Turned, board_view, viewer_of
from bgmail.world import world

blueprint = Blueprint("home", __name__)
MOST_FINISHED = 50
MOST_RUNNING = 300


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """What a row says about the clock: words, the share of turn and bank that is left, and whether it is low."""

    words: str
    percent: int
    is_low: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One match in a list."""

    view: MatchView
    opponent: str
    board: Markup
    stage: str
    score: str
    says: str
    button: str
    is_mine: bool
    left: TimeLeft | None
    moved: str


@blueprint.get("/")
def index() -> str:
    """My matches; the front page for somebody who isn't signed in."""
    if g.account is None:
        return render_template("home/front.html", board=_opening_board())
    here, account = world(), g.account
    now = here.now()
    running = matches.mine(here.store, account.id, "running", MOST_RUNNING)
    rows = [row(view, account, now) for view in running]
    mine = [one for one in rows if one.is_mine]
    shown = {
        "mine": mine,
        "theirs": [one for one in rows if not one.is_mine],
        "received": invitations.received(here.store, account.id),
        "sent": invitations.sent(here.store, account.id),
        "words": phrases,
    }
    if request.args.get("show") != "all":
        return render_template("home/turn.html", here="turn", **shown)
    finished = matches.mine(here.store, account.id, "finished", MOST_FINISHED)
    return render_template(
        "home/all.html", here="all", finished=[row(view, account, now) for view in finished], **shown
    )


def row(view: MatchView, account: Account, now: datetime) -> Row:
    """A match as its line in a list says it."""
    you = view.side_of(account.id)
    names = names_of(view, you)
    is_mine = you is not None and view.match.on_turn is you
    board = mini.draw(board_view(view.match, you, None, Turned()), "auto", title=_("The board"))
    over = view.match.phase is Phase.OVER
    return Row(
        view=view,
        opponent=names.opponent,
        board=Markup(board),  # noqa: S704 - drawn by bgmail.board, which escapes its texts
        stage=stage(view.match),
        score=_score(view, viewer_of(you)),
        says=match_result(view.match, names) if over else heading(view.match, names),
        button=button(view.match, you) if you is not None and not over else _("Look"),
        is_mine=is_mine,
        left=None if over else time_left(view, now),
        moved=instant(view.moved_at, ZoneInfo(account.time_zone), now)
        if now - view.moved_at > timedelta(days=1)
        else _("%(span)s ago", span=span(now - view.moved_at)),
    )


def names_of(view: MatchView, you: Side | None) -> Names:
    """How the two are called; an empty seat is "somebody"."""
    white, black = view.white, view.black
    return Names(white.handle if white else _("somebody"), black.handle if black else _("somebody"), you)


def time_left(view: MatchView, now: datetime) -> TimeLeft | None:
    """What is left to the side on the clock; None where nobody can lose on time."""
    clock = view.clock
    if clock.on is None or clock.control.untimed:
        return None
    left = timing.left(clock, now)[clock.on]
    turn, bank = left.turn or timedelta(), left.bank or timedelta()
    whole = timedelta(seconds=clock.control.per_turn + max(clock.control.bank, int(bank.total_seconds())))
    words = span(turn) if turn else _("%(span)s of bank", span=span(bank))
    return TimeLeft(
        words, round(100 * min(1.0, (turn + bank) / whole)) if whole else 0, turn + bank < low_mark(view)
    )


def _score(view: MatchView, viewer: Side) -> str:
    mine, theirs = view.match.score[viewer], view.match.score[viewer.other]
    return f"{mine}–{theirs}"


def _opening_board() -> Markup:
    view = BoardView.of(Position.start(), on_roll_is_viewer=True, dice=(3, 1), dice_side="viewer")
    drawn = svg.draw(view, "auto", title=_("A backgammon board with 3-1 to play"), ids="front-")
    return Markup(drawn)  # noqa: S704 - drawn by bgmail.board
