"""Vacation: days a year on which nobody's clock runs against somebody, taken by hand or, if they want it, by itself.

What is decided here is a row; `bgmail.service.standstills` brings it into the logs of the matches that it holds.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sqlalchemy import Connection, Row
from sqlalchemy.exc import IntegrityError

from bgmail.service.accounts import Account
from bgmail.service.errors import KeyReused, NotFound, Refused
from bgmail.service.keys import check_key
from bgmail.store import people
from bgmail.store import vacations as rows
from bgmail.store.engine import Store
from bgmail.timing import utc
from bgmail.timing.balance import Taken, reach, remaining, year_of
from bgmail.timing.instants import MICROSECOND

FARTHEST = timedelta(days=366)
"""How far ahead a vacation may begin."""
MOST_PLANNED = 10
"""How many vacations may be to come."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody asks for. `start` None = now, `until` None = open-ended; `with_play`: my next play ends it."""

    start: datetime | None = None
    until: datetime | None = None
    with_play: bool = False

    @property
    def digest(self) -> str:
        """Tells two wishes under one key apart."""
        ends = [None if at is None else utc(at).isoformat() for at in (self.start, self.until)]
        return hashlib.sha256(json.dumps([*ends, self.with_play]).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Vacation:
    """One vacation, from `start` up to `end`. `wished` is the end that its owner named (None = open-ended, or it began
    by itself); `ended_at` is set once it is over."""

    id: int
    account_id: int
    start: datetime
    end: datetime
    wished: datetime | None
    zone: ZoneInfo
    automatic: bool
    with_play: bool
    ended_at: datetime | None

    @property
    def taken(self) -> Taken:
        """It as the balance counts it."""
        return Taken(self.start, self.end, self.zone)

    def is_on(self, now: datetime) -> bool:
        """Whether its owner is on it."""
        return self.start <= now < self.end

    def is_to_come(self, now: datetime) -> bool:
        """Whether it is planned."""
        return now < self.start < self.end


@dataclass(frozen=True, slots=True)
class Holidays:
    """All that a person may know of their rows. `left` is what this year and the next still have, by year."""

    all: Sequence[Vacation]
    automatic: bool
    left: tuple[tuple[int, timedelta], ...]

    def running(self, now: datetime) -> Vacation | None:
        """The one that they are on."""
        return next((one for one in self.all if one.is_on(now)), None)

    def planned(self, now: datetime) -> list[Vacation]:
        """Those to come, the next one first."""
        return [one for one in self.all if one.is_to_come(now)]

    def past(self, now: datetime) -> list[Vacation]:
        """Those that are over, the latest first."""
        return [one for one in reversed(self.all) if one.start < one.end <= now]


def of(store: Store, account: Account, now: datetime) -> Holidays:
    """A person's vacations, and what is left of their days."""
    with store.read() as connection:
        row = people.by_id(connection, account.id)
        found = all_of(connection, account.id)
    year = year_of(now, zone_of(account.time_zone))
    left = tuple((one, remaining((each.taken for each in found), one)) for one in (year, year + 1))
    return Holidays(found, bool(row and row.auto_vacation), left)


def seen(store: Store, account_id: int, now: datetime) -> Vacation | None:
    """The vacation that somebody is on, as everybody may know; None for who isn't."""
    with store.read() as connection:
        row = rows.at(connection, account_id, now)
    return None if row is None else vacation_of(row)


def asked_for(store: Store, account: Account, wish: Wish, now: datetime) -> Vacation:
    """The vacation that a wish would make, before anything is made. Raises Refused as `take` does."""
    with store.read() as connection:
        start, end = _judged(all_of(connection, account.id), account, wish, now)
    zone = zone_of(account.time_zone)
    return Vacation(0, account.id, start, end, wish.until, zone, False, wish.with_play, None)


def take(store: Store, account: Account, wish: Wish, now: datetime, *, key: str | None = None) -> Vacation:
    """Takes a vacation, or plans it. Safe to repeat with a `key`: it is what the first time made.

    It lasts until its owner ends it, until the end that they named, or until the days are used up. One that began by
    itself gives way to it. Raises Refused (the past, too far ahead, an end that isn't after the start, no days left,
    more than are left, another one then) and KeyReused.
    """
    check_key(key)
    try:
        with store.write() as connection:
            people.hold(connection, account.id)
            if known := _taken_before(connection, account.id, key, wish):
                return known
            found = all_of(connection, account.id)
            start, end = _judged(found, account, wish, now)
            for other in found:
                if other.automatic and start < other.end:
                    stop(connection, other, max(start, other.start), now)
            zone = zone_of(account.time_zone)
            return add(connection, account.id, start, end, zone, now, wish=wish, key=key)
    except IntegrityError:
        with store.read() as connection:
            if known := _taken_before(connection, account.id, key, wish):
                return known
        raise


def change(
    store: Store, account: Account, vacation_id: int, until: datetime | None, now: datetime
) -> Vacation:
    """Gives a vacation that isn't over another end (None = open-ended). Raises NotFound and Refused."""
    with store.write() as connection:
        people.hold(connection, account.id)
        found = all_of(connection, account.id)
        mine = _found(found, vacation_id)
        if mine.ended_at is not None or mine.end <= now:
            raise Refused("vacation_over")
        others = [one for one in found if one.id != mine.id]
        if until is not None and utc(until) <= max(now, mine.start):
            raise Refused("vacation_backwards")
        end = _end(mine.start, until, others, mine.zone)
        values = {"until_at": end, "wished_until": until, "automatic": False}
        rows.change(connection, mine.id, **values)
        rows.note_rests(connection, account.id)
        return vacation_of(_row(connection, mine.id))


def end(store: Store, account_id: int, vacation_id: int, now: datetime) -> Vacation:
    """Ends a vacation now, or takes back one that is to come. One that is over stays as it is. Raises NotFound."""
    with store.write() as connection:
        people.hold(connection, account_id)
        mine = _found(all_of(connection, account_id), vacation_id)
        if mine.ended_at is None and now < mine.end:
            stop(connection, mine, max(now, mine.start), now)
        return vacation_of(_row(connection, mine.id))


def left_in(connection: Connection, one: Vacation, now: datetime) -> timedelta:
    """What is left of the present year to the owner of a vacation, in its zone."""
    taken = (each.taken for each in all_of(connection, one.account_id))
    return remaining(taken, year_of(now, one.zone))


def set_automatic(store: Store, account_id: int, *, on: bool) -> None:
    """Lets a vacation begin by itself when this person's time runs out, or no more. One that is on goes on."""
    with store.write() as connection:
        people.change(connection, account_id, auto_vacation=on)
        rows.note_rests(connection, account_id)


def untaken(found: Sequence[Vacation], start: datetime) -> datetime:
    """A beginning that no other vacation of the same person has: logs tell them apart by it."""
    while any(one.start == start for one in found):
        start += MICROSECOND
    return start


def zone_of(name: str) -> ZoneInfo:
    """The zone of that name; UTC for one that isn't known any more."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def _judged(
    found: Sequence[Vacation], account: Account, wish: Wish, now: datetime
) -> tuple[datetime, datetime]:
    """From when to when a wish goes. Raises Refused."""
    start = now if wish.start is None else utc(wish.start)
    if start < now:
        raise Refused("vacation_past")
    if start > now + FARTHEST:
        raise Refused("vacation_far", most=FARTHEST.days)
    if wish.until is not None and utc(wish.until) <= start:
        raise Refused("vacation_backwards")
    if sum(one.is_to_come(now) for one in found) >= MOST_PLANNED:
        raise Refused("vacation_planned", most=MOST_PLANNED)
    start = untaken(found, start)
    others = [_giving_way(one, start) for one in found]
    return start, _end(start, wish.until, others, zone_of(account.time_zone))


def _giving_way(one: Vacation, start: datetime) -> Vacation:
    """One that began by itself ends where another one is to begin."""
    gives_way = one.automatic and start < one.end
    return replace(one, end=max(start, one.start)) if gives_way else one


def _end(start: datetime, until: datetime | None, others: Sequence[Vacation], zone: ZoneInfo) -> datetime:
    """Where a vacation ends. Raises Refused where it can't last at all, or not as long as it should."""
    overlaps = [one for one in others if one.start < one.end and start < one.end]
    if any(one.start <= start or (until and one.start < utc(until)) for one in overlaps):
        raise Refused("vacation_overlaps")
    farthest = reach(start, [one.taken for one in others], zone)
    if farthest == start:
        raise Refused("vacation_used_up", year=year_of(start, zone))
    if until is not None and utc(until) > farthest:
        raise Refused("vacation_too_long", until=farthest, zone=zone)
    return farthest if until is None else utc(until)


def add(
    connection: Connection,
    account_id: int,
    start: datetime,
    end: datetime,
    zone: ZoneInfo,
    now: datetime,
    *,
    wish: Wish | None = None,
    key: str | None = None,
    automatic: bool = False,
) -> Vacation:
    """Adds a vacation, in a transaction of the caller's; without a `wish` it began by itself."""
    values = {
        "account_id": account_id,
        "from_at": start,
        "until_at": end,
        "wished_until": wish.until if wish else None,
        "zone": zone.key,
        "automatic": automatic,
        "with_play": wish.with_play if wish else automatic,
        "made_at": now,
        "key": key,
        "body_digest": wish.digest if wish and key else None,
    }
    made = rows.add(connection, values)
    rows.note_rests(connection, account_id)
    return vacation_of(_row(connection, made))


def lengthen(connection: Connection, one: Vacation, end: datetime) -> Vacation:
    """Gives one another end, in a transaction of the caller's."""
    rows.change(connection, one.id, until_at=end)
    return vacation_of(_row(connection, one.id))


def stop(connection: Connection, one: Vacation, until: datetime, now: datetime) -> None:
    """A vacation ends at `until`, in a transaction of the caller's; one that has been given an earlier end meanwhile
    keeps it, and logs are told that."""
    people.hold(connection, one.account_id)
    row = _row(connection, one.id)
    until = min(until, row.until_at)
    over = until <= now or until <= one.start
    values = {"until_at": until, "wished_until": until, "ended_at": row.ended_at or (now if over else None)}
    rows.change(connection, one.id, **values)
    rows.note_rests(connection, one.account_id)


def _taken_before(connection: Connection, account_id: int, key: str | None, wish: Wish) -> Vacation | None:
    row = rows.by_key(connection, account_id, key) if key else None
    if row is not None and row.body_digest != wish.digest:
        raise KeyReused("key_reused")
    return None if row is None else vacation_of(row)


def all_of(connection: Connection, account_id: int) -> list[Vacation]:
    """All vacations of a person, in order."""
    return [vacation_of(row) for row in rows.of(connection, account_id)]


def _found(found: Sequence[Vacation], vacation_id: int) -> Vacation:
    mine = next((one for one in found if one.id == vacation_id), None)
    if mine is None:
        raise NotFound("no_vacation")
    return mine


def _row(connection: Connection, vacation_id: int) -> Row[Any]:
    row = rows.by_id(connection, vacation_id)
    if row is None:
        raise NotFound("no_vacation")
    return row


def vacation_of(row: Row[Any]) -> Vacation:
    """The vacation of a row of `bgmail.store.vacations`."""
    return Vacation(
        id=row.id,
        account_id=row.account_id,
        start=row.from_at,
        end=row.until_at,
        wished=row.wished_until,
        zone=zone_of(row.zone),
        automatic=row.automatic,
        with_play=row.with_play,
        ended_at=row.ended_at,
    )
