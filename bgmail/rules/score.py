"""What a game is worth, how the score moves, and when the Crawford game is played."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bgmail.rules.position import Position
from bgmail.rules.ruleset import RuleSet
from bgmail.rules.side import Pair, Side

SINGLE, GAMMON, BACKGAMMON = 1, 2, 3


class Crawford(StrEnum):
    """Where a match stands with its one game without the cube; NONE = it has no such game."""

    NONE = "none"
    PENDING = "pending"
    ACTIVE = "active"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Cube:
    """The doubling cube: its value, and the side that alone may turn it next (None = centred)."""

    value: int = 1
    owner: Side | None = None


class Ending(StrEnum):
    """Why a game or a match ended; who won and how much are said elsewhere."""

    BEAR_OFF = "bear_off"
    PASS = "pass"
    RESIGNED = "resigned"
    TIMEOUT = "timeout"
    FORFEIT = "forfeit"
    DECLINED = "declined"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    ANNULLED = "annulled"


def worth(loser: Position, rules: RuleSet) -> int:
    """1, 2 or 3: what the game is worth if it ended now and the side on roll in `loser` had lost.

    A gammon needs that nothing is borne off, a backgammon also a checker on the bar or in the winner's
    home board (the loser's points 19 to 24).
    """
    if loser.off:
        return SINGLE
    behind = any(count > 0 for count in loser.board[19:26])
    return BACKGAMMON if behind and rules.triple else GAMMON


def crawford_at_start(rules: RuleSet, length: int) -> Crawford:
    """A one-point match and a points session have no Crawford game."""
    return Crawford.PENDING if rules.crawford and length > 1 else Crawford.NONE


def crawford_of_next_game(now: Crawford, score: Pair, length: int, wager: int = 1) -> Crawford:
    """The Crawford game is the first one after either side comes within a point of the match: within a wager."""
    if now is Crawford.PENDING and max(score) >= length - wager:
        return Crawford.ACTIVE
    return Crawford.OVER if now is Crawford.ACTIVE else now
