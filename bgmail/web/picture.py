"""The board of a match as its page draws it: from the reader's side, with the latest play shown back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from bgmail.board import svg
from bgmail.board.labels import key_of
from bgmail.board.view import BAR, OFF, POINTS, BoardView, Whose
from bgmail.ledger.entry import Entry
from bgmail.phrases.translate import gettext as _
from bgmail.rules.match import Match, Phase
from bgmail.rules.score import Crawford
from bgmail.rules.side import Side
from bgmail.service.views import MatchView

_NAMED = {"bar": BAR, "off": OFF}
_PART = re.compile(r"([^()]+)(?:\((\d)\))?")


@dataclass(frozen=True, slots=True)
class Turned:
    """How somebody wants to see every board: the home board at the left, or at the top."""

    home_left: bool = False
    home_top: bool = False


@dataclass(frozen=True, slots=True)
class LastPlay:
    """The latest play of the running game."""

    side: Side
    notation: str


def last_play(entries: Sequence[Entry], match: Match) -> LastPlay | None:
    """The latest play among the newest entries, if nothing came after it but rolls and cube actions."""
    for entry in reversed(entries):
        if entry.kind in ("game_over", "opening_roll", "accept", "invite") and match.phase is not Phase.OVER:
            return None
        if entry.kind == "play" and entry.data["play"] and entry.seat:
            return LastPlay(Side.named(entry.seat), entry.data["play"])
    return None


def viewer_of(you: Side | None) -> Side:
    """From whose side somebody looks: spectators sit behind White."""
    return Side.WHITE if you is None else you


def board_view(view: MatchView, you: Side | None, shown: LastPlay | None, turned: Turned) -> BoardView:
    """The present position as `you` see it."""
    return view_at(view.match, you, shown, turned)


def view_at(match: Match, you: Side | None, shown: LastPlay | None, turned: Turned) -> BoardView:
    """A match's position, dice and cube as `you` see them."""
    viewer = viewer_of(you)
    dice = (match.dice.d1, match.dice.d2) if match.dice else None
    doubled = match.phase is Phase.TAKE_OR_PASS
    return BoardView(
        points=tuple(match.seen_by(viewer).board),
        viewer_is_white=viewer is Side.WHITE,
        dice=dice,
        dice_side=_whose(match.turn, viewer) if dice else None,
        cube=match.cube.value if cube_in_play(match) else None,
        cube_owner=_whose(match.cube.owner, viewer) if match.cube.owner is not None else None,
        offered_cube=match.cube.value * 2 if doubled else None,
        offered_to=_whose(match.turn.other, viewer) if doubled else None,
        home_left=turned.home_left,
        home_top=turned.home_top,
        arrows=_arrows(shown, viewer) if shown else (),
        last_play=_touched(shown, viewer) if shown else (),
    )


def cube_in_play(match: Match) -> bool:
    """Whether the present game has a doubling cube."""
    return match.rules.cube and match.length != 1 and match.crawford is not Crawford.ACTIVE


def _whose(side: Side, viewer: Side) -> Whose:
    return "viewer" if side is viewer else "opponent"


def moves_of(notation: str) -> list[tuple[int, int]]:
    """The hops that a play's notation names, in the mover's numbers: "13/7*/5" is (13, 7), (7, 5)."""
    hops: list[tuple[int, int]] = []
    for part in notation.split():
        found = _PART.fullmatch(part)
        if found is None:
            continue
        stops = [_point(stop) for stop in found[1].split("/")]
        hops += list(pairwise(stops)) * int(found[2] or 1)
    return hops


def _point(word: str) -> int:
    word = word.rstrip("*")
    return _NAMED[word] if word in _NAMED else int(word)


def _arrows(shown: LastPlay, viewer: Side) -> tuple[tuple[int, int, Whose], ...]:
    whose = _whose(shown.side, viewer)
    return tuple((_seen(start, whose), _seen(end, whose), whose) for start, end in moves_of(shown.notation))


def _touched(shown: LastPlay, viewer: Side) -> tuple[int, ...]:
    whose = _whose(shown.side, viewer)
    places = {_seen(place, whose) for hop in moves_of(shown.notation) for place in hop}
    return tuple(sorted(places & set(POINTS)))


def _seen(place: int, whose: Whose) -> int:
    return place if whose == "viewer" or place in (BAR, OFF) else BAR - place


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
    view: BoardView, words: dict[str, str], title: str, *, interactive: bool, ids: str = "bd-"
) -> Markup:
    """The board as SVG; where it can't be touched, its description tells a screen reader what is where."""
    labels = place_labels(view, words)
    drawn = svg.draw(
        view,
        "auto",
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
