"""How a match comes about: invited by handle or address, or offered to anyone in the lobby.

An invitation is a match in its first phase. The inviter is White; whoever accepts is Black.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from bgmail.dice import Chance
from bgmail.rules.action import Action, ActionRefused, Kind
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import accounts, addresses, admission, respites
from bgmail.service.errors import Forbidden, KeyReused, NotFound, Refused, Stale
from bgmail.service.ids import new_id
from bgmail.service.keys import check_key
from bgmail.service.names import handle_key, same
from bgmail.service.new_matches import add_match, first_draft, terms_data
from bgmail.service.notices import Kind as Notice
from bgmail.service.notices import fact, owe
from bgmail.service.offers import Invitation, between, find, lobby, open_for, received, sent
from bgmail.service.terms import (
    Email,
    Handle,
    Open,
    Terms,
    To,
    check_message,
    digest_of,
)
from bgmail.service.turns import check_nonce, commit, load, load_draft, moved
from bgmail.service.views import MatchView, Person
from bgmail.store import matches, vacations
from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.tables import AccountRow, InvitationRow

__all__ = [
    "Invitation", "accept", "between", "cancel", "counter", "decline", "find", "invite", "lobby", "open_for",
    "received", "sent",
]  # fmt: skip
LIFETIME = timedelta(days=14)

_invitation, _account = table(InvitationRow), table(AccountRow)


def invite(
    store: Store,
    inviter_id: int,
    terms: Terms,
    to: To,
    message: str,
    now: datetime,
    chance: Chance,
    *,
    nonce: str | None = None,
    key: str | None = None,
    via: str = "page",
    answers: str | None = None,
) -> MatchView:
    """Offers a match and commits to the dice of its first game.

    Raises Refused (terms, message, oneself, by mail without a proven address, one of the two takes no more),
    NotFound (no such handle) and TooOften (too many letters to addresses).
    """
    check_nonce(nonce)
    check_key(key)
    digest = digest_of(terms, to, message, nonce) if key else None
    if known := _offered_before(store, inviter_id, key, digest):
        return known
    match, control = terms.offered()
    check_message(message)
    invitee = _invitee(store, inviter_id, to, now)
    rated = terms.rated and not control.untimed
    allowed = terms.pauses.at(control)
    draft = first_draft(
        new_id(), match, control, allowed, (_person(store, inviter_id), invitee), now, chance, rated=rated
    )
    draft.invite(terms_data(match, control, allowed, rated=rated), via, nonce)
    view = replace(moved(draft), deadline_at=now + LIFETIME, due_at=now + LIFETIME)
    row = _row(view, to, message) | {"answers": answers, "key": key, "body_digest": digest}
    try:
        with store.write() as connection:
            admission.may_invite(connection, inviter_id, invitee.id if invitee else None)
            add_match(connection, view, draft)
            connection.execute(insert(_invitation), row)
            owe(connection, _invitation_facts(connection, view, row, now))
    except IntegrityError:
        if known := _offered_before(store, inviter_id, key, digest):
            return known
        raise
    return view


def _invitee(store: Store, inviter_id: int, to: To, now: datetime) -> Person | None:
    """Who is named, if someone is. Counts a letter to an address. Raises as `invite`."""
    if isinstance(to, Email):
        _allow_letter(store, inviter_id, to.address, now)
    invitee = _find(store, to.name) if isinstance(to, Handle) else None
    if invitee and invitee.id == inviter_id:
        raise Refused("yourself")
    return invitee


def _row(view: MatchView, to: To, message: str) -> dict[str, Any]:
    """The invitation that belongs to a match just offered."""
    return {
        "match_id": view.id,
        "inviter_id": view.white.id if view.white else None,
        "invitee_id": view.black.id if view.black else None,
        "email": to.address if isinstance(to, Email) else None,
        "open": isinstance(to, Open),
        "message": message,
        "created_at": view.created_at,
        "expires_at": view.deadline_at,
    }


def accept(
    store: Store,
    match_id: str,
    account_id: int,
    now: datetime,
    chance: Chance,
    *,
    version: int | None = None,
    nonce: str | None = None,
    via: str = "page",
    by_address: bool = False,
) -> MatchView:
    """Takes the offered seat and opens the first game. `by_address` = the mailed link proved the address.

    Raises NotFound, Forbidden (not invited), Refused (one's own, ended, the limit of one's own matches), Stale.
    """
    check_nonce(nonce)
    invitation = find(store, match_id)
    draft = load_draft(store, match_id, now, chance)
    if draft.view.side_of(account_id) is not Side.BLACK:
        _may_accept(invitation, account_id, by_address=by_address)
    if version is not None and version != draft.view.version:
        raise Stale(draft.view)
    if draft.view.match.phase is not Phase.INVITED:
        seated = draft.view.side_of(account_id) is not None and draft.view.started_at is not None
        raise Stale(draft.view) if version is not None or seated else Refused("invitation_over")
    if now >= invitation.expires_at:
        raise Refused("invitation_over")
    draft.view = replace(draft.view, black=_person(store, account_id))
    draft.act(Action(Kind.ACCEPT, Side.BLACK), via, nonce)
    draft.automate()
    respites.join(store, draft)
    try:
        view = commit(
            store,
            draft,
            actor=Side.BLACK,
            also=lambda connection: _take_seat(connection, invitation, account_id, now),
        )
    except IntegrityError as error:
        raise Refused("own_invitation") from error
    if view is None:
        raise Stale(load(store, match_id))
    return view


def decline(
    store: Store,
    match_id: str,
    account_id: int | None,
    now: datetime,
    chance: Chance,
    *,
    version: int | None = None,
    via: str = "page",
    by_address: bool = False,
) -> MatchView:
    """The invited person says no. Raises NotFound, Forbidden, Refused, Stale.

    `by_address` = the mailed link proved the address; such a person may have no account (None).
    """
    invitation = find(store, match_id)
    if invitation.inviter_id == account_id:
        raise Refused("own_invitation")
    is_invitee = account_id is not None and invitation.invitee_id == account_id
    if not is_invitee and not (invitation.email and by_address):
        raise Forbidden("not_invited")
    if version is not None and version != invitation.view.version:
        raise Stale(invitation.view)
    return _end(store, match_id, Action(Kind.DECLINE, Side.BLACK), now, chance, via)


def cancel(
    store: Store, match_id: str, account_id: int, now: datetime, chance: Chance, *, via: str = "page"
) -> MatchView:
    """The inviter takes the offer back. Raises NotFound, Forbidden, Refused."""
    if find(store, match_id).inviter_id != account_id:
        raise Forbidden("not_your_invitation")
    return _end(store, match_id, Action(Kind.CANCEL, Side.WHITE), now, chance, via)


def forget_key(store: Store, match_id: str) -> None:
    """Lets the same offer be made anew under the key that this one had."""
    with store.write() as connection:
        connection.execute(update(_invitation).where(_invitation.c.match_id == match_id).values(key=None))


def counter(
    store: Store, match_id: str, account_id: int, terms: Terms, message: str, now: datetime, chance: Chance
) -> MatchView:
    """Declines with another offer: the inviter gets one with these terms instead. Raises as `invite` and `decline`."""
    terms.offered()
    check_message(message)
    with store.read() as connection:
        admission.may_invite(connection, account_id, find(store, match_id).inviter_id, but=match_id)
    declined = decline(store, match_id, account_id, now, chance)
    if declined.white is None:
        raise NotFound("no_match")
    to = Handle(declined.white.handle)
    return invite(store, account_id, terms, to, message, now, chance, answers=match_id)


def _allow_letter(store: Store, inviter_id: int, address: str, now: datetime) -> None:
    account = accounts.by_id(store, inviter_id)
    if account.email and addresses.key(account.email) == addresses.key(address):
        raise Refused("yourself")
    accounts.allow_letter_to(store, account, address, now)


def _invitation_facts(
    connection: Connection, view: MatchView, row: Mapping[str, Any], now: datetime
) -> list[dict[str, Any]]:
    if row["open"]:
        return []
    if row["email"] and admission.unwanted(connection, row["inviter_id"], addresses.key(row["email"])):
        return []
    return [
        fact(
            Notice.INVITATION,
            now,
            account_id=row["invitee_id"],
            address=row["email"] or "",
            match_id=view.id,
            version=view.version,
        )
    ]


def _offered_before(store: Store, inviter_id: int, key: str | None, digest: str | None) -> MatchView | None:
    """The match that the same offer made, if it did. Raises KeyReused for another offer under this key."""
    if key is None:
        return None
    same_key = (_invitation.c.inviter_id == inviter_id, _invitation.c.key == key)
    offer = select(_invitation.c.match_id, _invitation.c.body_digest).where(*same_key)
    with store.read() as connection:
        row = connection.execute(offer).one_or_none()
    if row is not None and row.body_digest != digest:
        raise KeyReused("key_reused")
    return load(store, row.match_id) if row else None


def _may_accept(invitation: Invitation, account_id: int, *, by_address: bool) -> None:
    if invitation.inviter_id == account_id:
        raise Refused("own_invitation")
    invited = invitation.open or invitation.invitee_id == account_id or (invitation.email and by_address)
    if not invited:
        raise Forbidden("not_invited")


def _end(store: Store, match_id: str, action: Action, now: datetime, chance: Chance, via: str) -> MatchView:
    draft = load_draft(store, match_id, now, chance)
    try:
        draft.act(action, via)
    except ActionRefused as error:
        raise Refused("invitation_over") from error
    view = commit(store, draft, actor=action.side)
    if view is None:
        raise Stale(load(store, match_id))
    return view


def _take_seat(connection: Connection, invitation: Invitation, account_id: int, now: datetime) -> None:
    match_id = invitation.view.id
    admission.may_accept(connection, invitation.inviter_id, account_id, match_id, is_open=invitation.open)
    connection.execute(
        update(matches.match).where(matches.match.c.id == match_id).values(black_id=account_id)
    )
    vacations.joined(connection, (invitation.inviter_id, account_id), now)


def _person(store: Store, account_id: int) -> Person:
    with store.read() as connection:
        row = connection.execute(select(_account).where(_account.c.id == account_id)).one_or_none()
    if row is None:
        raise NotFound("no_account")
    return Person(row.id, row.handle, row.is_bot, row.calendar, row.rests)


def _find(store: Store, handle: str) -> Person:
    with store.read() as connection:
        row = connection.execute(
            select(_account).where(
                _account.c.handle_key == handle_key(handle),
                _account.c.closed_at.is_(None),
                _account.c.banned_at.is_(None),
            )
        ).one_or_none()
    if row is None or not same(row.handle, handle):
        raise NotFound("no_such_person", handle=handle)
    return Person(row.id, row.handle, row.is_bot, row.calendar)
