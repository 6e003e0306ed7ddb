"""Open Sage, a neural network from PyPI (`bgsage`, MPL 2.0), as a player. It need not be installed.

It knows neither rule sets without backgammons nor wasted pips: its plays are checked against ours.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Protocol, cast

from bgmail.rules.match import Match, legal
from bgmail.rules.play import Play
from bgmail.rules.position import Position
from bgmail.rules.score import Crawford

LEVEL = "1ply"
"""The network's own judgement: a hundredth of a second a decision. A ply more costs twenty times that."""


class Analyzer(Protocol):
    """The part of bgsage's `BgBotAnalyzer` that is used. Boards are lists of 26 numbers seen by the side on roll."""

    def checker_play(self, board: list[int], die1: int, die2: int, **situation: Any) -> Any:
        """`.moves`, best first, each with its `.board`."""

    def cube_action(self, board: list[int], **situation: Any) -> Any:
        """`.should_double`, `.should_take`, `.cubeless_equity` of the side about to roll."""


class SagePlayer:
    """Plays as Open Sage judges; the same position always gets the same answer."""

    name = "sage"

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer

    def play(self, match: Match) -> Play:
        """The best of its plays that the match's rule set allows."""
        plays = {play.position: play for play in legal(match)}
        dice = match.dice
        if dice is None:
            raise ValueError("there is no roll to play")
        judged = self._analyzer.checker_play(
            _turned_bar(match.position.board), dice.d1, dice.d2, **_situation(match)
        )
        ours = (plays.get(Position.from_board(_turned_bar(move.board))) for move in judged.moves)
        return next(play for play in ours if play is not None)

    def doubles(self, match: Match) -> bool:
        """Whether doubling now beats waiting, at this score."""
        return bool(self._cube(match).should_double)

    def takes(self, match: Match) -> bool:
        """Whether playing on costs less than passing, at this score."""
        return bool(self._cube(match).should_take)

    def settles(self, match: Match) -> bool:
        """Whether the offer is at least the game's worth to the winner, gammons included, without the cube."""
        offer = match.offer
        if offer is None:
            return False
        of_turn = float(self._cube(match).cubeless_equity)
        return offer.value >= (of_turn if offer.side is not match.turn else -of_turn)

    def _cube(self, match: Match) -> Any:
        return self._analyzer.cube_action(_turned_bar(match.position.board), **_situation(match))


def installed() -> bool:
    """Whether bgsage is there; it isn't loaded for that."""
    return find_spec("bgsage") is not None


def load() -> SagePlayer:
    """A player with a network of its own: 15 MB of weights from the disk. Raises ImportError where there is none."""
    from bgsage import BgBotAnalyzer

    return SagePlayer(cast(Analyzer, BgBotAnalyzer(eval_level=LEVEL, parallel_threads=1)))


def _situation(match: Match) -> dict[str, Any]:
    """Score and cube in bgsage's words, seen by the side on roll. Nobody beavers here, and Jacoby's rule is off."""
    side, owner = match.turn, match.cube.owner
    return {
        "cube_value": match.cube.value,
        "cube_owner": "centered" if owner is None else "player" if owner is side else "opponent",
        "away1": match.away(side),
        "away2": match.away(side.other),
        "is_crawford": match.crawford is Crawford.ACTIVE,
        "jacoby": False,
        "beaver": False,
    }


def _turned_bar(board: tuple[int, ...] | list[int]) -> list[int]:
    """bgsage counts the opponent's checkers on the bar upwards, we downwards."""
    return [-board[0], *board[1:]]
