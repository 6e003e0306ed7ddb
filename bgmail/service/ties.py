"""What one person wants of another: to follow them, not to hear them, or to have nothing to do with them.

A tie belongs to the one who made it: nobody else gets to know of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bgmail.dice import Chance
from bgmail.service import accounts, invitations
from bgmail.service.errors import Refused, Stale
from bgmail.service.offers import Invitation
from bgmail.service.views import Person
from bgmail.store import people, ties
from bgmail.store.engine import Store

MOST = 500
"""So many ties of a kind."""


class Kind(StrEnum):
    """FOLLOW lists their matches; MUTE folds what they say; BLOCK does that and keeps them from inviting."""

    FOLLOW = "follow"
    MUTE = "mute"
    BLOCK = "block"


QUIET = (Kind.MUTE, Kind.BLOCK)


@dataclass(frozen=True, slots=True)
class Tied:
    """One tie of somebody's: to whom, of which kind, since when."""

    person: Person
    kind: Kind
    at: datetime


def make(store: Store, account_id: int, handle: str, kind: Kind, now: datetime, chance: Chance) -> None:
    """Ties somebody to the person of that handle; a second time changes nothing.

    Who is blocked is no longer followed, and invitations between the two that wait for an answer end; matches
    that run go on. Raises NotFound, Refused (oneself, a machine, too many).
    """
    other = accounts.by_handle(store, handle)
    if other.id == account_id:
        raise Refused("tie_to_oneself")
    if other.is_bot and kind in QUIET:
        raise Refused("tie_to_machine", name=other.handle)
    with store.write() as connection:
        people.hold(connection, account_id)
        there = kind in ties.towards(connection, account_id, other.id)
        if not there and ties.count(connection, account_id, kind) >= MOST:
            raise Refused("too_many_ties", most=MOST)
        if kind is Kind.BLOCK:
            ties.drop(connection, account_id, [Kind.FOLLOW], other.id)
        ties.add(connection, account_id, kind, other.id, now)
    if kind is Kind.BLOCK:
        _end_offers(store, account_id, other.id, now, chance)


def undo(store: Store, account_id: int, handle: str, kind: Kind) -> None:
    """Takes a tie away, if it is there. Raises NotFound."""
    other = accounts.by_handle(store, handle)
    with store.write() as connection:
        ties.drop(connection, account_id, [kind], other.id)


def mine(store: Store, account_id: int) -> list[Tied]:
    """All ties of somebody, by handle."""
    with store.read() as connection:
        rows = ties.mine(connection, account_id)
    return [Tied(Person(row.id, row.handle, row.is_bot), Kind(row.kind), row.at) for row in rows]


def _end_offers(store: Store, account_id: int, other_id: int, now: datetime, chance: Chance) -> None:
    end_offers(lambda: invitations.between(store, account_id, other_id), store, account_id, now, chance)


def end_offers(
    waiting: Callable[[], list[Invitation]], store: Store, account_id: int, now: datetime, chance: Chance
) -> None:
    """Ends what somebody offered or was offered, a list after the other, as long as one of it can be ended."""
    while sum(_ended(store, offer, account_id, now, chance) for offer in waiting()):
        pass


def _ended(store: Store, offer: Invitation, account_id: int, now: datetime, chance: Chance) -> bool:
    end = invitations.cancel if offer.inviter_id == account_id else invitations.decline
    try:
        end(store, offer.view.id, account_id, now, chance)
    except (Refused, Stale):
        return False  # it was answered meanwhile
    return True
