"""Reads the games that GNU Backgammon saves (SGF): an independent witness of what it read from our files.

Shares no code with the reader of match files.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_HEAD = re.compile(r"MI\[length:(\d+)\]\[game:(\d+)\]\[ws:(\d+)\]\[bs:(\d+)\]")
_RESULT = re.compile(r"RE\[([WB])\+(\d+)R?\]")
_NODE = re.compile(r"\n;(?:PL\[(?P<open>[WB])\]DI\[(?P<dice>\d\d)\]|(?P<side>[WB])\[(?P<what>\w+)\])")

Moves = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class SavedGame:
    """One game: score before it, what happened as (side, word or dice, moves), and the winner's points."""

    length: int
    score: tuple[int, int]
    events: tuple[tuple[str, str, Moves], ...]
    result: tuple[str, int] | None


def read_sgf(text: str) -> list[SavedGame]:
    """All games of a saved match."""
    return [_game(part) for part in text.split("(;FF[4]")[1:]]


def _game(text: str) -> SavedGame:
    head, result = _HEAD.search(text), _RESULT.search(text)
    assert head
    return SavedGame(
        length=int(head[1]),
        score=(int(head[3]), int(head[4])),
        events=tuple(_event(found) for found in _NODE.finditer(text)),
        result=(result[1], int(result[2])) if result else None,
    )


def _event(found: re.Match[str]) -> tuple[str, str, Moves]:
    if found["open"]:
        return found["open"], found["dice"], ()
    side, what = found["side"], found["what"]
    if not what[0].isdigit():
        return side, what, ()
    letters = [_point(side, letter) for letter in what[2:]]
    return side, what[:2], tuple(sorted(zip(letters[::2], letters[1::2], strict=True)))


def _point(side: str, letter: str) -> int:
    """The point in the mover's numbering; 25 the bar, 0 off."""
    if letter in "yz":
        return 25 if letter == "y" else 0
    point = ord(letter) - ord("a") + 1
    return point if side == "W" else 25 - point
