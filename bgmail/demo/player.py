"""The players of the demo: our own plain machine in a hurry, and lively with the cube, so that matches are short."""

from __future__ import annotations

from bgmail.engine.chances import of_game
from bgmail.engine.plain import PlainPlayer
from bgmail.engine.player import decide
from bgmail.rules.action import Kind
from bgmail.rules.match import Match
from bgmail.rules.options import certain_value, options
from bgmail.rules.play import Play
from bgmail.rules.side import Side
from bgmail.service.turns import Request

DOUBLES, PASSES, RESIGNS = 0.55, 0.75, 0.1
"""From which chance to win on one doubles, above which chance of the other's one passes, below which one gives up."""
_PLAYER = PlainPlayer(looks_ahead=False)


def choose(match: Match) -> Play:
    """The legal play that looks best. There must be one."""
    return _PLAYER.play(match)


def lively(match: Match, side: Side, version: int) -> Request:
    """What the side on turn does in a match that is played to its end."""
    may, chance = options(match, side), of_game(match.position)
    if Kind.TAKE in may:
        return Request(Kind.PASS if chance > PASSES else Kind.TAKE, version)
    if Kind.ROLL in may:
        if Kind.DOUBLE in may and chance > DOUBLES:
            return Request(Kind.DOUBLE, version)
        if Kind.RESIGN in may and chance < RESIGNS and certain_value(match, side) == 1:
            return Request(Kind.RESIGN, version, value=1)
    decision = decide(_PLAYER, match, side)
    return Request(decision.action, version, play=decision.play)
