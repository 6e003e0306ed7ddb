"""Whether somebody who was written to has been back since."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, and_, exists, func, or_, select, update

from bgmail.store.errands import errand
from bgmail.store.matches import action, match
from bgmail.store.notices import OBSOLETE, PLANNED, READY, SENT, notice
from bgmail.store.people import account

BY_POST = ("link", "mail")
"""Ways of acting that leave no visit behind."""
_MICROSECONDS = 1_000_000


def was_called(connection: Connection, account_id: int, kinds: Sequence[str]) -> bool:
    """Whether a letter of these kinds went out, or waits to, and its reader neither looked nor acted since."""
    called: datetime | None = connection.scalar(
        select(func.max(notice.c.created_at))
        .join(errand, errand.c.notice_id == notice.c.id)
        .where(notice.c.account_id == account_id, notice.c.kind.in_(kinds))
        .where(errand.c.channel == "mail", errand.c.state.in_((READY, SENT)))
    )
    if called is None:
        return False
    seen = connection.scalar(select(account.c.seen_at).where(account.c.id == account_id))
    return not (seen is not None and seen > called) and not _acted_since(connection, account_id, called)


def call_again(connection: Connection, account_id: int, kinds: Sequence[str], since: datetime) -> None:
    """The letter that was to call somebody doesn't go out: what was left to it is planned for once more."""
    has_letter = exists().where(errand.c.notice_id == notice.c.id, errand.c.channel.in_(("mail", "digest")))
    over = notice.c.state.in_((PLANNED, SENT, OBSOLETE))
    left = (notice.c.account_id == account_id, notice.c.kind.in_(kinds), notice.c.created_at >= since)
    connection.execute(update(notice).where(*left, over, ~has_letter).values(state=READY))


def _acted_since(connection: Connection, account_id: int, instant: datetime) -> bool:
    own = or_(
        and_(match.c.white_id == account_id, action.c.seat == "white"),
        and_(match.c.black_id == account_id, action.c.seat == "black"),
    )
    query = (
        select(action.c.seq)
        .join(match, match.c.id == action.c.match_id)
        .where(match.c.moved_at > instant, own, action.c.via.in_(BY_POST))
        .where(action.c.at > round(instant.timestamp() * _MICROSECONDS))
    )
    return connection.scalar(query.limit(1)) is not None
