"""The statements on outages, and on the matches whose stored deadlines have to follow them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, func, select, text, update
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite

from bgmail.store.matches import OUTAGES, VIEWS, match, table
from bgmail.store.prepared import Prepared
from bgmail.store.tables import OutageRow
from bgmail.timing.instants import MICROSECOND
from bgmail.timing.outages import Outage, last_noted, parsed

outage = table(OutageRow)
_ALL = select(OUTAGES)
_UNRENEWED = (
    select(outage.c.id, outage.c.renewed_to)
    .where(outage.c.renewed_to.is_not(None))
    .order_by(outage.c.id.desc())
)
_NEXT = Prepared(
    VIEWS.where(
        match.c.id > bindparam("after"), match.c.deadline_at.is_not(None), match.c.started_at.is_not(None)
    )
    .order_by(match.c.id)
    .limit(bindparam("most"))
)

_SET = Prepared(
    update(match)
    .where(match.c.id == bindparam("the_id"), match.c.head == bindparam("expected"))
    .values(deadline_at=bindparam("end"), due_at=bindparam("look"))
)
_NOBODY_PLAYS = text(f'LOCK TABLE "{match.name}" IN SHARE MODE')
_ABOUT_TO_CHANGE = text(f'LOCK TABLE "{match.name}" IN ROW EXCLUSIVE MODE')
"""On PostgreSQL: matches are locked before outages, by whoever notes one and by whoever renews deadlines after it."""
_LAST_MOVES = [
    select(func.max(match.c.moved_at)).where(*which)  # each is the end of an index
    for which in (
        (match.c.started_at.is_not(None), match.c.finished_at.is_(None)),
        (match.c.finished_at.is_not(None),),
    )
]


def add(connection: Connection, found: Outage) -> bool:
    """Notes an outage; False when somebody else has noted one from that instant for that reason.

    Whoever played before it was noted was judged without it, and maybe with all that were noted before: it counts as
    noted after all of these, so that a log that is read again gives the same clock.
    """
    before = [_last_played(connection), last_noted(everything(connection))]
    noted = [instant + MICROSECOND for instant in before if instant is not None]
    found = replace(found, noted=max([found.noted, *noted]))
    insert = insert_postgresql if connection.dialect.name == "postgresql" else insert_sqlite
    row = {
        "why": found.why,
        "from_at": found.start,
        "until_at": found.end,
        "noted_at": found.noted,
        "told": found.text,
        "renewed_to": "",
    }
    added = connection.execute(insert(outage).values(row).on_conflict_do_nothing().returning(outage.c.id))
    return added.scalar() is not None


def _last_played(connection: Connection) -> datetime | None:
    """When a match moved last. Nobody plays from here to the end of the transaction: on SQLite there is one writer."""
    if connection.dialect.name == "postgresql":
        connection.execute(_NOBODY_PLAYS)
    return max((at for query in _LAST_MOVES if (at := connection.scalar(query))), default=None)


def everything(connection: Connection) -> tuple[Outage, ...]:
    """All there ever were, by their beginning."""
    return parsed(connection.scalar(_ALL))


def ends(connection: Connection, why: str) -> datetime | None:
    """When the latest one for a reason ended."""
    latest: datetime | None = connection.scalar(
        select(func.max(outage.c.until_at)).where(outage.c.why == why)
    )
    return latest


def is_noted(connection: Connection, why: str, start: datetime) -> bool:
    """Whether there is one from that instant on for that reason."""
    noted = select(outage.c.id).where(outage.c.why == why, outage.c.from_at == start)
    return connection.scalar(noted) is not None


def unrenewed(connection: Connection) -> list[tuple[int, str]]:
    """(id, renewed_to) of those for which stored deadlines are still to be renewed, the newest first."""
    return [(row.id, row.renewed_to) for row in connection.execute(_UNRENEWED)]


def renewed(connection: Connection, outage_id: int, was: str, to: str | None) -> bool:
    """Says how far the renewal has come; False when somebody else got on with it."""
    if connection.dialect.name == "postgresql":
        connection.execute(_ABOUT_TO_CHANGE)
    row = update(outage).where(outage.c.id == outage_id, outage.c.renewed_to == was)
    return connection.execute(row.values(renewed_to=to)).rowcount == 1


def next_matches(connection: Connection, after: str, most: int) -> list[dict[str, Any]]:
    """The next running matches with a deadline, in the order of their ids."""
    return _NEXT.rows(connection, after=after, most=most)


def set_deadlines(connection: Connection, changes: Iterable[dict[str, Any]]) -> None:
    """New stored instants for matches that haven't moved meanwhile."""
    _SET.change_each(connection, changes)
