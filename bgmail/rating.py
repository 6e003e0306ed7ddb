"""Ratings by Glicko-2 (Mark Glickman, "Example of the Glicko-2 system", 2022), a match at a time.

Time and results are arguments; nothing here knows people, rows or the clock. Three things differ from the paper, and
leave its numbers as they are for a period of length 1 and a match of the unit's length:

- A period may be any fraction of 30 days: the deviation grows with the time that went by, so it is the same however
  often one looks.
- The longer a match, the surer the better player wins. As in the formula of FIBS, of 1992, chances follow the
  difference of ratings times the square root of the length; a match to `UNIT_LENGTH` points is one game of the paper.
- The equation for the volatility can have several roots, the outer ones absurd: none above `MOST_VOLATILITY` is looked
  for, and no match moves anybody by more than `MOST_CHANGE`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

START, MOST_DEVIATION, USUAL_VOLATILITY = 1500.0, 350.0, 0.06
TAU = 0.5
"""How fast volatilities may change: from 0.3 (slowly) to 1.2."""
PERIOD_DAYS = 30
LEAST, MOST = 100.0, 4000.0
MOST_CHANGE = 350.0
MOST_VOLATILITY = 0.1
PROVISIONAL = 110.0
"""Above this deviation a rating is only a first guess."""
UNIT_LENGTH, MOST_LENGTH = 7, 25
_SCALE = 400 / math.log(10)
_EXACT = 1e-12


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong somebody is, and how sure that is: two times in three the true strength is within one `deviation`.

    `volatility` tells how much the strength itself changes in a period.
    """

    value: float = START
    deviation: float = MOST_DEVIATION
    volatility: float = USUAL_VOLATILITY

    @property
    def is_provisional(self) -> bool:
        """Whether too little is known yet for a place in a list."""
        return self.deviation > PROVISIONAL


@dataclass(frozen=True, slots=True)
class Meeting:
    """A match as one of the two sees it: `score` 1 won, 0 lost, 0.5 level. `opponent` is their rating before it."""

    opponent: Rating
    score: float
    slope: float = 1.0


def slope(length: int) -> float:
    """How much steeper chances are in a match of so many points than in one to `UNIT_LENGTH`, where it is 1.

    Beyond `MOST_LENGTH` points a match says no more. Raises ValueError below one point.
    """
    if length < 1:
        raise ValueError(f"a match of {length} points")
    return math.sqrt(min(length, MOST_LENGTH) / UNIT_LENGTH)


def chance(rating: Rating, opponent: Rating, steepness: float = 1.0) -> float:
    """How likely somebody beats an opponent, as far as is known; 0 to 1."""
    sureness = math.hypot(rating.deviation, opponent.deviation) / _SCALE
    return _expected(steepness * (rating.value - opponent.value) / _SCALE, steepness * sureness)


def grown(rating: Rating, periods: float) -> Rating:
    """The rating after so many periods without a match: as good, and less sure.

    The same in one step or in many. Raises ValueError for a negative time.
    """
    if periods < 0:
        raise ValueError(f"{periods} periods")
    deviation = math.hypot(rating.deviation, math.sqrt(periods) * rating.volatility * _SCALE)
    return Rating(rating.value, min(MOST_DEVIATION, deviation), rating.volatility)


def rated(before: Rating, meetings: Iterable[Meeting], periods: float = 1.0) -> Rating:
    """The rating after all meetings of so many periods. Without a meeting it only grows.

    Meetings hold the opponents as they were before, whoever is rated first. The order of meetings says nothing.
    """
    met = tuple(meetings)
    if not met:
        return grown(before, periods)
    information, pull = _learnt(before, met)
    phi, variance = before.deviation / _SCALE, 1 / information
    volatility = _volatility(before.volatility, phi * phi + variance, variance * pull, periods)
    wide = min(MOST_DEVIATION / _SCALE, math.hypot(phi, math.sqrt(periods) * volatility))
    narrow = 1 / (1 / (wide * wide) + information)
    change = max(-MOST_CHANGE, min(MOST_CHANGE, narrow * pull * _SCALE))
    return Rating(max(LEAST, min(MOST, before.value + change)), math.sqrt(narrow) * _SCALE, volatility)


def after_match(
    white: Rating, black: Rating, score: float, steepness: float, idle: tuple[float, float]
) -> tuple[Rating, Rating]:
    """Both ratings after a match, each from what the other was before it.

    `score` is White's. `idle` are the periods that went by since White's and since Black's rating was last made.
    """
    white_met = Meeting(grown(black, idle[1]), score, steepness)
    black_met = Meeting(grown(white, idle[0]), 1 - score, steepness)
    return rated(white, [white_met], idle[0]), rated(black, [black_met], idle[1])


def _learnt(before: Rating, met: tuple[Meeting, ...]) -> tuple[float, float]:
    """How much the meetings tell (one over the paper's v), and which way they pull, in the paper's scale.

    Sums are exact, so that they don't depend on an order.
    """
    information, pull = [], []
    for meeting in met:
        spread = meeting.slope * meeting.opponent.deviation / _SCALE
        steep = meeting.slope * _damping(spread)
        expected = _expected(meeting.slope * (before.value - meeting.opponent.value) / _SCALE, spread)
        information.append(steep * steep * expected * (1 - expected))
        pull.append(steep * (meeting.score - expected))
    return math.fsum(information), math.fsum(pull)


def _damping(spread: float) -> float:
    """The paper's g: an opponent who is little known tells little."""
    return 1 / math.sqrt(1 + 3 * spread * spread / math.pi**2)


def _expected(difference: float, spread: float) -> float:
    """The paper's E. Kept off 0 and 1, where a result would tell nothing and weigh without end."""
    likely = 1 / (1 + math.exp(-max(-35.0, min(35.0, _damping(spread) * difference))))
    return min(1 - 1e-9, max(1e-9, likely))


def _volatility(before: float, expected: float, surprise: float, periods: float) -> float:
    """The volatility after results that missed by `surprise` (the paper's delta) where a miss of the square root of
    `expected` was to be expected. Halving finds the root that is next to the volatility before.

    Over a fraction of a period the strength may have moved, and its volatility changed, by that fraction only.
    """
    start = 2 * math.log(before)

    def slant(x: float) -> float:
        moved = periods * math.exp(x)
        spread = expected + moved
        likely = periods * moved * (surprise * surprise - spread) / (2 * spread * spread)
        return likely - (x - start) / TAU**2

    low = high = start
    if slant(start) > 0:
        high = 2 * math.log(MOST_VOLATILITY)
        if slant(high) >= 0:
            return MOST_VOLATILITY
    else:
        while slant(low) < 0:
            low -= TAU
    while high - low > _EXACT:
        middle = (low + high) / 2
        low, high = (middle, high) if slant(middle) > 0 else (low, middle)
    return min(MOST_VOLATILITY, math.exp(low / 2))
