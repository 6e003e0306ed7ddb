"""What the board's script is given: the state of the match, the board's measures, and every sentence that it says."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from bgmail.board import geometry
from bgmail.board.view import BoardView
from bgmail.phrases.translate import gettext as _
from bgmail.rules.match import legal
from bgmail.rules.side import Side
from bgmail.service import states
from bgmail.service.board_preferences import BoardPreference
from bgmail.service.views import MatchView


def script_data(
    view: MatchView,
    you: Side | None,
    shown: BoardView,
    names: dict[str, str],
    wanted: BoardPreference,
    now: datetime,
) -> dict[str, Any]:
    """All of it, ready for JSON. `most` is how many moves a legal play makes, `names` those of the places."""
    return {
        "state": states.state(view, you, now),
        "points": list(shown.points),
        "white": shown.viewer_is_white,
        "geometry": geometry.as_dict(wanted.home_left, wanted.home_top),
        "click": wanted.click,
        "most": max((len(play.moves) for play in legal(view.match)), default=0),
        "words": {**steps(), **reasons(), "names": names, "theirs": names["not_yours"]},
    }


def steps() -> dict[str, str]:
    """What it says as a play is built; {braces} are filled in by it."""
    return {
        "start": _("Press a checker, then where it goes; or drag it."),
        "start_quick": _(
            "Press a checker to play the {first}, its right half to play the {other}. Or drag it."
        ),
        "start_double": _("A press on a checker plays a {first}. Or drag it."),
        "selected": _("From {from}: it can go to {to}. Press it again to play the {die}."),
        "made": _("{move}. Still to play: {left}."),
        "ready": _("{play}: not sent yet. Submit it, or undo."),
        "ready_short": _("{play}: not sent yet. The {left} can't be played. Submit it, or undo."),
        "undone": _("Taken back."),
        "swapped": _("The {die} is played first now."),
        "unfinished": _("The play isn't complete: move another checker first."),
        "target": _("may go here"),
        "bar": _("bar"),
        "off": _("off"),
    }


def reasons() -> dict[str, str]:
    """Why a checker can't be moved."""
    return {
        "all_played": _("All that can be played is played. Submit, or undo."),
        "bar_first": _("You are on the bar: enter with {dice} first."),
        "bar_blocked": _("You are on the bar: {blocked}, enter with {dice}."),
        "die": _("the {face}"),
        "die_blocked": _("the {face} is blocked ({at} point)"),
        "no_die": _("There is no {face} to play."),
        "nobody": _("No checker of yours is there."),
        "blocked": _("From {from} the {face} is blocked ({at} point)."),
        "straggler": _("The {face} bears off only when all your checkers are in your home board."),
        "higher": _("The {face} must be used from the {at} point first."),
        "whole": _("From {from} the {face} isn't legal now: more of the roll can be played, as by {play}."),
        "larger": _(
            "From {from} the {face} isn't legal: only one number can be played, so it must be the {high}."
        ),
    }
