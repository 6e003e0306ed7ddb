"""What the help says of ratings: its numbers are those that ratings are made with."""

from __future__ import annotations

from dataclasses import dataclass

from bgmail import rating
from bgmail.rating import Rating
from bgmail.service.ratings.chain import LISTED_FOR

KNOWN = Rating(rating.START, 60.0)
"""Somebody whose strength is fairly well known, for the examples."""
LENGTHS = (1, 3, rating.UNIT_LENGTH, 11, rating.MOST_LENGTH)


@dataclass(frozen=True, slots=True)
class Facts:
    """`gains` are what a win changes between two whose rating is `known`, by length; `away` how unsure the rating of
    one of them is after so many months without a match."""

    start: int
    widest: int
    provisional: int
    unit: int
    most_length: int
    listed_days: int
    least: int
    most: int
    known: int
    gains: tuple[tuple[int, int], ...]
    away: tuple[tuple[int, int], ...]


def facts() -> Facts:
    """The numbers."""
    return Facts(
        start=round(rating.START),
        widest=round(rating.MOST_DEVIATION),
        provisional=round(rating.PROVISIONAL),
        unit=rating.UNIT_LENGTH,
        most_length=rating.MOST_LENGTH,
        listed_days=LISTED_FOR.days,
        least=round(rating.LEAST),
        most=round(rating.MOST),
        known=round(KNOWN.deviation),
        gains=tuple((length, _gain(length)) for length in LENGTHS),
        away=tuple(
            (days // rating.PERIOD_DAYS, round(rating.grown(KNOWN, days / rating.PERIOD_DAYS).deviation))
            for days in (90, 360, 1080)
        ),
    )


def _gain(length: int) -> int:
    after, _ = rating.after_match(KNOWN, KNOWN, 1, rating.slope(length), (0, 0))
    return round(after.value - KNOWN.value)
