"""A rematch: the same two people on the same terms, once their match is over."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Row, select

from bgmail.dice import Chance
from bgmail.phrases.people import CLOSED
from bgmail.rules.match import Phase
from bgmail.service.errors import Forbidden, Refused
from bgmail.service.invitations import invite
from bgmail.service.terms import Handle, same_terms
from bgmail.service.turns import load
from bgmail.service.views import MatchView, Person
from bgmail.store import matches
from bgmail.store.engine import Store
from bgmail.store.matches import table
from bgmail.store.tables import InvitationRow

_invitation = table(InvitationRow)


def rematch(store: Store, match_id: str, account_id: int, now: datetime, chance: Chance) -> MatchView:
    """Invites the opponent of a finished match to another on the same terms; asked for twice, it is one offer.

    An offer that waits for its answer already, from whichever side, is what comes back. Raises NotFound,
    Forbidden, Refused.
    """
    view = load(store, match_id)
    side = view.side_of(account_id)
    if side is None:
        raise Forbidden("not_your_match")
    opponent = view.person(side.other)
    if view.match.phase is not Phase.OVER or opponent is None:
        raise Refused("match_runs")
    if opponent.handle == CLOSED:
        raise Refused("opponent_gone")
    offers = _offers(store, view, account_id, opponent)
    waiting = next((offer.match_id for offer in offers if offer.phase == Phase.INVITED.value), None)
    if waiting:
        return load(store, waiting)
    number = sum(offer.inviter_id == account_id for offer in offers)
    to, key = Handle(opponent.handle), f"{_mark(match_id)}{number}"
    terms = same_terms(view.match, view.clock.control, view.rests.allowed, rated=view.rated)
    return invite(store, account_id, terms, to, "", now, chance, key=key)


def _mark(match_id: str) -> str:
    """How the keys of offers to play this match again begin: two that are made at once are one."""
    return f"rematch {match_id} "


def _offers(store: Store, view: MatchView, account_id: int, opponent: Person) -> Sequence[Row[str, int, str]]:
    """The rematches that either side offered after this match."""
    query = (
        select(_invitation.c.match_id, _invitation.c.inviter_id, matches.match.c.phase)
        .join(matches.match, matches.match.c.id == _invitation.c.match_id)
        .where(
            _invitation.c.inviter_id.in_((account_id, opponent.id)),
            _invitation.c.key.startswith(_mark(view.id), autoescape=True),
        )
        .order_by(_invitation.c.created_at, _invitation.c.match_id)
    )
    with store.read() as connection:
        return connection.execute(query).all()
