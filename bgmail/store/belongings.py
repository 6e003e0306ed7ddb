"""Everything that is kept about one person, a page of rows at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Row, Select, or_, select

from bgmail.store import tournaments
from bgmail.store.engine import Store
from bgmail.store.matches import match, seated, table
from bgmail.store.people import account
from bgmail.store.tables import (
    BoardPreferenceRow,
    ChatRow,
    DeliveryRow,
    InvitationRow,
    MemberRow,
    NoticeRow,
    SeriesRow,
    VacationRow,
    VisitRow,
)
from bgmail.store.tournaments import entry, organiser, tournament

PAGE = 200
_log = tournaments.log
_notice, _delivery, _visit = table(NoticeRow), table(DeliveryRow), table(VisitRow)
_vacation, _series, _member = table(VacationRow), table(SeriesRow), table(MemberRow)
_chat, _invitation, _board = table(ChatRow), table(InvitationRow), table(BoardPreferenceRow)
_inviter, _invitee = account.alias("inviter"), account.alias("invitee")


def match_ids(store: Store, account_id: int) -> Iterator[str]:
    """The matches that somebody has played or plays, by id."""
    query = select(match.c.id).where(seated(account_id), match.c.started_at.is_not(None))
    return (row.id for row in _paged(store, query, match.c.id, ""))


def letters(store: Store, account_id: int) -> Iterator[Row[Any]]:
    """The letters that were owed to somebody, oldest first."""
    at, id_ = _notice.c.created_at, _notice.c.id
    query: Select[Any] = select(id_, _notice.c.kind, _notice.c.match_id, _notice.c.state, at)
    query = query.where(_notice.c.account_id == account_id).order_by(at, id_).limit(PAGE)
    page = query
    while True:
        with store.read() as connection:
            rows = connection.execute(page).all()
        yield from rows
        if len(rows) < PAGE:
            return
        last = rows[-1]
        page = query.where(at >= last.created_at, or_(at > last.created_at, id_ > last.id))


def attempts(store: Store, account_id: int) -> Iterator[Row[Any]]:
    """The attempts to bring those letters, oldest first."""
    mine = _notice.c.account_id == account_id
    query = select(_delivery).join(_notice, _notice.c.id == _delivery.c.notice_id).where(mine)
    return _paged(store, query, _delivery.c.id, 0)


def leagues(store: Store, account_id: int) -> Iterator[Row[Any]]:
    """The leagues that somebody is or was in."""
    query = select(
        _series.c.id,
        _series.c.name,
        _member.c.joined_at,
        _member.c.left_at,
        _member.c.played.label("last_season"),
    ).join(_series, _series.c.id == _member.c.series_id)
    return _paged(store, query.where(_member.c.account_id == account_id), _member.c.series_id, 0)


def visits(store: Store, account_id: int) -> Iterator[Row[Any]]:
    """When somebody last looked at which match, and up to which entry."""
    query = select(_visit.c.match_id.label("id"), _visit.c.seq, _visit.c.at)
    return _paged(store, query.where(_visit.c.account_id == account_id), _visit.c.match_id, "")


def invitations(store: Store, account_id: int) -> Iterator[Row[Any]]:
    """What somebody offered and was offered, by match; the addresses of others aren't among it."""
    query = (
        select(
            _invitation.c.match_id.label("id"),
            _inviter.c.handle.label("inviter"),
            _invitee.c.handle.label("invitee"),
            _invitation.c.email.is_not(None).label("by_mail"),
            _invitation.c.open,
            _invitation.c.message,
            _invitation.c.created_at,
        )
        .join(_inviter, _inviter.c.id == _invitation.c.inviter_id)
        .outerjoin(_invitee, _invitee.c.id == _invitation.c.invitee_id)
        .where(or_(_invitation.c.inviter_id == account_id, _invitation.c.invitee_id == account_id))
    )
    return _paged(store, query, _invitation.c.match_id, "")


def chat(store: Store, match_id: str) -> list[Any]:
    """The chat of one match, oldest first."""
    query = (
        select(account.c.handle, _chat.c.at, _chat.c.body)
        .join(account, account.c.id == _chat.c.author_id)
        .where(_chat.c.match_id == match_id)
        .order_by(_chat.c.id)
    )
    with store.read() as connection:
        return list(connection.execute(query).all())


def board(store: Store, account_id: int) -> dict[str, Any]:
    """How somebody wants boards; nothing for who never chose."""
    with store.read() as connection:
        row = connection.execute(select(_board).where(_board.c.account_id == account_id)).mappings().first()
    return {name: value for name, value in row.items() if name != "account_id"} if row else {}


def vacations(store: Store, account_id: int) -> list[Row[Any]]:
    """Somebody's vacations, in order."""
    named = ("from_at", "until_at", "wished_until", "zone", "automatic", "with_play", "made_at", "ended_at")
    query = select(*(_vacation.c[name] for name in named)).where(_vacation.c.account_id == account_id)
    with store.read() as connection:
        return list(connection.execute(query.order_by(_vacation.c.from_at)).all())


def entries(store: Store, account_id: int) -> list[Any]:
    """Somebody's entries in tournaments, the oldest first."""
    kept = [entry.c[name] for name in ("number", "state", "seed", "rating", "entered_at", "changed_at")]
    query = (
        select(tournament.c.id, tournament.c.name, *kept)
        .join(entry, entry.c.tournament_id == tournament.c.id)
        .where(entry.c.account_id == account_id)
        .order_by(entry.c.entered_at, tournament.c.id)
    )
    with store.read() as connection:
        return list(connection.execute(query).all())


def organised(store: Store, account_id: int) -> list[Any]:
    """The tournaments that somebody organises, the oldest first."""
    query = (
        select(tournament.c.id, tournament.c.name, organiser.c.added_at)
        .join(organiser, organiser.c.tournament_id == tournament.c.id)
        .where(organiser.c.account_id == account_id)
        .order_by(organiser.c.added_at, tournament.c.id)
    )
    with store.read() as connection:
        return list(connection.execute(query).all())


def commands(store: Store, account_id: int) -> list[Any]:
    """What somebody said and decided in tournaments, the oldest first."""
    told = [_log.c[name] for name in ("tournament_id", "seq", "at", "command", "reason", "data")]
    query = select(*told).where(_log.c.author_id == account_id)
    with store.read() as connection:
        return list(connection.execute(query.order_by(_log.c.at, _log.c.tournament_id, _log.c.seq)).all())


def _paged(store: Store, query: Select[Any], key: Any, start: Any) -> Iterator[Row[Any]]:
    """All rows in the order of `key`, which each row has as `id`; no statement stays open between two pages."""
    last = start
    while True:
        with store.read() as connection:
            rows = connection.execute(query.where(key > last).order_by(key).limit(PAGE)).all()
        yield from rows
        if len(rows) < PAGE:
            return
        last = rows[-1].id
