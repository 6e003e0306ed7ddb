"""Browsers that are told by push: which they are, how the last message to each went, and the key they know us by."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row

from bgmail import webpush
from bgmail.service.destinations import BadDestination, destination
from bgmail.service.errors import NotFound, Refused
from bgmail.service.logins import IDLE
from bgmail.service.notices import Kind
from bgmail.store import people, push
from bgmail.store.engine import Store
from bgmail.webpush import BadBrowser, Browser

KINDS = frozenset({Kind.YOUR_TURN, Kind.DOUBLE, Kind.RESIGNATION, Kind.REMINDER, Kind.CLAIM})
"""What a browser is told: what its owner has to act on."""
MOST = 10
FIRST_REST, LONGEST_REST = timedelta(minutes=1), timedelta(hours=1)
GIVEN_UP = timedelta(days=5)
"""A browser whose service has taken nothing for so long is forgotten."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a browser says when it subscribes: where, and the keys to seal its messages with, as texts."""

    endpoint: str
    p256dh: str
    auth: str


@dataclass(frozen=True, slots=True)
class Subscriber:
    """A browser that is told. `failing_since` None: the last message was taken; else `said` says why it wasn't."""

    id: int
    login_id: int
    endpoint: str
    keys: Browser
    name: str
    created_at: datetime
    sent_at: datetime | None
    failing_since: datetime | None
    said: str
    rests_until: datetime | None


def own_key(store: Store, now: datetime) -> bytes:
    """The private key of this installation: made when it is first asked for, and the same on all its hosts."""
    with store.read() as connection:
        found = push.key(connection)
    if found is not None:
        return found
    with store.write() as connection:
        push.keep_key(connection, webpush.new_key(), now)
        kept = push.key(connection)
    if kept is None:
        raise RuntimeError("the key of push was not kept")
    return kept


def browsers(store: Store, account_id: int, now: datetime) -> list[Subscriber]:
    """The browsers of a person that are told, in the order in which they came."""
    with store.read() as connection:
        return alive(connection, account_id, now)


def alive(connection: Connection, account_id: int, now: datetime) -> list[Subscriber]:
    """The same by a connection: those whose session still lets its owner in."""
    return [subscriber_of(row) for row in push.alive(connection, account_id, now - IDLE)]


def subscribe(store: Store, account_id: int, login_id: int, wish: Wish, name: str, now: datetime) -> None:
    """Tells a browser from now on; what its session had before is replaced.

    Raises Refused for an endpoint that nothing is sent to, keys that no browser made, too many browsers, and for a
    session that has ended meanwhile.
    """
    values = _checked(wish)
    with store.write() as connection:
        people.hold(connection, account_id)
        if not push.hold(connection, login_id):
            raise Refused("no_login")
        others = [one for one in alive(connection, account_id, now) if one.login_id != login_id]
        if len(others) >= MOST:
            raise Refused("too_many_browsers", most=MOST)
        whose = {"account_id": account_id, "login_id": login_id, "name": name, "created_at": now, "said": ""}
        push.add(connection, values | whose)


def move(store: Store, login_id: int, before: str, wish: Wish) -> None:
    """A browser's service has given it another endpoint; it shows that it is the same by the one `before`.

    Raises NotFound when this session had not that one, Refused as `subscribe`.
    """
    values = _checked(wish)
    if not before.isprintable():  # PostgreSQL takes no NUL, and no endpoint has one
        raise NotFound("no_browser")
    with store.write() as connection:
        if not push.move(connection, login_id, before, values.pop("endpoint"), values):
            raise NotFound("no_browser")


def find(store: Store, account_id: int, browser_id: int) -> Subscriber:
    """One browser of a person. Raises NotFound."""
    with store.read() as connection:
        row = push.one(connection, browser_id)
    if row is None or row.account_id != account_id:
        raise NotFound("no_browser")
    return subscriber_of(row)


def remove(store: Store, account_id: int, browser_id: int) -> None:
    """Tells one browser of this person nothing any more. Raises NotFound."""
    with store.write() as connection:
        if not push.remove(connection, account_id, browser_id):
            raise NotFound("no_browser")


def took(store: Store, browser_id: int, now: datetime) -> None:
    """The browser's service took a message."""
    with store.write() as connection:
        push.change(connection, browser_id, sent_at=now, failing_since=None, said="", rests_until=None)


def failed(store: Store, browser: Subscriber, said: str, now: datetime, *, rests: bool) -> bool:
    """A message was not taken: whether the browser is kept, or forgotten after days of this.

    `rests`: its service gave no answer, so it is left alone for a while, the longer the longer that lasts.
    """
    since = browser.failing_since or now
    with store.write() as connection:
        if now - since > GIVEN_UP:
            push.drop(connection, browser.id)
            return False
        rest = min(max(FIRST_REST, now - since), LONGEST_REST)
        push.change(
            connection, browser.id, failing_since=since, said=said, rests_until=now + rest if rests else None
        )
    return True


def forget(store: Store, browser_id: int) -> None:
    """The browser has ended: nothing reaches it any more."""
    with store.write() as connection:
        push.drop(connection, browser_id)


def subscriber_of(row: Row[Any]) -> Subscriber:
    """A browser as its row in `bgmail.store.push` has it."""
    return Subscriber(
        id=row.id,
        login_id=row.login_id,
        endpoint=row.endpoint,
        keys=Browser.read(row.point, row.auth),
        name=row.name,
        created_at=row.created_at,
        sent_at=row.sent_at,
        failing_since=row.failing_since,
        said=row.said,
        rests_until=row.rests_until,
    )


def _checked(wish: Wish) -> dict[str, Any]:
    try:
        destination(wish.endpoint)
        Browser.read(wish.p256dh, wish.auth)
    except BadDestination as error:
        raise Refused("push_endpoint") from error
    except BadBrowser as error:
        raise Refused("push_keys") from error
    return {"endpoint": wish.endpoint, "point": wish.p256dh, "auth": wish.auth}
