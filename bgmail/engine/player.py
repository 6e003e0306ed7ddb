"""What a machine is asked, and how its answers become one action of a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bgmail.rules.action import Kind
from bgmail.rules.match import Match, legal
from bgmail.rules.options import options
from bgmail.rules.play import Play
from bgmail.rules.side import Side
from bgmail.rules.state import without_wager


class Player(Protocol):
    """A machine. It is only asked what the rules leave open, and answers from the match alone."""

    @property
    def name(self) -> str:
        """What people may call it."""

    def play(self, match: Match) -> Play:
        """One of the legal plays of the roll on the board: there are at least two."""

    def doubles(self, match: Match) -> bool:
        """Whether the side on roll, which may double, should."""

    def takes(self, match: Match) -> bool:
        """Whether the side that was doubled should play on for twice as much."""

    def settles(self, match: Match) -> bool:
        """Whether the open offer to resign is as much as the winner can hope for."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a machine does: the action in the API's word, and the spelling of the play."""

    action: Kind
    play: str | None = None


class NothingToDecide(ValueError):
    """The side can only wait."""


def decide(player: Player, match: Match, side: Side) -> Decision:
    """The next action of `side` in a match in which it is on turn. Raises NothingToDecide otherwise.

    A machine never gives a game up itself, and knows of no wager: all games count in it alike.
    """
    match = without_wager(match)
    may = options(match, side)
    if Kind.ACCEPT_RESIGNATION in may:
        settled = wins_match(match, side) or player.settles(match)
        return Decision(Kind.ACCEPT_RESIGNATION if settled else Kind.DECLINE_RESIGNATION)
    if Kind.TAKE in may:
        taken = pass_loses_match(match) or player.takes(match)
        return Decision(Kind.TAKE if taken else Kind.PASS)
    if Kind.PLAY in may:
        return Decision(Kind.PLAY, _play(player, match))
    if Kind.ROLL in may:
        return Decision(Kind.DOUBLE if Kind.DOUBLE in may and player.doubles(match) else Kind.ROLL)
    raise NothingToDecide(match.phase.value)


def _play(player: Player, match: Match) -> str:
    plays = legal(match)
    if len(plays) < 2:
        return str(plays[0]) if plays else ""
    return str(player.play(match))


def wins_match(match: Match, side: Side) -> bool:
    """Whether the points that are offered to `side` end the match in its favour."""
    offered = match.offer.value * match.cube.value if match.offer else 0
    return bool(match.length) and offered >= match.away(side)


def pass_loses_match(match: Match) -> bool:
    """Whether passing the double gives the doubler all that it still needs: then there is nothing to lose."""
    return bool(match.length) and match.cube.value >= match.away(match.turn)
