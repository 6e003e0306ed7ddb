"""The player of the demo matches: our own plain machine, in a hurry."""

from __future__ import annotations

from bgmail.engine.plain import PlainPlayer
from bgmail.rules.match import Match
from bgmail.rules.play import Play

_PLAYER = PlainPlayer(looks_ahead=False)


def choose(match: Match) -> Play:
    """The legal play that looks best. There must be one."""
    return _PLAYER.play(match)
