"""Who may begin a match with whom just now: asked in the transaction that would begin it.

Nobody learns from a refusal who has blocked whom: it reads the same for somebody who plays enough.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, select

from bgmail.service.errors import Forbidden, NotFound, Refused
from bgmail.store import people, ties
from bgmail.store.engine import Store


def may_invite(connection: Connection, inviter_id: int, invitee_id: int | None, *, but: str = "") -> None:
    """Somebody offers a match to a person (None = to an address, or to anyone), in place of the match `but`.

    Raises Refused("no_more_matches") where the other takes none of this person just now, Refused (you_block,
    own_limit), NotFound and Forbidden for accounts that have ended.
    """
    found = ties.locked(connection, [one for one in (inviter_id, invitee_id) if one is not None])
    _is_active(found.get(inviter_id))
    _has_room(connection, found[inviter_id])
    if invitee_id is None:
        return
    invitee = found.get(invitee_id)
    if invitee is None or _ended(invitee):
        raise NotFound("no_such_person", handle=invitee.handle if invitee else "")
    blocking = ties.blocks(connection, inviter_id, invitee_id)
    if inviter_id in blocking:
        raise Refused("you_block", name=invitee.handle)
    if invitee_id in blocking or _is_full(connection, invitee, but):
        raise Refused("no_more_matches", name=invitee.handle)


def may_accept(
    connection: Connection, inviter_id: int, account_id: int, match_id: str, *, is_open: bool
) -> None:
    """Somebody takes the seat that was offered. What the inviter offered counts for the inviter already.

    Raises Refused (you_block, own_limit, invitation_over), NotFound, Forbidden.
    """
    found = ties.locked(connection, (inviter_id, account_id))
    _is_active(found.get(account_id))
    inviter = found.get(inviter_id)
    if inviter is None or _ended(inviter):
        raise Refused("invitation_over")
    blocking = ties.blocks(connection, inviter_id, account_id)
    if account_id in blocking:
        raise Refused("you_block", name=inviter.handle)
    if inviter_id in blocking:
        raise NotFound("no_match") if is_open else Refused("invitation_over")
    _has_room(connection, found[account_id], but=match_id)


def require_room(store: Store, account_id: int) -> None:
    """Raises Refused("own_limit") for somebody who plays as many matches as they want."""
    with store.read() as connection:
        row = people.by_id(connection, account_id)
        if row is not None:
            _has_room(connection, row)


def unwanted(connection: Connection, inviter_id: int, email_key: str) -> bool:
    """Whether the one who reads that address has blocked the inviter: then no letter goes there.

    The inviter isn't told: an address gives nobody away.
    """
    owner = people.by_email(connection, email_key)
    return owner is not None and owner.id in ties.blocks(connection, inviter_id, owner.id)


def set_most(store: Store, account_id: int, typed: str) -> int | None:
    """How many matches somebody wants at a time, as typed; "" = any number. Raises Refused("most_matches")."""
    text = typed.strip()
    if text and not (text.isascii() and text.isdigit() and len(text) <= 4 and int(text) > 0):
        raise Refused("most_matches")
    most = int(text) if text else None
    with store.write() as connection:
        people.change(connection, account_id, most_matches=most)
    return most


def most_of(store: Store, account_id: int) -> int | None:
    """How many matches somebody wants at a time; None = any number."""
    chosen = select(people.account.c.most_matches).where(people.account.c.id == account_id)
    with store.read() as connection:
        return connection.scalar(chosen)


def _is_active(row: Row[Any] | None) -> None:
    if row is None:
        raise NotFound("no_account")
    if _ended(row):
        raise Forbidden("shut_out")


def _ended(row: Row[Any]) -> bool:
    return row.closed_at is not None or row.banned_at is not None


def _has_room(connection: Connection, row: Row[Any], but: str = "") -> None:
    if _is_full(connection, row, but):
        raise Refused("own_limit", most=row.most_matches)


def _is_full(connection: Connection, row: Row[Any], but: str = "") -> bool:
    return row.most_matches is not None and ties.busy(connection, row.id, but) >= row.most_matches
