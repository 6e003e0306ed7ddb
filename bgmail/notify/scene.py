"""The board of a letter: the position as the reader sees it, with the opponent's last play marked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bgmail.board.view import BAR, BoardView, Whose
from bgmail.ledger.entry import Entry
from bgmail.phrases.terms import cube_in_play
from bgmail.rules.match import Match, Phase
from bgmail.rules.side import Side

_POINT = re.compile(r"\d+")
_TIMES = re.compile(r"\(\d\)")
_ENDS_A_GAME = frozenset({"game_over", "opening_roll", "accept", "invite"})


def board_view(match: Match, reader: Side, entries: Sequence[Entry] = ()) -> BoardView:
    """The present position, dice and cube; `entries` are the latest of the log, for the marks."""
    doubled = match.phase is Phase.TAKE_OR_PASS
    return BoardView(
        points=tuple(match.seen_by(reader).board),
        viewer_is_white=reader is Side.WHITE,
        dice=(match.dice.d1, match.dice.d2) if match.dice else None,
        dice_side=_whose(match.turn, reader) if match.dice else None,
        cube=match.cube.value if cube_in_play(match) else None,
        cube_owner=_whose(match.cube.owner, reader) if match.cube.owner is not None else None,
        offered_cube=match.cube.value * 2 if doubled else None,
        offered_to=_whose(match.turn.other, reader) if doubled else None,
        last_play=_touched(entries, match, reader),
    )


def _whose(side: Side, reader: Side) -> Whose:
    return "viewer" if side is reader else "opponent"


def _touched(entries: Sequence[Entry], match: Match, reader: Side) -> tuple[int, ...]:
    """The points, in the reader's numbers, that the latest play of the running game touched."""
    for entry in reversed(entries):
        if entry.kind in _ENDS_A_GAME and match.phase is not Phase.OVER:
            return ()
        if entry.kind == "play" and entry.seat and entry.data["play"]:
            points = {int(point) for point in _POINT.findall(_TIMES.sub("", entry.data["play"]))}
            own = Side.named(entry.seat) is reader
            return tuple(sorted(points if own else {BAR - point for point in points}))
    return ()
