"""The answers about ratings."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from bgmail.api.models import Instant, Reply

Pace = Literal["correspondence", "live"]
Why = Literal["machine", "annulled", "nobody", "no_play", "failed", "absent"]


class OwnRating(Reply):
    """Glicko-2 as it is now; `provisional`: only a first guess. The counts are of matches that counted."""

    pace: Pace
    rating: float
    deviation: float
    volatility: float
    provisional: bool
    won: int
    lost: int
    level: int
    rated_at: Instant


class RankedRating(OwnRating):
    """One line of the list; equal ratings share a rank."""

    rank: int
    handle: str


class RatingList(Reply):
    """A page of the list; `cursor` null: it ends here."""

    pace: Pace
    ratings: list[RankedRating]
    cursor: str | None


class RatingChange(Reply):
    """What one match did to somebody's rating. `score` is theirs: 1, 0.5 or 0; null where nobody won."""

    match: str
    at: Instant
    opponent: str
    length: int
    score: float | None
    ending: str
    counts: Annotated[bool | None, Field(description="null until it was looked at")]
    reason: Annotated[Why | None, Field(description="Why it doesn't count")]
    before: float | None
    after: float | None
    deviation: float | None
    opponent_before: float | None
    revised_at: Annotated[Instant | None, Field(description="When this changed after it had been known")]


class PersonRatings(Reply):
    """Somebody's ratings, and a page of changes; `cursor` null: there are no older ones."""

    handle: str
    ratings: list[OwnRating]
    changes: list[RatingChange]
    cursor: str | None


class SideRating(Reply):
    """The rating before and after; before the end of the match as it is now."""

    before: float | None
    after: float | None


class MatchRating(Reply):
    """Whether a match counts: `rated` is what was agreed on, `counts` what came of it."""

    rated: bool
    counts: bool | None
    reason: Why | None
    white: SideRating
    black: SideRating
