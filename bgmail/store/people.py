"""The statements on accounts, what lets them in, and the allowances that keep guessing slow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite

from bgmail.store.matches import table
from bgmail.store.prepared import Prepared
from bgmail.store.tables import (
    AccountRow,
    AllowanceRow,
    BoardPreferenceRow,
    LoginRow,
    SpentRow,
    TroubleRow,
)

account, login = table(AccountRow), table(LoginRow)
_allowance, _spent = table(AllowanceRow), table(SpentRow)
_board, _trouble = table(BoardPreferenceRow), table(TroubleRow)

KNOWN = (
    *("id", "handle", "email", "new_email", "password_hash", "epoch", "time_zone", "locale"),
    *("is_bot", "is_staff", "created_at", "banned_at", "closed_at"),
)
"""What is read of an account at every request."""
_ENTERED = (
    select(
        *(account.c[name] for name in KNOWN),
        login.c.id.label("login_id"),
        login.c.used_at,
        login.c.expires_at,
    )
    .join_from(login, account, login.c.account_id == account.c.id)
    .where(login.c.digest == bindparam("digest"), login.c.kind == bindparam("kind"))
)
_BY_DIGEST = Prepared(_ENTERED)
_IN_TROUBLE = exists().where(
    _trouble.c.address_key == func.coalesce(account.c.email_key, func.lower(account.c.new_email)),
    _trouble.c.stopped_at.is_not(None),
)
_BY_SESSION = Prepared(
    _ENTERED.add_columns(
        _board.c.account_id.label("board_id"), *list(_board.c)[1:], _IN_TROUBLE.label("troubled")
    ).outerjoin(_board, _board.c.account_id == account.c.id)
)
_BY_ID = Prepared(select(account).where(account.c.id == bindparam("id")))
_BY_HANDLE = select(account).where(account.c.handle_key == bindparam("key"))
_BY_EMAIL = select(account).where(account.c.email_key == bindparam("key"))


def by_id(connection: Connection, account_id: int) -> Any | None:
    """The account with this id."""
    return _BY_ID.record(connection, id=account_id)


def hold(connection: Connection, account_id: int) -> None:
    """Keeps others who hold this account waiting until the end of the transaction: before any row that is its own, so
    that two never wait for each other. Rows that only refer to it wait for nobody."""
    held = select(account.c.id).where(account.c.id == account_id).with_for_update(key_share=True)
    connection.execute(held)


def by_handle(connection: Connection, handle_key: str) -> Row[Any] | None:
    """The account whose handle looks like this key."""
    return connection.execute(_BY_HANDLE, {"key": handle_key}).one_or_none()


def handles(connection: Connection, ids: Iterable[int], keys: Iterable[str]) -> Sequence[Any]:
    """What accounts are called, by their ids or by the keys of handles that they have or had: (id, handle,
    handle_key)."""
    these = or_(account.c.id.in_(list(ids)), account.c.handle_key.in_(list(keys)))
    return connection.execute(select(account.c.id, account.c.handle, account.c.handle_key).where(these)).all()


def by_email(connection: Connection, email_key: str) -> Row[Any] | None:
    """The account that has proven this address."""
    return connection.execute(_BY_EMAIL, {"key": email_key}).one_or_none()


def waiting_for_proof(connection: Connection, email: str) -> Sequence[Row[Any]]:
    """The newest account without a proven address that named this one."""
    waiting = (account.c.email.is_(None), account.c.banned_at.is_(None), account.c.closed_at.is_(None))
    query = select(account).where(account.c.new_email == email, *waiting).order_by(account.c.id.desc())
    return connection.execute(query.limit(1)).all()


def prove(connection: Connection, account_id: int, email: str, email_key: str, now: datetime) -> None:
    """The address that was waiting is proven. Raises IntegrityError when another account has proven it."""
    change(connection, account_id, email=email, email_key=email_key, email_verified_at=now, new_email=None)


def add(connection: Connection, values: dict[str, Any]) -> int:
    """Adds an account and tells its id. Raises IntegrityError when the handle or the address is taken."""
    key = connection.execute(insert(account), values).inserted_primary_key
    return int(key[0]) if key else 0


def change(connection: Connection, account_id: int, **values: Any) -> None:
    """Sets columns of one account."""
    connection.execute(update(account).where(account.c.id == account_id).values(**values))


def next_epoch(connection: Connection, account_id: int) -> None:
    """Ends every mailed link that lets this person in."""
    connection.execute(update(account).where(account.c.id == account_id).values(epoch=account.c.epoch + 1))


def by_digest(connection: Connection, kind: str, digest: str) -> Any | None:
    """The account behind a session or a token, with the columns of its login.

    A session is a person who looks at pages: its row has how that person wants boards too (`board_id` None: any), and
    whether something keeps letters from their address (`troubled`).
    """
    statement = _BY_SESSION if kind == "session" else _BY_DIGEST
    return statement.record(connection, digest=digest, kind=kind)


def add_login(connection: Connection, values: dict[str, Any]) -> None:
    """Adds a session or a token."""
    connection.execute(insert(login), values)


def touch_login(connection: Connection, login_id: int, now: datetime) -> None:
    """Notes that a session or token was used now."""
    connection.execute(update(login).where(login.c.id == login_id).values(used_at=now))


def seen(connection: Connection, account_id: int, now: datetime) -> None:
    """Notes that somebody was here in person."""
    connection.execute(update(account).where(account.c.id == account_id).values(seen_at=now))


def logins(connection: Connection, account_id: int, kind: str) -> Sequence[Row[Any]]:
    """What lets a person in, the latest used first."""
    query = select(login).where(login.c.account_id == account_id, login.c.kind == kind)
    return connection.execute(query.order_by(login.c.used_at.desc(), login.c.id.desc())).all()


def end_login(connection: Connection, account_id: int, kind: str, login_id: int) -> bool:
    """Ends one session or token of this person; False when there is no such."""
    ended = delete(login).where(
        login.c.id == login_id, login.c.account_id == account_id, login.c.kind == kind
    )
    return connection.execute(ended).rowcount == 1


def end_digest(connection: Connection, digest: str) -> None:
    """Ends the session or token with this digest, if there is one."""
    connection.execute(delete(login).where(login.c.digest == digest))


def end_logins(connection: Connection, account_id: int, kind: str, but: int | None = None) -> None:
    """Ends all sessions or all tokens of a person, but one that may stay."""
    ended = delete(login).where(login.c.account_id == account_id, login.c.kind == kind)
    connection.execute(ended if but is None else ended.where(login.c.id != but))


def spend(connection: Connection, digest: str, expires_at: datetime) -> bool:
    """Marks a mailed link as used; False when it was used before."""
    spent = _insert(connection)(_spent).values(digest=digest, expires_at=expires_at)
    return connection.scalar(spent.on_conflict_do_nothing().returning(_spent.c.digest)) is not None


def was_spent(connection: Connection, digest: str) -> bool:
    """Whether a mailed link was used."""
    return connection.scalar(select(_spent.c.digest).where(_spent.c.digest == digest)) is not None


def count_up(connection: Connection, key: str, now: datetime, ends: datetime) -> tuple[int, datetime]:
    """Counts one more in the running window of `key`, or opens a new one; (used in it, its end)."""
    over = _allowance.c.window_ends <= now
    fresh = literal(ends, _allowance.c.window_ends.type)
    counted = (
        _insert(connection)(_allowance)
        .values(key=key, window_ends=ends, used=1)
        .on_conflict_do_update(
            index_elements=[_allowance.c.key],
            set_={
                "used": case((over, 1), else_=_allowance.c.used + 1),
                "window_ends": case((over, fresh), else_=_allowance.c.window_ends),
            },
        )
        .returning(_allowance.c.used, _allowance.c.window_ends)
    )
    row = connection.execute(counted).one()
    return row.used, row.window_ends


def count_down(connection: Connection, key: str) -> None:
    """Takes one back: it turned out to be rightful."""
    connection.execute(
        update(_allowance)
        .where(_allowance.c.key == key, _allowance.c.used > 0)
        .values(used=_allowance.c.used - 1)
    )


def forget_past(connection: Connection, now: datetime) -> int:
    """Deletes what has no meaning any more: ended windows, old links, sessions that ran out."""
    past = (_allowance.c.window_ends, _spent.c.expires_at, login.c.expires_at)
    return sum(connection.execute(delete(column.table).where(column <= now)).rowcount for column in past)


def _insert(connection: Connection) -> Any:
    return insert_postgresql if connection.dialect.name == "postgresql" else insert_sqlite
