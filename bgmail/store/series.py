"""The statements on series of tournaments and the members of leagues."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, exists, func, insert, or_, select, update

from bgmail.store.matches import table
from bgmail.store.tables import AccountRow, MemberRow, SeriesRow
from bgmail.store.tournaments import entry, tournament
from bgmail.store.upserts import put

series, member, account = table(SeriesRow), table(MemberRow), table(AccountRow)
_person = account.alias("person")
_is_there = and_(_person.c.banned_at.is_(None), _person.c.closed_at.is_(None))
_here = and_(
    member.c.series_id == series.c.id,
    member.c.left_at.is_(None),
    exists().where(_person.c.id == member.c.account_id, _is_there),
)
"""Whoever was shut out, or has closed their account, is counted nowhere."""
_members = select(func.count()).select_from(member).where(_here).scalar_subquery()
SERIES = select(series, _members.label("members"), account.c.handle.label("creator")).join(
    account, account.c.id == series.c.created_by
)
_of_this = and_(tournament.c.series_id == series.c.id, tournament.c.season == series.c.season)
_in_the_way = or_(
    and_(series.c.kind == "standing", tournament.c.state.in_(("draft", "open"))),
    and_(series.c.kind == "league", tournament.c.state.in_(("draft", "open", "running"))),
)


def add(connection: Connection, values: Mapping[str, Any]) -> int:
    """Adds a series and tells its id."""
    key = connection.execute(insert(series), dict(values)).inserted_primary_key
    return int(key[0]) if key else 0


def by_id(connection: Connection, series_id: int) -> Row[Any] | None:
    """One series with the number of its members and its creator's handle."""
    return connection.execute(SERIES.where(series.c.id == series_id)).one_or_none()


def hold(connection: Connection, series_id: int) -> Row[Any] | None:
    """The same, held until the end of the transaction."""
    connection.execute(select(series.c.id).where(series.c.id == series_id).with_for_update(key_share=True))
    return by_id(connection, series_id)


def change(connection: Connection, series_id: int, **values: Any) -> None:
    """Sets columns of one that is held."""
    connection.execute(update(series).where(series.c.id == series_id).values(**values))


def by_key(connection: Connection, account_id: int, key: str) -> Row[Any] | None:
    """What somebody made under an idempotency key."""
    return connection.execute(
        SERIES.where(series.c.created_by == account_id, series.c.key == key)
    ).one_or_none()


def all_of(connection: Connection, limit: int, offset: int = 0) -> Sequence[Any]:
    """The series, those that go on first."""
    query = SERIES.order_by(series.c.ended_at.is_not(None), series.c.id.desc())
    return connection.execute(query.limit(limit).offset(offset)).all()


def running_of(connection: Connection, account_id: int) -> int:
    """How many series of somebody's go on."""
    query = select(func.count()).where(series.c.created_by == account_id, series.c.ended_at.is_(None))
    return connection.scalar(query) or 0


def ready(connection: Connection, now: datetime, series_id: int | None = None) -> int | None:
    """A series whose next season may begin (or this one, if it may): nothing of the season before is in its way, and it
    has members enough."""
    query = (
        select(series.c.id)
        .where(
            series.c.ended_at.is_(None),
            or_(series.c.starts_at.is_(None), series.c.starts_at <= now),
            or_(series.c.rests_until.is_(None), series.c.rests_until <= now),
            or_(series.c.kind == "standing", _members >= series.c.least),
            ~exists().where(_of_this, _in_the_way),
            *([series.c.id == series_id] if series_id is not None else []),
        )
        .order_by(series.c.id)
        .limit(1)
    )
    found: int | None = connection.scalar(query)
    return found


def divisions(connection: Connection, series_id: int, season: int) -> Sequence[Any]:
    """The tournaments of a season, the highest division first."""
    these = (tournament.c.series_id == series_id, tournament.c.season == season)
    query = select(
        tournament.c.id,
        tournament.c.name,
        tournament.c.state,
        tournament.c.division,
        tournament.c.standings,
        tournament.c.started_at,
        tournament.c.finished_at,
    )
    return connection.execute(query.where(*these).order_by(tournament.c.division)).all()


def seasons(connection: Connection, series_id: int, most: int, offset: int = 0) -> Sequence[Any]:
    """The tournaments of a series of all seasons, the latest first."""
    query = select(
        tournament.c.id,
        tournament.c.name,
        tournament.c.state,
        tournament.c.season,
        tournament.c.division,
        tournament.c.started_at,
        tournament.c.finished_at,
    )
    newest = (tournament.c.season.desc(), tournament.c.division)
    return connection.execute(
        query.where(tournament.c.series_id == series_id).order_by(*newest).limit(most).offset(offset)
    ).all()


def members(
    connection: Connection, series_id: int, limit: int | None = None, offset: int = 0
) -> Sequence[Any]:
    """Who plays the next season, in the order in which they joined; who was shut out isn't among them."""
    return connection.execute(_members_of(series_id).limit(limit).offset(offset)).all()


def newcomers(
    connection: Connection, series_id: int, season: int, limit: int, offset: int = 0
) -> Sequence[Any]:
    """Those of them who don't play this season of it (0 = none has begun), and how many there are (`of`)."""
    query = _members_of(series_id).where(member.c.played < max(season, 1))
    query = query.add_columns(func.count().over().label("of"))
    return connection.execute(query.limit(limit).offset(offset)).all()


def _members_of(series_id: int) -> Select[Any]:
    query = (
        select(member, account.c.handle)
        .join(account, account.c.id == member.c.account_id)
        .where(member.c.series_id == series_id, member.c.left_at.is_(None))
        .where(account.c.banned_at.is_(None), account.c.closed_at.is_(None))
    )
    return query.order_by(member.c.joined_at, member.c.account_id)


def membership(connection: Connection, series_id: int, account_id: int) -> Row[Any] | None:
    """Whether, and since when, somebody is or was in a league."""
    these = (member.c.series_id == series_id, member.c.account_id == account_id)
    return connection.execute(select(member).where(*these)).one_or_none()


def mark(connection: Connection, series_id: int) -> Any | None:
    """What changes with everything that happens in a series: its season with all that happens in the tournaments of
    that, its members and who joined last, its end."""
    stirs = (
        select(func.coalesce(func.sum(tournament.c.head + tournament.c.stirred), 0))
        .where(_of_this)
        .scalar_subquery()
    )
    newest = select(func.max(member.c.joined_at)).where(_here).scalar_subquery()
    query = select(
        series.c.season, series.c.ended_at, _members.label("members"), newest.label("newest"), stirs
    )
    return connection.execute(query.where(series.c.id == series_id)).one_or_none()


def memberships(connection: Connection, series_ids: Sequence[int], account_id: int) -> Sequence[Any]:
    """Which of these leagues somebody is in."""
    these = (
        member.c.series_id.in_(series_ids),
        member.c.account_id == account_id,
        member.c.left_at.is_(None),
    )
    return connection.execute(select(member.c.series_id).where(*these)).all()


def join(connection: Connection, values: Mapping[str, Any]) -> None:
    """Adds a member, or lets one come back."""
    put(connection, member, {**values, "left_at": None})


def leave(connection: Connection, series_id: int, account_ids: Iterable[int], now: datetime) -> None:
    """Lets members go: the next season begins without them."""
    these = (member.c.series_id == series_id, member.c.account_id.in_(list(account_ids)))
    connection.execute(update(member).where(*these, member.c.left_at.is_(None)).values(left_at=now))


def leave_if_out(connection: Connection, series_id: int, season: int, account_id: int, now: datetime) -> None:
    """Lets somebody go who has no place any more in any division of a season."""
    places = exists().where(
        tournament.c.id == entry.c.tournament_id,
        tournament.c.series_id == series_id,
        tournament.c.season == season,
        entry.c.account_id == account_id,
        entry.c.state == "in",
    )
    these = (member.c.series_id == series_id, member.c.account_id == account_id, member.c.left_at.is_(None))
    connection.execute(update(member).where(*these, ~places).values(left_at=now))


def played(connection: Connection, series_id: int, account_ids: Iterable[int], season: int) -> None:
    """Notes the season that members play."""
    these = (member.c.series_id == series_id, member.c.account_id.in_(list(account_ids)))
    connection.execute(update(member).where(*these).values(played=season))
