"""What the server does itself because nothing is left to decide: a pure choice, logged as automatic."""

from __future__ import annotations

from bgmail.rules.action import Action, Kind
from bgmail.rules.match import Match, Phase, legal
from bgmail.rules.options import why_no_double
from bgmail.rules.play import Play
from bgmail.rules.position import BAR, Position

MOST_STEPS = 100  # a chain of dances ends long before; past it the server asks


def next_step(match: Match) -> Action | None:
    """The action that needs no decision, without its dice; None when a person has to come.

    The opening roll, a roll by a side that may not double or is shut out on the bar, a dance, and the only
    legal play.
    """
    if match.phase is Phase.OPENING:
        return Action(Kind.OPENING_ROLL, None)
    if match.phase is Phase.ROLL_OR_DOUBLE:
        rolls = why_no_double(match, match.turn) is not None or shut_out(match.position)
        return Action(Kind.ROLL, match.turn) if rolls and match.offer is None else None
    if match.phase is Phase.PLAY and match.offer is None:
        return _play_without_choice(match)
    return None


def shut_out(position: Position) -> bool:
    """Whether the side on roll has a checker on the bar and all six entry points are closed."""
    return position.board[BAR] > 0 and all(count <= -2 for count in position.board[19:25])


def _play_without_choice(match: Match) -> Action | None:
    plays: tuple[Play, ...] = legal(match)
    if not plays:
        return Action(Kind.PLAY, match.turn)
    if len(plays) == 1 and match.rules.forced_plays:
        return Action(Kind.PLAY, match.turn, play=plays[0])
    return None
