"""The statements on matches in which a machine of this server sits: where it is on turn, and what it is offered."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, bindparam, exists, literal, select, text

from bgmail.rules.match import Phase
from bgmail.store import people
from bgmail.store.matches import match, table
from bgmail.store.tables import AllowanceRow

_allowance = table(AllowanceRow)
PUT_OFF = "machine:"
"""The key, before the match's id, under which a match rests that its machine failed in."""
_RESTS = exists().where(
    _allowance.c.key == literal(PUT_OFF) + match.c.id, _allowance.c.window_ends > bindparam("now")
)
_ON_TURN = (
    select(match.c.id)
    .where(
        match.c.white_id == bindparam("account_id"), text("match.on_turn = 0 AND NOT match.rated"), ~_RESTS
    )
    .order_by(match.c.moved_at, match.c.id)
    .limit(1)
)
"""In the words of the partial index `ix_match_machine`: machines invite, so they are White, and play unrated."""
_OFFERED = (
    select(match.c.id)
    .where(match.c.black_id == bindparam("account_id"), match.c.phase == Phase.INVITED.value, ~_RESTS)
    .order_by(match.c.created_at, match.c.id)
    .limit(1)
)


def on_turn(connection: Connection, account_id: int, now: datetime) -> str | None:
    """The match that has waited longest for this machine."""
    return connection.scalar(_ON_TURN, {"account_id": account_id, "now": now})


def offered(connection: Connection, account_id: int, now: datetime) -> str | None:
    """The match that was offered to this machine first."""
    return connection.scalar(_OFFERED, {"account_id": account_id, "now": now})


def put_off(connection: Connection, match_id: str, now: datetime, until: datetime) -> None:
    """Lets one match rest, for every process; the tidying forgets it afterwards."""
    people.count_up(connection, PUT_OFF + match_id, now, until)
