"""Results by an organiser's word: of a pairing that isn't over, or instead of the result that it has."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row

from bgmail.pairing.field import How
from bgmail.service.errors import Refused
from bgmail.service.tournaments.desk import Desk, Wish, reasoned
from bgmail.service.tournaments.views import State
from bgmail.store import tournaments as rows

ELIMINATION = frozenset({"knockout", "double_elimination", "reentry"})
"""Formats in which the next pairing is made of who won this one."""


def decide(desk: Desk, author_id: int, wish: Wish) -> None:
    """Gives a pairing a result: `winner` (an entry's number, None = nobody) and `how`.

    Raises Refused: reason_needed, no_pairing, no_result, has_result, bad_result, followed.
    """
    reasoned(wish)
    desk.require(State.RUNNING, State.OVER)
    row = pairing_at(desk, wish)
    winner, how = _result(row, wish)
    if (row.winner, row.how) == (winner, how.value) and row.decided:
        return
    if wish.command == "decide" and row.how is not None:
        raise Refused("has_result")
    if wish.command == "correct" and row.how is None:
        raise Refused("no_result")
    dropped = _undone(desk, row) if row.winner != winner or How.ANNULLED in (how, row.how) else []
    rows.drop_pairings(desk.connection, desk.id, dropped)
    result = {"winner": winner, "how": how.value, "decided": True, "ended_at": desk.now}
    rows.change_pairing(desk.connection, desk.id, row.key, **result)
    desk.note(author_id, wish, {"before": [row.winner, row.how]} if row.how else {})
    desk.wake()


def pairing_at(desk: Desk, wish: Wish) -> Row[Any]:
    """The pairing that a command names. Raises Refused("no_pairing")."""
    key = wish.data.get("pairing")
    found = [row for row in rows.pairings(desk.connection, desk.id) if row.key == key]
    if not found or found[0].second is None:
        raise Refused("no_pairing")
    row: Row[Any] = found[0]
    return row


def _result(row: Row[Any], wish: Wish) -> tuple[int | None, How]:
    winner = wish.data.get("winner")
    try:
        how = How(wish.data.get("how") or (How.FORFEIT if winner is None else How.PLAYED))
    except ValueError as error:
        raise Refused("bad_result") from error
    one_of_them = winner in (row.first, row.second) and type(winner) is int
    fits = {How.PLAYED: one_of_them, How.ANNULLED: winner is None, How.FORFEIT: one_of_them or winner is None}
    if not fits.get(how, False):
        raise Refused("bad_result")
    return winner, how


def _undone(desk: Desk, row: Row[Any]) -> list[str]:
    """The pairings that were made because of the result so far, and have not begun: they will be made anew.

    Raises Refused("followed") where one of them has begun: it has to be decided or annulled itself.
    """
    later = [other for other in rows.pairings(desk.connection, desk.id) if _follows(desk, row, other)]
    if any(other.match_id is not None for other in later):
        raise Refused("followed")
    return [other.key for other in later]


def _follows(desk: Desk, row: Row[Any], other: Row[Any]) -> bool:
    if other.place <= row.place or other.fixed or other.decided:
        return False
    stage, its = stage_of(row.key), stage_of(other.key)
    if its > stage:
        return True
    people = {row.first, row.second}
    return desk.tournament.plan.stages[stage - 1].format in ELIMINATION and bool(
        people & {other.first, other.second}
    )


def stage_of(key: str) -> int:
    """The stage of a pairing, from 1."""
    head, colon, _ = key.partition(":")
    return int(head) if colon and head.isdigit() else 1
