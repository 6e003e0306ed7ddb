"""Ratings: the list of a pace, somebody's own with what each match did, and what one match did to its two."""

from __future__ import annotations

from typing import Any

from flask import request

from bgmail.api import cursors, paging
from bgmail.api.auth import Caller
from bgmail.api.operations import Operation, Parameter, offer
from bgmail.api.problems import Malformed
from bgmail.api.rating_models import MatchRating, PersonRatings, RatingList
from bgmail.phrases.people import called
from bgmail.rules.side import Side
from bgmail.service import matches, profiles
from bgmail.service.ratings import reading
from bgmail.service.ratings.reading import Effect, Shown
from bgmail.service.ratings.verdicts import Reason
from bgmail.service.states import rfc3339
from bgmail.world import world

Answered = dict[str, Any]
MOST_ID = 2**31 - 1
PACE = Parameter("pace", {"enum": list(reading.PACES)}, "Which ratings; left out: correspondence")


@offer(
    Operation(
        "GET",
        "/ratings",
        "list_ratings",
        "The list of a pace, the best first",
        RatingList,
        parameters=(PACE, *paging.USUAL.parameters),
        problems=(422,),
    )
)
def list_ratings(caller: Caller) -> Answered:  # noqa: ARG001 - everybody sees the same
    """Those whose rating is no first guess and who played within a year."""
    pace, limit = _pace(), paging.USUAL.limit()
    cursor = request.args.get("cursor")
    value, account_id = cursors.unpacked(cursor, float, int) if cursor else (0.0, 0)
    after = (value, min(account_id, MOST_ID)) if cursor else None
    found = reading.ranking(world().store, pace, world().now(), after, limit + 1)
    lines = [{"rank": one.rank, "handle": one.person.handle, **_rating(one.shown)} for one in found[:limit]]
    more = cursors.packed(list(reading.cursor(found[limit - 1]))) if len(found) > limit else None
    return {"pace": pace, "ratings": lines, "cursor": more}


@offer(
    Operation(
        "GET",
        "/people/<handle>/ratings",
        "ratings_of",
        "Somebody's ratings, and what each of their matches of a pace did, the last one first",
        PersonRatings,
        parameters=(PACE, *paging.USUAL.parameters),
        problems=(404, 422),
    )
)
def ratings_of(caller: Caller, handle: str) -> Answered:  # noqa: ARG001
    """`changes` has also the matches that don't count, with the reason."""
    here, pace, limit = world(), _pace(), paging.USUAL.limit()
    person = profiles.named(here.store, handle)
    after = cursors.read(request.args.get("cursor"))
    found = reading.history(here.store, person.id, pace, after, limit + 1)
    last = found[limit - 1] if len(found) > limit else None
    return {
        "handle": person.handle,
        "ratings": [_rating(one) for one in reading.of(here.store, person.id, here.now())],
        "changes": [_change(one) for one in found[:limit]],
        "cursor": cursors.written((last.at, last.match_id)) if last else None,
    }


@offer(
    Operation(
        "GET",
        "/matches/<id>/rating",
        "rating_of_match",
        "Whether a match counts for the rating, and what it did to both",
        MatchRating,
        problems=(404,),
    )
)
def rating_of_match(caller: Caller, id: str) -> Answered:  # noqa: A002 - the word of the path
    """`counts` is null while the match runs, and until the job has looked at it."""
    here = world()
    view = matches.visible(here.store, id, caller.account_id)
    told = reading.at_table(here.store, view, here.now())
    counts = None if told.reason is None else told.reason is Reason.COUNTS
    return {
        "rated": view.rated,
        "counts": counts,
        "reason": told.reason.value if told.reason else None,
        **{
            side.word: {
                "before": told.before[side].value if side in told.before else None,
                "after": told.after.get(side),
            }
            for side in Side
        },
    }


def _rating(one: Shown) -> Answered:
    return {
        "pace": one.pace,
        "rating": one.today.value,
        "deviation": one.today.deviation,
        "volatility": one.today.volatility,
        "provisional": one.today.is_provisional,
        "won": one.won,
        "lost": one.lost,
        "level": one.level,
        "rated_at": rfc3339(one.rated_at),
    }


def _change(one: Effect) -> Answered:
    return {
        "match": one.match_id,
        "at": rfc3339(one.at),
        "opponent": called(one.opponent.handle),
        "length": one.length,
        "score": one.score,
        "ending": one.ending,
        "counts": None if one.reason is None else one.counts,
        "reason": one.reason.value if one.reason else None,
        "before": one.before,
        "after": one.after,
        "deviation": one.deviation,
        "opponent_before": one.opponent_before,
        "revised_at": rfc3339(one.revised_at) if one.revised_at else None,
    }


def _pace() -> str:
    pace = request.args.get("pace", reading.PACES[0])
    if pace not in reading.PACES:
        raise Malformed(f"pace: {' or '.join(reading.PACES)}.")
    return pace
