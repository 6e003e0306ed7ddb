"""Looking for people and for matches to look at: /people and /matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, g, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from bgmail.board import mini
from bgmail.phrases import heading, match_result, refusal, stage
from bgmail.phrases.times import last_play
from bgmail.phrases.translate import gettext as _
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import accounts, directory, ties
from bgmail.service.errors import NotFound, Refused
from bgmail.service.ties import Kind, Tied
from bgmail.service.views import MatchView
from bgmail.web import boards, cursors
from bgmail.web.picture import board_view
from bgmail.web.queue import names_of
from bgmail.web.reader import zone_of
from bgmail.world import world

blueprint = Blueprint("directory", __name__)
PAGE = 20
LENGTHS = (1, 3, 5, 7, 9, 11, 13, 15, 17, 21, 25, 0)


@dataclass(frozen=True, slots=True)
class Watched:
    """One match as a list for spectators shows it."""

    view: MatchView
    board: Markup
    stage: str
    score: str
    says: str
    moved: str


@blueprint.get("/people")
def people() -> ResponseReturnValue:
    """Search people; those I follow, with their running matches, and those I don't want to hear."""
    typed, wrong, found = request.args.get("q", "").strip()[:60], "", None
    if typed:
        try:
            found = directory.search(world().store, typed)
        except Refused as error:
            wrong = refusal(error)
    mine = ties.mine(world().store, g.account.id) if g.account else []
    followed = _of(mine, Kind.FOLLOW)
    running = directory.running_of(world().store, [one.person.id for one in followed], PAGE)
    page = render_template(
        "people/search.html",
        here="people",
        typed=typed,
        wrong=wrong,
        found=found,
        most=directory.MOST_FOUND,
        followed=followed,
        muted=_of(mine, Kind.MUTE),
        blocked=_of(mine, Kind.BLOCK),
        running=[_watched(view) for view in running],
    )
    return page, 422 if wrong else 200


@blueprint.get("/matches")
def matches() -> ResponseReturnValue:
    """Public matches, running or finished, of everybody or of one person, of any length or of one."""
    asked = request.args
    which = "finished" if asked.get("show") == "finished" else "running"
    player, length, wrong = asked.get("player", "").strip()[:60], _length(asked.get("length")), ""
    try:
        player_id = accounts.by_handle(world().store, player).id if player else None
        found = directory.watch(
            world().store,
            which,
            player_id=player_id,
            length=length,
            after=cursors.read(asked.get("after")),
            limit=PAGE + 1,
        )
    except NotFound as error:
        wrong, found = refusal(error), []
    wish = {"player": player or None, "length": length}
    page = render_template(
        "people/matches.html",
        here="matches",
        which=which,
        wish=wish,
        wrong=wrong,
        lengths=[(number, _length_word(number)) for number in LENGTHS],
        rows=[_watched(view) for view in found[:PAGE]],
        more=_more(found, which, wish),
    )
    return page, 404 if wrong else 200


def _of(mine: Sequence[Tied], kind: Kind) -> list[Tied]:
    return [one for one in mine if one.kind is kind]


def _more(found: Sequence[MatchView], which: str, wish: dict[str, Any]) -> dict[str, Any] | None:
    if len(found) <= PAGE:
        return None
    last = found[PAGE - 1]
    return {"show": which, **wish, "after": cursors.written((last.moved_at, last.id))}


def _length(text: str | None) -> int | None:
    if not text or not (text.isascii() and text.isdigit() and len(text) <= 2):
        return None
    return int(text) if int(text) in directory.LENGTHS else None


def _length_word(length: int) -> str:
    return _("%(length)s points", length=length) if length > 1 else _("1 point") if length else _("sessions")


def _watched(view: MatchView) -> Watched:
    now, names = world().now(), names_of(view, None)
    over, score = view.match.phase is Phase.OVER, view.match.score
    wanted = boards.chosen()
    board = mini.draw(board_view(view.match, None, None, wanted), wanted.theme, title=_("The board"))
    return Watched(
        view=view,
        board=Markup(board),  # noqa: S704 - drawn by bgmail.board, which escapes its texts
        stage=stage(view.match),
        score=f"{score[Side.WHITE]}–{score[Side.BLACK]}",
        says=match_result(view.match, names) if over else heading(view.match, names),
        moved=last_play(view.moved_at, zone_of(g.account), now),
    )
