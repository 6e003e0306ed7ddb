"""Chances to win: a game from its lead in pips, a match from its score, and what the cube makes of both."""

from __future__ import annotations

from statistics import NormalDist

from bgmail.engine.worth import in_contact, standing
from bgmail.rules.position import Position
from bgmail.rules.score import Crawford
from bgmail.rules.side import Side
from bgmail.rules.state import Match

MEAN_OF_ROLL = 49 / 6
VARIANCE_OF_ROLL = 18.8
"""Pips of a roll, doubles played four times: 8 1/6 on average."""
ON_ROLL = MEAN_OF_ROLL / 2
SPREAD_OF_CONTACT = 1.5
"""How much more than in a race a lead may change while the sides can meet: set by hand."""
LIVE_CUBE = 0.88
"""Owning the cube is worth an eighth of the chance that a take needs."""
WINDOW = 0.1
"""How far before the opponent's last take a double is right."""
MOST = 200


def of_game(position: Position) -> float:
    """The chance of the side on roll to win this game."""
    own, other = position.pip_count(), position.opponent_pip_count()
    spread = (max(own + other, 16) / MEAN_OF_ROLL * VARIANCE_OF_ROLL) ** 0.5
    if not in_contact(position):
        return NormalDist().cdf((other - own + ON_ROLL) / spread)
    lead = max(-MOST, min(MOST, standing(position))) + ON_ROLL
    return NormalDist().cdf(lead / (SPREAD_OF_CONTACT * spread))


def of_match(mine: int, theirs: int) -> float:
    """The chance to win a match in which the sides need so many points; 0 or less is a match won.

    Rick Janowski's formula: half, and 0.85 times the lead over what the other side needs and six.
    """
    if mine <= 0 or theirs <= 0:
        return 1.0 if mine <= 0 else 0.0
    lead = theirs - mine
    return 0.5 + 0.85 * lead / (max(mine, theirs) + 6)


def least_to_take(match: Match, taker: Side) -> float:
    """The chance in the game that the doubled side needs to take: a quarter, a little less for owning the cube,
    bent by the score of a match."""
    value = match.cube.value
    if not match.length:
        return 0.25 * LIVE_CUBE
    mine, theirs = match.away(taker), match.away(taker.other)
    passed = of_match(mine, theirs - value)
    lost, won = of_match(mine, theirs - 2 * value), of_match(mine - 2 * value, theirs)
    need = (passed - lost) / (won - lost) if won > lost else 0.0
    return need if theirs <= 2 * value or mine <= 2 * value else need * LIVE_CUBE


def should_double(match: Match) -> bool:
    """Whether the side on roll doubles: near the opponent's last take and past it, or with nothing to lose."""
    other = match.turn.other
    if match.length and match.away(other) <= match.cube.value:
        return match.crawford is not Crawford.ACTIVE
    return of_game(match.position) >= 1 - least_to_take(match, other) - WINDOW


def should_take(match: Match) -> bool:
    """Whether the doubled side's chance in the game is enough."""
    return 1 - of_game(match.position) >= least_to_take(match, match.turn.other)
