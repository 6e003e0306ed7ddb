"""The statements on vacations: somebody's own, and those that a job has something to do for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, exists, insert, or_, select, update

from bgmail.store.matches import table
from bgmail.store.people import account
from bgmail.store.tables import VacationRow
from bgmail.timing import from_microseconds

vacation = table(VacationRow)
_OPEN = vacation.c.ended_at.is_(None)


def of(connection: Connection, account_id: int) -> Sequence[Row[Any]]:
    """All vacations of a person, in order."""
    mine = select(vacation).where(vacation.c.account_id == account_id)
    return connection.execute(mine.order_by(vacation.c.from_at, vacation.c.id)).all()


def by_id(connection: Connection, vacation_id: int) -> Row[Any] | None:
    """The vacation with this id."""
    return connection.execute(select(vacation).where(vacation.c.id == vacation_id)).one_or_none()


def named(connection: Connection, data: Mapping[str, Any]) -> Row[Any] | None:
    """The one that a notice is about, by its id or by its owner and beginning; of several the latest."""
    if "vacation" in data:
        return by_id(connection, data["vacation"])
    begun = from_microseconds(data["from"])
    these = (vacation.c.account_id == data["account"], vacation.c.from_at == begun)
    query = select(vacation).where(*these).order_by(vacation.c.id.desc()).limit(1)
    return connection.execute(query).one_or_none()


def by_key(connection: Connection, account_id: int, key: str) -> Row[Any] | None:
    """The one that somebody took under an idempotency key."""
    mine = (vacation.c.account_id == account_id, vacation.c.key == key)
    return connection.execute(select(vacation).where(*mine)).one_or_none()


def at(connection: Connection, account_id: int, now: datetime) -> Row[Any] | None:
    """The one that somebody is on at an instant."""
    going = (vacation.c.from_at <= now, vacation.c.until_at > now)
    query = select(vacation).where(vacation.c.account_id == account_id, *going)
    return connection.execute(query.order_by(vacation.c.from_at).limit(1)).one_or_none()


def add(connection: Connection, values: dict[str, Any]) -> int:
    """Adds one and tells its id. Raises IntegrityError where its key was used."""
    key = connection.execute(insert(vacation), values).inserted_primary_key
    return int(key[0]) if key else 0


def change(connection: Connection, vacation_id: int, **values: Any) -> None:
    """Sets columns of one, which the logs have to be told."""
    values["wave"] = vacation.c.wave + 1
    connection.execute(update(vacation).where(vacation.c.id == vacation_id).values(**values))


def end(connection: Connection, vacation_id: int, until: datetime, now: datetime) -> bool:
    """It is over, and that is noted once: False where it was before, or where it has been given another end."""
    still = (vacation.c.id == vacation_id, _OPEN, vacation.c.until_at == until)
    return connection.execute(update(vacation).where(*still).values(ended_at=now)).rowcount == 1


def over(connection: Connection, now: datetime) -> Row[Any] | None:
    """One whose end has come and isn't noted yet, the earliest first."""
    due = select(vacation).where(_OPEN, vacation.c.until_at <= now)
    return connection.execute(due.order_by(vacation.c.until_at, vacation.c.id).limit(1)).one_or_none()


def untold(connection: Connection, but: Iterable[int] = ()) -> Row[Any] | None:
    """One that the log of a match may not know of yet, the oldest first."""
    late = select(vacation).where(vacation.c.told < vacation.c.wave, vacation.c.id.not_in(list(but)))
    return connection.execute(late.order_by(vacation.c.id).limit(1)).one_or_none()


def told(connection: Connection, vacation_id: int, wave: int) -> None:
    """All logs know what had to be told up to a wave."""
    known = (vacation.c.id == vacation_id, vacation.c.told < wave)
    connection.execute(update(vacation).where(*known).values(told=wave))


def joined(connection: Connection, account_ids: Iterable[int], now: datetime) -> None:
    """A match began between these people: whatever vacation of theirs isn't over has a log more to be written in."""
    theirs = (vacation.c.account_id.in_(list(account_ids)), vacation.c.until_at > now)
    connection.execute(update(vacation).where(*theirs).values(wave=vacation.c.wave + 1))


def note_rests(connection: Connection, account_id: int) -> None:
    """Keeps on the account whether a vacation may hold a deadline of its owner's."""
    waiting = exists().where(
        vacation.c.account_id == account_id, or_(_OPEN, vacation.c.told < vacation.c.wave)
    )
    change_it = update(account).where(account.c.id == account_id)
    connection.execute(change_it.values(rests=or_(account.c.auto_vacation, waiting)))
