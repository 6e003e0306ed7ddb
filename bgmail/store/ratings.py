"""The statements by which matches are rated: what is due, what went before, and what comes after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    Connection,
    and_,
    bindparam,
    delete,
    exists,
    func,
    or_,
    select,
    text,
    tuple_,
    update,
)

from bgmail.dice import NO_PERSON
from bgmail.rules.match import Phase
from bgmail.store.matches import action, black, match, table, white
from bgmail.store.prepared import Prepared
from bgmail.store.tables import RatingChangeRow, RatingRow
from bgmail.store.upserts import put, upsert
from bgmail.timing.instants import to_microseconds

rating, change = table(RatingRow), table(RatingChangeRow)
SEATS = ("white", "black")
_EARLIEST, _LATEST = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)
LOCK = 0x62677261  # PostgreSQL's lock for rating matches one after the other
TAKEN_FOR = (*NO_PERSON, "tournament")
"""Ways of entries that nobody made at their time: a tournament seats who entered it, whenever the match begins."""

_place = (change.c.finished_at, change.c.match_id)
_here: Any = (bindparam("at", type_=change.c.finished_at.type), bindparam("match_id"))
_LOCK = text("SELECT pg_advisory_xact_lock(:lock)")
_IS_DUE: Any = text("rating_change.due")  # in the words of the partial index
_DUE = Prepared(select(change.c.match_id).where(_IS_DUE).order_by(*_place).limit(bindparam("most")))
_WITH_MATCH = select(
    *change.c,
    match.c.state,
    white.c.is_bot.label("white_bot"),
    black.c.is_bot.label("black_bot"),
).select_from(
    change.join(match, match.c.id == change.c.match_id)
    .join(white, white.c.id == change.c.white_id)
    .join(black, black.c.id == change.c.black_id)
)
_ENDED = Prepared(_WITH_MATCH.where(change.c.match_id == bindparam("match_id")))
_ALL = Prepared(
    _WITH_MATCH.where(tuple_(*_place) > tuple_(*_here)).order_by(*_place).limit(bindparam("most"))
)


def _of(seat: str) -> Any:
    return and_(change.c[f"{seat}_id"] == bindparam("account_id"), change.c.pace == bindparam("pace"))


_BEFORE = [
    Prepared(
        select(
            *_place,
            *(
                change.c[f"{seat}_{name}"].label(name)
                for name in ("value", "deviation", "volatility", "won", "lost", "level")
            ),
        )
        .where(_of(seat), change.c.reason == "", tuple_(*_place) < tuple_(*_here))
        .order_by(*(column.desc() for column in _place))
        .limit(1)
    )
    for seat in SEATS
]
_AFTER = [
    Prepared(
        select(*_place)
        .where(_of(seat), or_(change.c.reason == "", change.c.due), tuple_(*_place) > tuple_(*_here))
        .order_by(*_place)
        .limit(1)
    )
    for seat in SEATS
]
_lost_on_time = or_(
    *(and_(change.c[f"{seat}_id"] == bindparam("account_id"), change.c.on_time == seat) for seat in SEATS)
)
_LAST_ON_TIME = (
    select(change.c.finished_at)
    .where(_lost_on_time, change.c.reason == "", tuple_(*_place) < tuple_(*_here))
    .order_by(*(column.desc() for column in _place))
    .limit(1)
)
_NEXT_ON_TIME = (
    select(change.c.match_id)
    .where(_lost_on_time, tuple_(*_place) > tuple_(*_here))
    .order_by(*_place)
    .limit(1)
)
_own = and_(action.c.nonce.is_not(None), action.c.via.not_in(TAKEN_FOR))
_ACTED = select(
    exists().where(
        action.c.match_id == match.c.id,
        or_(
            *(and_(match.c[f"{seat}_id"] == bindparam("account_id"), action.c.seat == seat) for seat in SEATS)
        ),
        match.c.moved_at > bindparam("since_at", type_=match.c.moved_at.type),
        action.c.at > bindparam("since"),
        action.c.at <= bindparam("until"),
        _own,
    )
)


EFFECT = tuple(
    column.name
    for column in change.c
    if column.name not in ("match_id", "pace", "finished_at", "white_id", "black_id", "due")
)
"""The columns that the job fills in."""
_KEEP = Prepared(
    update(change)
    .where(change.c.match_id == bindparam("the_id"))
    .values({name: bindparam(f"new_{name}") for name in ("due", *EFFECT)})
)


_OWED = ("match_id", "pace", "finished_at", "white_id", "black_id", "due")
_OWE = {dialect: Prepared(upsert(dialect, change, _OWED), _OWED) for dialect in ("sqlite", "postgresql")}


def owe(connection: Connection, ended: Iterable[Mapping[str, Any]]) -> None:
    """Notes matches that ended, or whose result was corrected: the job rates them. Each has match_id, pace,
    finished_at, white_id and black_id."""
    _OWE[connection.dialect.name].change_each(connection, [{**values, "due": True} for values in ended])


def alone(connection: Connection) -> None:
    """Nobody else rates matches until the transaction ends: each rests on those before it. SQLite has one writer."""
    if connection.dialect.name == "postgresql":
        connection.execute(_LOCK, {"lock": LOCK})


def due(connection: Connection, most: int) -> list[str]:
    """The matches that are to be rated, those that ended first."""
    return _DUE.column(connection, most=most)


def ended(connection: Connection, match_id: str) -> dict[str, Any]:
    """What was known of a match's effect, with its `state` and whether machines sit in it."""
    return _ENDED.rows(connection, match_id=match_id)[0]


def before(connection: Connection, account_id: int, pace: str, at: datetime, match_id: str) -> Any | None:
    """How somebody's last match that counted left them, before the one named; None = there is none."""
    told = {"account_id": account_id, "pace": pace, "at": at, "match_id": match_id}
    found = [row for query in _BEFORE for row in query.records(connection, **told)]
    return max(found, key=lambda row: (row.finished_at, row.match_id), default=None)


def last(connection: Connection, account_id: int, pace: str) -> Any | None:
    """How somebody's last match that counted left them; None = none does."""
    return before(connection, account_id, pace, _LATEST, "")


def after(connection: Connection, account_id: int, pace: str, at: datetime, match_id: str) -> str | None:
    """Somebody's next match that counts, or may count, after the one named."""
    told = {"account_id": account_id, "pace": pace, "at": at, "match_id": match_id}
    found = [row for query in _AFTER for row in query.records(connection, **told)]
    following = min(found, key=lambda row: (row.finished_at, row.match_id), default=None)
    return following.match_id if following else None


def last_on_time(connection: Connection, account_id: int, at: datetime, match_id: str) -> datetime | None:
    """When somebody last lost on time and it counted, before the match named, at any pace."""
    return connection.scalar(_LAST_ON_TIME, {"account_id": account_id, "at": at, "match_id": match_id})


def next_on_time(connection: Connection, account_id: int, at: datetime, match_id: str) -> str | None:
    """The next match that somebody lost on time, counted or not."""
    return connection.scalar(_NEXT_ON_TIME, {"account_id": account_id, "at": at, "match_id": match_id})


def acted(connection: Connection, account_id: int, since: datetime, until: datetime) -> bool:
    """Whether somebody did anything of their own in any match after one instant, up to another."""
    span = {"since": to_microseconds(since), "until": to_microseconds(until), "since_at": since}
    return bool(connection.scalar(_ACTED, {"account_id": account_id, **span}))


def keep(connection: Connection, match_id: str, values: Mapping[str, Any]) -> None:
    """Writes what a match did, all of `EFFECT`; it is due no more."""
    told = {f"new_{name}": values[name] for name in EFFECT}
    _KEEP.change(connection, {"the_id": match_id, "new_due": False, **told})


def fail(connection: Connection, match_id: str, reason: str) -> None:
    """Leaves a match out for a reason, until it is due again."""
    connection.execute(update(change).where(change.c.match_id == match_id).values(reason=reason, due=False))


def again(connection: Connection, match_ids: Iterable[str | None]) -> None:
    """Lets matches be rated again; None is nobody's."""
    ids = [match_id for match_id in match_ids if match_id is not None]
    if ids:
        connection.execute(update(change).where(change.c.match_id.in_(ids)).values(due=True))


def stand(connection: Connection, values: Mapping[str, Any]) -> None:
    """Writes somebody's rating as it is now."""
    put(connection, rating, values)


def fall(connection: Connection, account_id: int, pace: str) -> None:
    """Somebody has no rating at a pace: none of their matches counts."""
    connection.execute(delete(rating).where(rating.c.account_id == account_id, rating.c.pace == pace))


def all_again(connection: Connection) -> int:
    """Lets every match be rated again; how many there are."""
    return connection.execute(update(change).values(due=True)).rowcount


_UNRATED = and_(
    match.c.phase == Phase.OVER.value,
    match.c.rated,
    ~match.c.imported,
    match.c.finished_at.is_not(None),
    match.c.started_at.is_not(None),
    ~exists().where(change.c.match_id == match.c.id),
)


def forgotten(connection: Connection, most: int) -> list[Any]:
    """Matches that were played for the rating and are over, and of which nobody noted that: there should be none."""
    columns = ("id", "white_id", "black_id", "finished_at", "clock")
    query = select(*(match.c[name] for name in columns)).where(_UNRATED)
    return list(connection.execute(query.order_by(match.c.moved_at, match.c.id).limit(most)))


def waiting(connection: Connection) -> tuple[int, datetime | None]:
    """How many matches are still to be rated, and when the first of them ended."""
    row = connection.execute(select(func.count(), func.min(change.c.finished_at)).where(_IS_DUE)).one()
    return row[0], row[1]


def failed(connection: Connection, reason: str) -> list[str]:
    """The matches that can't be rated for such a reason."""
    query = select(change.c.match_id).where(change.c.reason == reason)
    return list(connection.scalars(query.order_by(change.c.match_id)))


def chronicle(connection: Connection, most: int = 200) -> Iterator[dict[str, Any]]:
    """Every change with its match as in `ended`, in the order in which matches ended."""
    here: tuple[datetime, str] = (_EARLIEST, "")
    while found := _ALL.rows(connection, at=here[0], match_id=here[1], most=most):
        yield from found
        here = (found[-1]["finished_at"], found[-1]["match_id"])


def standings(connection: Connection) -> list[Any]:
    """Every rating there is."""
    return list(connection.execute(select(rating)))
