"""Who showed themselves in a match: by an action of their own, or by coming to look."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, and_, case, or_, select, union

from bgmail.store.matches import action, match, table
from bgmail.store.tables import AccountRow, VisitRow

_visit, _account = table(VisitRow), table(AccountRow)
NOT_PLAYED = ("invite", "accept")
"""What begins a match isn't play."""


def acted(connection: Connection, match_ids: Iterable[str]) -> set[tuple[str, str]]:
    """The matches and seats in which somebody did something themselves: what people do carries a nonce."""
    own = (action.c.nonce.is_not(None), action.c.kind.not_in(NOT_PLAYED), action.c.seat.is_not(None))
    query = select(action.c.match_id, action.c.seat).where(action.c.match_id.in_(list(match_ids)), *own)
    return {(row.match_id, row.seat) for row in connection.execute(query.distinct())}


def seen(connection: Connection, match_ids: Iterable[str]) -> set[tuple[str, int]]:
    """The matches and sides (0 = White) whose person came to this site, or to the match, after it had begun."""
    of_these = match.c.id.in_(list(match_ids))
    side = case((match.c.white_id == _account.c.id, 0), else_=1).label("side")
    sits = or_(match.c.white_id == _account.c.id, match.c.black_id == _account.c.id)
    here = (
        select(match.c.id, side)
        .join(_account, sits)
        .where(of_these, _account.c.seen_at >= match.c.started_at)
    )
    looked = (
        select(match.c.id, side)
        .join(_account, sits)
        .join(_visit, and_(_visit.c.match_id == match.c.id, _visit.c.account_id == _account.c.id))
        .where(of_these, _visit.c.at >= match.c.started_at)
    )
    return {(row.id, row.side) for row in connection.execute(union(here, looked))}
