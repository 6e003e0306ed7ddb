"""Frames of a match for a reader's eyes: drawn here as a board, or sent as numbers to the page's script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from bgmail.board import geometry
from bgmail.board.view import BoardView, Whose
from bgmail.ledger.film import Frame, Told
from bgmail.phrases.story import Line, sentence, story
from bgmail.phrases.translate import gettext as _
from bgmail.phrases.words import Names
from bgmail.rules.options import cube_in_play
from bgmail.rules.side import Side
from bgmail.web.picture import board_view, drawing, place_words, viewer_of
from bgmail.web.reader import reader
from bgmail.web.scene import board_title


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a match's story with the picture that belongs to it, and whose line it is."""

    line: Line
    frame: Frame
    seat: str | None


def steps(entries: Sequence[Told], frames: Iterable[Frame], names: Names, after: int = 0) -> list[Step]:
    """What happened after the entry `after`, from the first game on, as far as there is a position to show."""
    shown = {frame.seq: frame for frame in frames}
    seats = {entry.seq: entry.seat for entry in entries}
    told = [Step(line, shown[line.seq], seats[line.seq]) for line in story(entries, names, after)]
    return [step for step in told if step.frame.game and step.frame.position_id]


def seen_board(frame: Frame, names: Names) -> BoardView:
    """The frame from the reader's side; the dice of a play lie beside its arrows."""
    played = (frame.on_roll.other, frame.play) if frame.play else None
    view = board_view(frame.match(), names.you, played, reader().board)
    if frame.kind != "play" or frame.dice is None or frame.roller is None:
        return view
    whose: Whose = "viewer" if frame.roller is viewer_of(names.you) else "opponent"
    return replace(view, dice=frame.dice, dice_side=whose)


def board(frame: Frame, names: Names, ids: str = "bd-") -> Markup:
    """The board of a frame as SVG."""
    words, title = place_words(names.opponent), board_title(names)
    return drawing(
        seen_board(frame, names), words, title, interactive=False, ids=ids, theme=reader().board.theme
    )


def rows(told: Iterable[Step]) -> list[list[Any]]:
    """The steps as the script reads them, as short as can be.

    Each is [seq, game, sentence, play, position id, side whose play or dice these are (0 = White, -1 = nobody),
    dice, cube, White's points, Black's]. The id is there for plays alone, as the opponent sees it. The cube is
    "" where there is none, else its value, its owner and whom it is offered to, such as "2w-", "1--", "4-b".
    """
    return [_row(step.line, step.frame) for step in told]


def _row(line: Line, frame: Frame) -> list[Any]:
    played = frame.kind == "play"
    dice = "".join(map(str, frame.dice)) if frame.dice else ""
    return [
        line.seq,
        frame.game,
        sentence(line),
        frame.play,
        frame.position_id if played else "",
        int(frame.on_roll.other) if played else -1 if frame.roller is None else int(frame.roller),
        dice,
        _cube(frame),
        *frame.score,
    ]


def _cube(frame: Frame) -> str:
    if not cube_in_play(frame.terms):
        return ""
    letters: Mapping[Side | None, str] = {None: "-", Side.WHITE: "w", Side.BLACK: "b"}
    if frame.offered:
        return f"{frame.offered}-{letters[frame.on_roll.other]}"
    return f"{frame.cube.value}{letters[frame.cube.owner]}-"


def film_data(told: Sequence[Step], names: Names, before: Frame | None) -> dict[str, Any]:
    """All that the script needs to show the steps (at least one); `before` lay on the board when they began."""
    wanted = reader().board
    return {
        "rows": rows(told),
        "start": [before.position_id, int(before.on_roll)] if before and before.position_id else None,
        "game": before.game if before else 0,
        "viewer": int(viewer_of(names.you)),
        "white": seen_board(told[0].frame, names).viewer_is_white,
        "geometry": geometry.as_dict(wanted.home_left, wanted.home_top),
        "who": {"white": names.white, "black": names.black},
        "words": film_words(),
    }


def film_words() -> dict[str, str]:
    """The sentences of the script; {braces} are filled in by it."""
    return {
        "step": _("Step {n} of {all}: {text}"),
        "silent": _("Step {n} of {all}"),
        "rest": _("The board shows the position now."),
        "play": _("Play"),
        "pause": _("Pause"),
        "score": _("{white} {w}, {black} {b}"),
        "pips": _("Pips: {white} {w}, {black} {b}"),
    }
