"""A person's page: since when they are here, what they play, and how their matches ended."""

from __future__ import annotations

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from flask import Blueprint, g, render_template
from flask.typing import ResponseReturnValue

from bgmail.phrases import match_result, stage
from bgmail.phrases.words import Names
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import accounts, matches
from bgmail.service.accounts import Account
from bgmail.service.views import MatchView
from bgmail.web.note_pages import own_notes
from bgmail.world import world

blueprint = Blueprint("people", __name__)
MOST = 50


@dataclass(frozen=True, slots=True)
class Line:
    """One match of theirs: against whom, how far, and how it ended."""

    match_id: str
    opponent: str
    linked: bool
    is_bot: bool
    score: str
    says: str
    won: bool | None


@blueprint.get("/u/<handle>")
def profile(handle: str) -> ResponseReturnValue:
    """The page of one person, for everybody."""
    here = world()
    person = accounts.by_handle(here.store, handle)
    running = matches.mine(here.store, person.id, "running", MOST)
    finished = [_line(view, person) for view in matches.mine(here.store, person.id, "finished", MOST)]
    zone = ZoneInfo(g.account.time_zone if g.account else "UTC")
    return render_template(
        "people/profile.html",
        person=person,
        since=person.created_at.astimezone(zone),
        running=[_line(view, person) for view in running],
        finished=finished,
        won=sum(line.won is True for line in finished),
        lost=sum(line.won is False for line in finished),
        most=MOST,
        own=own_notes(person_id=person.id) if g.account and g.account.id != person.id else None,
    )


def _line(view: MatchView, person: Account) -> Line:
    side = view.side_of(person.id) or Side.WHITE
    opponent = view.person(side.other)
    called = [seated.handle if seated else "?" for seated in (view.white, view.black)]
    score, result = view.match.score, view.match.result
    over = view.match.phase is Phase.OVER
    won = result.winner is side if over and result and result.winner is not None else None
    return Line(
        match_id=view.id,
        opponent=opponent.handle if opponent else "?",
        linked=opponent is not None,
        is_bot=bool(opponent and opponent.is_bot),
        score=f"{score[side]}–{score[side.other]}",
        says=match_result(view.match, Names(called[0], called[1], None)) if over else stage(view.match),
        won=won,
    )
