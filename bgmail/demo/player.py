"""A plain player for demo matches: it runs, makes points and dislikes blots. Knows only the rules."""

from __future__ import annotations

from bgmail.rules.match import Match, legal
from bgmail.rules.play import Play
from bgmail.rules.position import BAR, Position

BLOT, POINT, HIT, OFF = -8, 5, 12, 10


def choose(match: Match) -> Play:
    """The legal play that looks best. There must be one."""
    return max(legal(match), key=lambda play: (_worth(play.position), str(play)))


def _worth(position: Position) -> int:
    board = position.board
    mine = [count for count in board[1:25] if count > 0]
    return (
        BLOT * mine.count(1)
        + POINT * sum(1 for count in mine if count > 1)
        + HIT * -board[0]
        + OFF * position.off
        - 20 * board[BAR]
        - position.pip_count() // 4
    )
