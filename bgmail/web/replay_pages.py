"""The replay of a whole match: every position at an address of its own, and boards to be printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flask import abort, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from bgmail.board import graph
from bgmail.board.graph import Course
from bgmail.ledger.film import Frame, Told, film
from bgmail.phrases import entry_line, instant, score_line, stage
from bgmail.phrases.pips import pip_course
from bgmail.phrases.story import sentence
from bgmail.phrases.translate import gettext as _
from bgmail.phrases.words import Names
from bgmail.rules.ids import gnubg_match_id, xgid
from bgmail.rules.match import Match
from bgmail.rules.side import Side
from bgmail.service import films
from bgmail.service.states import situation
from bgmail.service.views import MatchView
from bgmail.timing import from_microseconds
from bgmail.web.frames import Step, board, film_data, steps
from bgmail.web.history_pages import Game
from bgmail.web.match_pages import blueprint, found, noted
from bgmail.web.reader import reader
from bgmail.web.scene import names_of
from bgmail.world import world

MOST_PRINTED = 200
"""So many boards stand on one page at most."""


@dataclass(frozen=True, slots=True)
class Film:
    """A whole match to be looked through: a frame for each entry, a step for each line of its story."""

    view: MatchView
    names: Names
    entries: Sequence[Told]
    frames: list[Frame]
    steps: list[Step]

    def at(self, seq: int) -> int | None:
        """Which step, counted from 0, shows the match as it was after an entry; None before the first."""
        return max((nth for nth, step in enumerate(self.steps) if step.line.seq <= seq), default=None)

    def game(self, number: int) -> list[Step]:
        """The steps of one game."""
        return [step for step in self.steps if step.frame.game == number]


@dataclass(frozen=True, slots=True)
class Ways:
    """Where the buttons of a replay lead: the entry of each, None where there is nothing that way."""

    first: int | None = None
    back: int | None = None
    on: int | None = None
    last: int | None = None
    game_back: int | None = None
    game_on: int | None = None


@blueprint.get("/replay")
def replay(match_id: str) -> ResponseReturnValue:
    """The replay, at its beginning."""
    shown = _film(match_id)
    if not shown.steps:
        abort(404, _("Nothing has been played in this match yet."))
    return _page(shown, shown.steps[0].line.seq)


@blueprint.get("/log/<int:seq>")
def moment(match_id: str, seq: int) -> ResponseReturnValue:
    """The position after one entry, for ever at this address; the replay goes on from there."""
    shown = _film(match_id)
    if not 0 < seq <= shown.view.head:
        abort(404, _("The log of this match has no such entry."))
    return _page(shown, seq)


@blueprint.get("/film")
def film_of(match_id: str) -> ResponseReturnValue:
    """All steps in numbers, for the script of the replay."""
    shown = _film(match_id)
    if not shown.steps:
        abort(404, _("Nothing has been played in this match yet."))
    return film_data(shown.steps, shown.names, None)


@blueprint.get("/print")
def printed(match_id: str) -> ResponseReturnValue:
    """A board for each step of a game, or of what came after an entry."""
    shown = _film(match_id)
    game, after = request.args.get("game", type=int), request.args.get("after", 0, type=int)
    wanted = shown.game(game) if game else [step for step in shown.steps if step.line.seq > after]
    figures = [
        (step.line.seq, sentence(step.line), board(step.frame, shown.names, f"b{nth}-"))
        for nth, step in enumerate(wanted[:MOST_PRINTED])
    ]
    return render_template(
        "match/print.html",
        view=shown.view,
        names=shown.names,
        game=game,
        figures=figures,
        games=sorted({step.frame.game for step in shown.steps}),
        cut=len(wanted) > MOST_PRINTED,
        stage=stage(wanted[0].frame.match() if wanted else shown.view.match),
    )


def _film(match_id: str) -> Film:
    view = found(match_id)
    names = names_of(view, view.side_of(reader().account_id))
    entries = films.told(world().store, view.id)
    frames = film(entries)
    return Film(view, names, entries, frames, steps(entries, frames, names))


def _page(shown: Film, seq: int) -> str:
    nth, view, names = shown.at(seq), shown.view, shown.names
    frame, entry = max(
        (pair for pair in zip(shown.frames, shown.entries, strict=True) if pair[0].seq <= seq),
        key=lambda pair: pair[0].seq,
    )
    now = view.match if seq == view.head and view.match.result is None else frame.match()
    step = shown.steps[nth] if nth is not None else None
    game = shown.game(frame.game) if frame.game else []
    return render_template(
        "match/moment.html",
        seq=seq,
        nth=nth,
        count=len(shown.steps),
        said=_said(entry, step, names),
        at=instant(from_microseconds(entry.at), reader().zone, world().now()),
        board=board(frame, names),
        stage=stage(now),
        score=score_line(now, names),
        pips=_pips(frame, names),
        ids=_ids(now),
        ways=_ways(shown, nth),
        sheet=_sheet(game, frame.game),
        graph=_graph(game, shown, nth) if game else None,
        names=names,
        **noted(view),
    )


def _said(entry: Told, step: Step | None, names: Names) -> str:
    """The line of the step; of the entry itself where that is none, such as a roll whose play has the line."""
    if step is not None and step.line.seq == entry.seq:
        return sentence(step.line)
    return sentence(entry_line(entry, names))


def _ways(shown: Film, nth: int | None) -> Ways:
    seqs = [step.line.seq for step in shown.steps]
    here = -1 if nth is None else nth
    if not seqs:
        return Ways()
    game = shown.steps[max(here, 0)].frame.game
    begins = [
        step.line.seq
        for step, before in zip(shown.steps, [None, *shown.steps], strict=False)
        if before is None or before.frame.game != step.frame.game
    ]
    return Ways(
        first=seqs[0] if here > 0 else None,
        back=seqs[here - 1] if here > 0 else None,
        on=seqs[here + 1] if here + 1 < len(seqs) else None,
        last=seqs[-1] if here + 1 < len(seqs) else None,
        game_back=next((seq for seq in reversed(begins) if here > 0 and seq < seqs[here]), None),
        game_on=next((seq for seq in begins if seq > (seqs[here] if here >= 0 else 0)), None)
        if game
        else None,
    )


def _pips(frame: Frame, names: Names) -> str:
    white, black = _counts(frame)
    return _("Pips: %(white)s %(w)s, %(black)s %(b)s", white=names.white, w=white, black=names.black, b=black)


def _counts(frame: Frame) -> tuple[int, int]:
    seen = frame.match().seen_by(Side.WHITE)
    return seen.pip_count(), seen.opponent_pip_count()


def _sheet(game: Sequence[Step], number: int) -> Game:
    sheet = Game(number, "")
    for step in game:
        sheet.add(step.line, step.seat)
    return sheet


def _graph(game: Sequence[Step], shown: Film, nth: int | None) -> Markup:
    counts = [_counts(step.frame) for step in game]
    white, black = [pair[0] for pair in counts], [pair[1] for pair in counts]
    turned = [at for at, step in enumerate(game) if step.frame.kind == "double"]
    step = shown.steps[nth] if nth is not None else None
    here = game.index(step) if step in game else 0
    title = _("Pip counts in game %(game)s", game=game[0].frame.game)
    drawn = graph.draw(Course(white, black, turned), here, title, pip_course(white, black, shown.names))
    return Markup(drawn)  # noqa: S704 - bgmail.board escapes title and description


def _ids(match: Match) -> list[tuple[str, str]]:
    """The position as other programs write it."""
    side = match.on_turn if match.on_turn is not None else match.turn
    return [
        (_("Position ID"), match.seen_by(side).id),
        (_("GNU Backgammon match ID"), gnubg_match_id(situation(match))),
        ("XGID", xgid(match.position, situation(match))),
    ]
