"""What is counted about a person: results over all finished matches, and the latest turns."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, Connection, and_, bindparam, case, func, or_, select

from bgmail.rules.match import Phase
from bgmail.store.matches import action, match, table
from bgmail.store.tables import AccountRow, TieRow

account, tie = table(AccountRow), table(TieRow)
MATCHES, BACK = 30, 80
"""Reply times are read from so many matches, the latest moved, and so many of the newest entries of each."""

_person: BindParameter[int] = bindparam("person")
_seated = and_(or_(match.c.white_id == _person, match.c.black_id == _person), match.c.started_at.is_not(None))
_seat = case((match.c.white_id == _person, 0), else_=1)
_opponent = case((match.c.white_id == _person, match.c.black_id), else_=match.c.white_id)
_decided = and_(match.c.phase == Phase.OVER.value, match.c.winner.is_not(None))
_won = and_(_decided, match.c.winner == _seat)
_lost = and_(_decided, match.c.winner != _seat)
_with_reader = _opponent == bindparam("reader")


def _number(condition: Any, name: str) -> Any:
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0).label(name)


_RECORD = (
    select(
        account.c.is_bot,
        _number(_won, "won"),
        _number(_lost, "lost"),
        _number(and_(_lost, match.c.ending == "timeout"), "on_time"),
        _number(match.c.phase != Phase.OVER.value, "running"),
        _number(and_(_won, _with_reader), "won_here"),
        _number(and_(_lost, _with_reader), "lost_here"),
    )
    .select_from(match.join(account, account.c.id == _opponent))
    .where(_seated)
    .group_by(account.c.is_bot)
)
_PERSON = (
    select(account, tie.c.kind.label("tie_kind"))
    .select_from(
        account.outerjoin(tie, and_(tie.c.account_id == bindparam("reader"), tie.c.other_id == account.c.id))
    )
    .where(account.c.handle_key == bindparam("key"))
)
_latest = (
    select(match.c.id, match.c.head, _seat.label("seat"), match.c.moved_at)
    .where(_seated, match.c.moved_at > bindparam("since"))
    .order_by(match.c.moved_at.desc(), match.c.id)
    .limit(MATCHES)
    .subquery()
)
_TURNS = (
    select(
        _latest.c.seat.label("own"),
        action.c.match_id,
        action.c.at,
        action.c.seat,
        action.c.via,
        action.c.kind,
    )
    .select_from(
        _latest.join(action, and_(action.c.match_id == _latest.c.id, action.c.seq > _latest.c.head - BACK))
    )
    .order_by(_latest.c.moved_at, action.c.match_id, action.c.seq)
)


def person(connection: Connection, handle_key: str, reader_id: int) -> list[Any]:
    """The account of that name, once for each tie (`tie_kind`) that the reader has to it."""
    return list(connection.execute(_PERSON, {"key": handle_key, "reader": reader_id}).all())


def record(connection: Connection, account_id: int, reader_id: int) -> list[Any]:
    """Two rows at most, by `is_bot` of the opponents: won, lost, lost on time, running; and against the reader."""
    return list(connection.execute(_RECORD, {"person": account_id, "reader": reader_id}).all())


def turns(connection: Connection, account_id: int, since: datetime) -> list[Any]:
    """The newest entries of the matches of a person that moved since then, match by match in order."""
    return list(connection.execute(_TURNS, {"person": account_id, "since": since}).all())
