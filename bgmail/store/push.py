"""The statements on browsers that are told by push, and on the key that signs what they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, insert, or_, select, update
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite

from bgmail.store.matches import table
from bgmail.store.people import login
from bgmail.store.prepared import Prepared
from bgmail.store.tables import BrowserRow, PushKeyRow

ONLY = 1
browser, _key = table(BrowserRow), table(PushKeyRow)
_ALIVE = Prepared(
    select(browser)
    .join(login, login.c.id == browser.c.login_id)
    .where(browser.c.account_id == bindparam("account"), login.c.used_at > bindparam("used_after"))
    .order_by(browser.c.id)
)


def key(connection: Connection) -> bytes | None:
    """The private key of this installation; None while it has none."""
    found: bytes | None = connection.scalar(select(_key.c.key).where(_key.c.id == ONLY))
    return found


def keep_key(connection: Connection, value: bytes, now: datetime) -> None:
    """Keeps the first key that is ever made."""
    is_postgresql = connection.dialect.name == "postgresql"
    inserted = (insert_postgresql if is_postgresql else insert_sqlite)(_key).on_conflict_do_nothing()
    connection.execute(inserted, {"id": ONLY, "key": value, "made_at": now})


def alive(connection: Connection, account_id: int, used_after: datetime) -> Sequence[Any]:
    """The browsers of somebody whose sessions were used since then, in the order in which they came."""
    return _ALIVE.records(connection, account=account_id, used_after=used_after)


def one(connection: Connection, browser_id: int) -> Row[Any] | None:
    """One browser, whoever's it is."""
    return connection.execute(select(browser).where(browser.c.id == browser_id)).one_or_none()


def hold(connection: Connection, login_id: int) -> bool:
    """Whether a session is still there; then nobody ends it, or gives it a browser, before this transaction ends."""
    held = select(login.c.id).where(login.c.id == login_id).with_for_update()
    return connection.scalar(held) is not None


def add(connection: Connection, values: Mapping[str, Any]) -> None:
    """Adds a browser in place of what its session or its endpoint had before."""
    same = or_(browser.c.login_id == values["login_id"], browser.c.endpoint == values["endpoint"])
    connection.execute(delete(browser).where(same))
    connection.execute(insert(browser), dict(values))


def move(
    connection: Connection, login_id: int, before: str, endpoint: str, values: Mapping[str, Any]
) -> bool:
    """Gives a session's browser another endpoint and keys; False when it had not the one that is named."""
    connection.execute(delete(browser).where(browser.c.endpoint == endpoint, browser.c.login_id != login_id))
    moved = update(browser).where(browser.c.login_id == login_id, browser.c.endpoint == before)
    return connection.execute(moved.values(endpoint=endpoint, **values)).rowcount == 1


def remove(connection: Connection, account_id: int, browser_id: int) -> bool:
    """Forgets a browser of this person; False when there is no such."""
    gone = delete(browser).where(browser.c.id == browser_id, browser.c.account_id == account_id)
    return connection.execute(gone).rowcount == 1


def drop(connection: Connection, browser_id: int) -> None:
    """Forgets a browser that has ended."""
    connection.execute(delete(browser).where(browser.c.id == browser_id))


def change(connection: Connection, browser_id: int, **values: Any) -> None:
    """Notes how a message to a browser went."""
    connection.execute(update(browser).where(browser.c.id == browser_id).values(**values))
