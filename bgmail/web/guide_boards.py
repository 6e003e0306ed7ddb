"""The guide's boards: each drawn from a position, its legal plays and its refusals asked of the rules."""

from __future__ import annotations

from dataclasses import dataclass, replace

from markupsafe import Markup

from bgmail.board import mini
from bgmail.board.staged import hops_of
from bgmail.board.view import POINTS, BoardView, Whose
from bgmail.phrases import refusal
from bgmail.phrases.translate import gettext as _
from bgmail.rules import Dice, Play, Position, find_play, legal_plays
from bgmail.rules.notation import PlayError
from bgmail.rules.ruleset import DEFAULT
from bgmail.rules.score import worth
from bgmail.web import boards
from bgmail.web.guide_studies import LOSERS, OPENINGS, STUDIES, Study
from bgmail.web.picture import drawing, place_words, seen

_YOU: Whose = "viewer"


@dataclass(frozen=True, slots=True)
class Example:
    """A board with a roll: the legal plays as written, and what was tried with the answer it gets."""

    board: Markup
    dice: str
    shown: str
    plays: tuple[str, ...]
    refused: tuple[tuple[str, str], ...]
    pips: int
    opponent_pips: int


@dataclass(frozen=True, slots=True)
class Ended:
    """A game that is just over, from the winner's side, and what it is worth with the cube in the middle."""

    name: str
    board: Markup
    worth: int


def examples() -> dict[str, Example]:
    """All examples of the rules by name."""
    return {name: example(name, study) for name, study in STUDIES.items()}


def example(name: str, study: Study) -> Example:
    """What the rules say about one position and roll."""
    plays = legal_plays(study.position, study.dice, DEFAULT)
    shown = find_play(study.position, study.dice, study.shown, DEFAULT) if study.shown else None
    return Example(
        board=_after(name, study.dice, shown) if shown else board(name, study.position, study.dice),
        dice=str(study.dice),
        shown=str(shown or ""),
        plays=tuple(str(play) for play in plays),
        refused=tuple((text, answer(study, text)) for text in study.tries),
        pips=study.position.pip_count(),
        opponent_pips=study.position.opponent_pip_count(),
    )


def answer(study: Study, text: str) -> str:
    """The sentence with which this site refuses a play. Raises ValueError for one that is legal."""
    try:
        find_play(study.position, study.dice, text, DEFAULT)
    except PlayError as error:
        return refusal(error)
    raise ValueError(f"{text} is legal with {study.dice}")


def opening(dice: Dice) -> Example:
    """The sound play of an opening roll, drawn after it."""
    return example(f"opening-{dice}", Study(Position.start(), dice, OPENINGS[dice]))


def board(name: str, position: Position, dice: Dice | None = None, cube: int | None = None) -> Markup:
    """A position as its reader sees it, on roll."""
    numbers = (dice.high, dice.low) if dice else None
    return _drawn(name, BoardView.of(position, on_roll_is_viewer=True, dice=numbers, cube=cube))


def _after(name: str, dice: Dice, play: Play) -> Markup:
    """The position after a play, with the play shown back by arrows."""
    hops = hops_of(str(play))
    view = BoardView.of(
        play.position,
        on_roll_is_viewer=True,
        dice=(dice.high, dice.low),
        cube=None,
        arrows=tuple((start, end, _YOU) for start, end in hops),
        last_play=tuple({place for hop in hops for place in hop} & set(POINTS)),
    )
    return _drawn(name, view)


def _drawn(name: str, view: BoardView) -> Markup:
    wanted = replace(boards.chosen(), upright="never", numbers=True)  # the text beside it names points
    words = place_words(_("your opponent"))
    shown, theme = seen(view, wanted), wanted.theme
    return drawing(shown, words, _("Board"), interactive=False, ids=f"{name}-", theme=theme)


def endings() -> list[Ended]:
    """The three ways in which a game can be lost by bearing off, the cheapest first."""
    names = {"single": _("Single game"), "gammon": _("Gammon"), "backgammon": _("Backgammon")}
    return [
        Ended(names[name], _small(names[name], loser), worth(loser, DEFAULT))
        for name, loser in LOSERS.items()
    ]


def _small(title: str, loser: Position) -> Markup:
    view = BoardView.of(loser, on_roll_is_viewer=False, cube=None)
    return Markup(mini.draw(view, boards.chosen().theme, title=title))  # noqa: S704 - drawn by bgmail.board, which escapes
