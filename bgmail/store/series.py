"""The statements on series of tournaments and the members of leagues."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, and_, exists, func, insert, or_, select, update

from bgmail.store.matches import table
from bgmail.store.tables import AccountRow, MemberRow, SeriesRow
from bgmail.store.tournaments import tournament
from bgmail.store.upserts import put

series, member, account = table(SeriesRow), table(MemberRow), table(AccountRow)
_here = and_(member.c.series_id == series.c.id, member.c.left_at.is_(None))
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


def all_of(connection: Connection) -> Sequence[Any]:
    """Every series, those that go on first."""
    return connection.execute(SERIES.order_by(series.c.ended_at.is_not(None), series.c.id.desc())).all()


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
    )
    return connection.execute(query.where(*these).order_by(tournament.c.division)).all()


def seasons(connection: Connection, series_id: int, most: int) -> Sequence[Any]:
    """The tournaments of a series of all seasons, the latest first."""
    query = select(
        tournament.c.id,
        tournament.c.name,
        tournament.c.state,
        tournament.c.season,
        tournament.c.division,
        tournament.c.started_at,
    )
    newest = (tournament.c.season.desc(), tournament.c.division)
    return connection.execute(
        query.where(tournament.c.series_id == series_id).order_by(*newest).limit(most)
    ).all()


def members(connection: Connection, series_id: int) -> Sequence[Any]:
    """Who plays the next season, in the order in which they joined; who was shut out isn't among them."""
    query = (
        select(member, account.c.handle)
        .join(account, account.c.id == member.c.account_id)
        .where(member.c.series_id == series_id, member.c.left_at.is_(None))
        .where(account.c.banned_at.is_(None), account.c.closed_at.is_(None))
    )
    return connection.execute(query.order_by(member.c.joined_at, member.c.account_id)).all()


def membership(connection: Connection, series_id: int, account_id: int) -> Row[Any] | None:
    """Whether, and since when, somebody is or was in a league."""
    these = (member.c.series_id == series_id, member.c.account_id == account_id)
    return connection.execute(select(member).where(*these)).one_or_none()


def join(connection: Connection, values: Mapping[str, Any]) -> None:
    """Adds a member, or lets one come back."""
    put(connection, member, {**values, "left_at": None})


def leave(connection: Connection, series_id: int, account_ids: Iterable[int], now: datetime) -> None:
    """Lets members go: the next season begins without them."""
    these = (member.c.series_id == series_id, member.c.account_id.in_(list(account_ids)))
    connection.execute(update(member).where(*these, member.c.left_at.is_(None)).values(left_at=now))


def played(connection: Connection, series_id: int, account_ids: Iterable[int], season: int) -> None:
    """Notes the season that members play."""
    these = (member.c.series_id == series_id, member.c.account_id.in_(list(account_ids)))
    connection.execute(update(member).where(*these).values(played=season))
