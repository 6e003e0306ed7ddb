"""The board of a match as its page draws it: from the reader's side, with the latest play shown back."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from markupsafe import Markup

from bgmail.board import svg
from bgmail.board.labels import key_of
from bgmail.board.staged import staged
from bgmail.board.themes import AUTO
from bgmail.board.view import POINTS, BoardView, Upright, Whose
from bgmail.phrases.translate import gettext as _
from bgmail.rules.match import Match
from bgmail.rules.side import Side
from bgmail.service.board_preferences import BoardPreference


def viewer_of(you: Side | None) -> Side:
    """From whose side somebody looks: spectators sit behind White."""
    return Side.WHITE if you is None else you


def board_view(
    match: Match, you: Side | None, played: tuple[Side, str] | None, preference: BoardPreference
) -> BoardView:
    """A match's position, dice and cube as `you` see them, and want to."""
    return seen(staged(match, viewer_of(you), played=played), preference)


def seen(view: BoardView, preference: BoardPreference) -> BoardView:
    """A view as somebody wants it: turned, in their colours, numbered or not."""
    light = {"dealt": view.viewer_is_white, "light": True, "dark": False}[preference.checkers]
    return replace(
        view,
        viewer_is_white=light,
        home_left=preference.home_left,
        home_top=preference.home_top,
        upright=cast(Upright, preference.upright),
        numbers=preference.numbers,
    )


def place_words(opponent: str) -> dict[str, str]:
    """The pieces of every place's name, for the drawing and for its script: "13 point, 5 of yours"."""
    return {
        "point": _("{point} point"),
        "bar": _("Bar"),
        "off": _("Off"),
        "yours": _("{n} of yours"),
        "theirs": _("{n} of %(name)s", name=opponent),
        "none_yours": _("none of yours"),
        "none_theirs": _("none of %(name)s", name=opponent),
        "empty": _("empty"),
        "not_yours": _("Those checkers are %(name)s's.", name=opponent),
    }


def place_labels(view: BoardView, words: dict[str, str]) -> dict[str, str]:
    """A name for every place of a board, keyed as the drawing wants them."""
    names = {str(point): _labelled(words, "point", point, view.points[point]) for point in POINTS}
    for whose, sign in _SIGNS:
        names[key_of("bar", whose)] = _labelled(words, "bar", 0, sign * view.bar(whose), whose)
        names[key_of("off", whose)] = _labelled(words, "off", 0, sign * view.off(whose), whose)
    return names


_SIGNS: tuple[tuple[Whose, int], ...] = (("viewer", 1), ("opponent", -1))


def _labelled(words: dict[str, str], kind: str, point: int, count: int, whose: Whose | None = None) -> str:
    place = words[kind].replace("{point}", str(point))
    if count:
        held = words["yours" if count > 0 else "theirs"].replace("{n}", str(abs(count)))
    elif whose is None:
        held = words["empty"]
    else:
        held = words["none_yours" if whose == "viewer" else "none_theirs"]
    return f"{place}, {held}"


def drawing(
    view: BoardView,
    words: dict[str, str],
    title: str,
    *,
    interactive: bool,
    ids: str = "bd-",
    theme: str = AUTO,
) -> Markup:
    """The board as SVG; where it can't be touched, its description tells a screen reader what is where."""
    labels = place_labels(view, words)
    drawn = svg.draw(
        view,
        theme,
        interactive=interactive,
        title=title,
        desc=None if interactive else described(view, labels),
        labels=labels,
        ids=ids,
    )
    return Markup(drawn)  # noqa: S704 - bgmail.board escapes title, description and labels


def described(view: BoardView, labels: dict[str, str]) -> str:
    """All places with something on them, from the highest point down, in a row."""
    held = [str(point) for point in reversed(POINTS) if view.points[point]]
    for whose, _sign in _SIGNS:
        held += [key_of("bar", whose)] if view.bar(whose) else []
        held += [key_of("off", whose)] if view.off(whose) else []
    return "; ".join(labels[key] for key in held) + "."
