"""What is shown of ratings: somebody's own, the list, and what each match did."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BindParameter,
    Connection,
    Row,
    and_,
    bindparam,
    case,
    func,
    literal,
    or_,
    select,
    text,
    tuple_,
)

from bgmail.store.engine import Store
from bgmail.store.matches import match, table
from bgmail.store.ratings import SEATS, change, rating
from bgmail.store.tables import AccountRow

PAGE = 500
account = table(AccountRow)
_LISTED: Any = and_(
    text("rating.listed_until IS NOT NULL"),  # in the words of the partial index
    rating.c.pace == bindparam("pace"),
    rating.c.listed_until > bindparam("now"),
    account.c.closed_at.is_(None),
    account.c.banned_at.is_(None),
)
_listed = rating.join(account, account.c.id == rating.c.account_id)
_order = (rating.c.value.desc(), rating.c.account_id.desc())
_RANKING = (
    select(rating, account.c.handle)
    .select_from(_listed)
    .where(_LISTED)
    .order_by(*_order)
    .limit(bindparam("most"))
)
_here: Any = (bindparam("value", type_=rating.c.value.type), bindparam("account_id"))
_BELOW = _RANKING.where(tuple_(rating.c.value, rating.c.account_id) < tuple_(*_here))
_better = rating.c.value > bindparam("value")
_ABOVE = (
    select(
        func.count().label("ahead"), func.coalesce(func.sum(case((_better, 1), else_=0)), 0).label("better")
    )
    .select_from(_listed)
    .where(_LISTED, tuple_(rating.c.value, rating.c.account_id) > tuple_(*_here))
)
_own: BindParameter[int] = bindparam("person")
_is_white = change.c.white_id == _own
_seated = or_(_is_white, change.c.black_id == _own)
_opponent_id = case((_is_white, change.c.black_id), else_=change.c.white_id)


def _mine(name: str, *, other: bool = False) -> Any:
    """A column of one's own seat, or of the other."""
    own, theirs = (change.c[f"{seat}_{name}"] for seat in (reversed(SEATS) if other else SEATS))
    return case((_is_white, own), else_=theirs)


_EFFECTS = (
    select(
        change.c.match_id,
        change.c.pace,
        change.c.finished_at,
        change.c.due,
        change.c.reason,
        change.c.score,
        change.c.weight,
        change.c.made_at,
        change.c.revised_at,
        _is_white.label("is_white"),
        _mine("before").label("before"),
        _mine("value").label("value"),
        _mine("deviation").label("deviation"),
        _mine("before", other=True).label("opponent_before"),
        match.c.winner,
        match.c.ending,
        match.c.length,
        account.c.id.label("opponent_id"),
        account.c.handle,
        account.c.is_bot,
    )
    .select_from(
        change.join(match, match.c.id == change.c.match_id).join(account, account.c.id == _opponent_id)
    )
    .where(_seated)
)
_newest = (change.c.finished_at.desc(), change.c.match_id.desc())


def of(connection: Connection, account_ids: Collection[int]) -> list[Row[Any]]:
    """The ratings of some people, at every pace."""
    return list(connection.execute(select(rating).where(rating.c.account_id.in_(account_ids))))


def ranking(
    connection: Connection, pace: str, now: datetime, after: tuple[float, int] | None, most: int
) -> list[Row[Any]]:
    """A page of the list, the best first; `after` is the value and the account of the last line before it."""
    told: dict[str, Any] = {"pace": pace, "now": now, "most": most}
    if after is None:
        return list(connection.execute(_RANKING, told))
    return list(connection.execute(_BELOW, {**told, "value": after[0], "account_id": after[1]}))


def above(connection: Connection, pace: str, now: datetime, value: float, account_id: int) -> tuple[int, int]:
    """How many lines of the list stand above one, and how many of them have a higher rating."""
    told = {"pace": pace, "now": now, "value": value, "account_id": account_id}
    row = connection.execute(_ABOVE, told).one()
    return row.ahead, row.better


def effects(
    connection: Connection, account_id: int, pace: str, after: tuple[datetime, str] | None, most: int
) -> list[Row[Any]]:
    """What somebody's matches at a pace did, the last one first; `after` is the last of the page before."""
    query = _EFFECTS.where(change.c.pace == pace).order_by(*_newest).limit(most)
    if after is not None:
        here = tuple_(change.c.finished_at, change.c.match_id)
        at = literal(after[0], change.c.finished_at.type)
        query = query.where(here < tuple_(at, literal(after[1])))
    return list(connection.execute(query, {"person": account_id}))


def all_effects(store: Store, account_id: int) -> Iterator[Row[Any]]:
    """All that somebody's matches did, at every pace, the last one first."""
    after: tuple[datetime, str] | None = None
    for pace in ("correspondence", "live"):
        after = None
        while True:
            with store.read() as connection:
                found = effects(connection, account_id, pace, after, PAGE)
            yield from found
            if len(found) < PAGE:
                break
            after = (found[-1].finished_at, found[-1].match_id)


def course(connection: Connection, account_id: int, pace: str, most: int) -> list[Row[Any]]:
    """When somebody's rating changed, and what it was then: the latest `most`, the oldest first."""
    query = (
        select(change.c.finished_at, _mine("value").label("value"), _mine("deviation").label("deviation"))
        .where(_seated, change.c.pace == pace, change.c.reason == "")
        .order_by(*_newest)
        .limit(most)
    )
    return list(connection.execute(query, {"person": account_id}))[::-1]


def change_of(connection: Connection, match_id: str) -> Row[Any] | None:
    """What one match did to both."""
    return connection.execute(select(change).where(change.c.match_id == match_id)).one_or_none()
