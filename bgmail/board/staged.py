"""A match on a board: position, dice and cube as one side sees them, with a play shown back."""

from __future__ import annotations

import re
from itertools import pairwise

from bgmail.board.view import BAR, OFF, POINTS, BoardView, Whose
from bgmail.rules.match import Match, Phase
from bgmail.rules.options import cube_in_play
from bgmail.rules.side import Side

_NAMED = {"bar": BAR, "off": OFF}
_PART = re.compile(r"([^()]+)(?:\((\d)\))?")


def staged(
    match: Match,
    viewer: Side,
    *,
    played: tuple[Side, str] | None = None,
    home_left: bool = False,
    home_top: bool = False,
) -> BoardView:
    """The present state of the match from the side of `viewer`; `played` is a play to be shown back."""
    dice = (match.dice.d1, match.dice.d2) if match.dice else None
    doubled = match.phase is Phase.TAKE_OR_PASS
    hops = _seen_hops(played, viewer) if played else ()
    return BoardView(
        points=tuple(match.seen_by(viewer).board),
        viewer_is_white=viewer is Side.WHITE,
        dice=dice,
        dice_side=_whose(match.turn, viewer) if dice else None,
        cube=match.cube.value if cube_in_play(match) else None,
        cube_owner=_whose(match.cube.owner, viewer) if match.cube.owner is not None else None,
        offered_cube=match.cube.value * 2 if doubled else None,
        offered_to=_whose(match.turn.other, viewer) if doubled else None,
        home_left=home_left,
        home_top=home_top,
        arrows=hops,
        last_play=tuple(sorted({place for start, end, _ in hops for place in (start, end)} & set(POINTS))),
    )


def hops_of(notation: str) -> list[tuple[int, int]]:
    """The hops that a play's notation names, in the mover's numbers: "13/7*/5" is (13, 7), (7, 5)."""
    hops: list[tuple[int, int]] = []
    for part in notation.split():
        found = _PART.fullmatch(part)
        if found is None:
            continue
        stops = [_place(stop) for stop in found[1].split("/")]
        hops += list(pairwise(stops)) * int(found[2] or 1)
    return hops


def _place(word: str) -> int:
    word = word.rstrip("*")
    return _NAMED[word] if word in _NAMED else int(word)


def _whose(side: Side, viewer: Side) -> Whose:
    return "viewer" if side is viewer else "opponent"


def _seen_hops(played: tuple[Side, str], viewer: Side) -> tuple[tuple[int, int, Whose], ...]:
    side, notation = played
    whose = _whose(side, viewer)
    return tuple((_seen(start, whose), _seen(end, whose), whose) for start, end in hops_of(notation))


def _seen(place: int, whose: Whose) -> int:
    return place if whose == "viewer" or place in (BAR, OFF) else BAR - place
