"""The invitations that wait for an answer, as lists: the lobby, and those from and to a person."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_, or_

from bgmail.rules.match import Phase
from bgmail.service.errors import NotFound
from bgmail.service.views import MatchView, view_of
from bgmail.store import matches, ties
from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.tables import InvitationRow

_invitation = table(InvitationRow)
_PENDING = matches.match.c.phase == Phase.INVITED.value


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation and the match it stands for. `invitee` is None for an address and for the lobby."""

    view: MatchView
    inviter_id: int
    invitee_id: int | None
    email: str | None
    open: bool
    message: str
    answers: str | None
    created_at: datetime
    expires_at: datetime


def find(store: Store, match_id: str) -> Invitation:
    """The invitation of a match. Raises NotFound."""
    found = _listed(store, _invitation.c.match_id == match_id) if matches.could_be(match_id) else []
    if not found:
        raise NotFound("no_match")
    return found[0]


def lobby(store: Store, account_id: int | None = None, limit: int = 100) -> list[Invitation]:
    """The open challenges that this person (None = a stranger) may take, newest first: none of or for the blocked."""
    apart = [] if account_id is None else [~ties.apart(_invitation.c.inviter_id, account_id)]
    return _listed(store, _invitation.c.open, _PENDING, *apart, limit=limit)


def received(store: Store, account_id: int) -> list[Invitation]:
    """What waits for a person's answer."""
    return _listed(store, _invitation.c.invitee_id == account_id, _PENDING)


def sent(store: Store, account_id: int) -> list[Invitation]:
    """What a person offered and nobody answered yet."""
    return _listed(store, _invitation.c.inviter_id == account_id, _PENDING)


def between(store: Store, one: int, other: int) -> list[Invitation]:
    """What two people offered each other and nobody answered yet."""
    there = and_(_invitation.c.inviter_id == one, _invitation.c.invitee_id == other)
    back = and_(_invitation.c.inviter_id == other, _invitation.c.invitee_id == one)
    return _listed(store, or_(there, back), _PENDING)


def open_for(store: Store, account_id: int) -> tuple[list[Invitation], list[Invitation]]:
    """What waits for a person's answer, and what that person offered, by one query."""
    mine, sent_by_me = _invitation.c.invitee_id == account_id, _invitation.c.inviter_id == account_id
    found = _listed(store, or_(mine, sent_by_me), _PENDING)
    offered = [one for one in found if one.inviter_id == account_id]
    return [one for one in found if one.inviter_id != account_id], offered


def _listed(store: Store, *conditions: Any, limit: int = 200) -> list[Invitation]:
    query = (
        matches.VIEWS.add_columns(*[column.label(f"invitation_{column.name}") for column in _invitation.c])
        .join(_invitation, _invitation.c.match_id == matches.match.c.id)
        .where(*conditions)
        .order_by(_invitation.c.created_at.desc(), _invitation.c.match_id.desc())
        .limit(limit)
    )
    with store.read() as connection:
        rows = connection.execute(query).mappings().all()
    names = ("inviter_id", "invitee_id", "email", "open", "message", "answers", "created_at", "expires_at")
    return [Invitation(view_of(row), **{name: row[f"invitation_{name}"] for name in names}) for row in rows]
