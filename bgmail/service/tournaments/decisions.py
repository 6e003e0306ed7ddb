"""Results by an organiser's word: of a pairing that isn't over, or instead of the result that it has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Row

from bgmail.pairing.field import How
from bgmail.pairing.plan import Plan
from bgmail.pairing.progress import fixture_of
from bgmail.service.errors import Refused
from bgmail.service.tournaments.desk import Desk, Wish, reasoned
from bgmail.service.tournaments.field import field_of, pairing_of
from bgmail.service.tournaments.views import Pairing, State, Tournament
from bgmail.store import tournaments as rows

ELIMINATION = frozenset({"knockout", "double_elimination", "reentry"})
"""Formats in which the next pairing is made of who won this one."""


def decide(desk: Desk, author_id: int, wish: Wish) -> None:
    """Gives a pairing a result: `winner` (an entry's number, None = nobody) and `how`. With `annul_later` the matches
    that followed from another result are annulled, and made anew with whoever belongs there.

    Raises Refused: reason_needed, no_pairing, no_result, has_result, made_anew, not_anew_yet, bad_result, followed,
    followed_on.
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
    _stands(desk, row)
    changed = row.winner != winner or How.ANNULLED in (how, row.how)
    annulled = _undo(desk, row, annul=wish.data.get("annul_later") is True) if changed else []
    _set(desk, row.key, winner, how)
    before = {"before": [row.winner, row.how]} if row.how else {}
    desk.note(author_id, wish, before | ({"annulled": annulled} if annulled else {}))
    desk.wake()


def _stands(desk: Desk, row: Row[Any]) -> None:
    """Raises Refused for a pairing of an elimination that was annulled and made anew, or is going to be with whoever
    comes out of those before it: that of two others, or of one of them twice, could stand in its place."""
    every, plan = rows.pairings(desk.connection, desk.id), desk.tournament.plan
    if row.key in remade(plan, [one.key for one in every]):
        raise Refused("made_anew")
    is_open = desk.tournament.state is State.RUNNING and is_elimination(plan, row.key)
    if not is_open or row.how != How.ANNULLED:
        return
    field = field_of(desk.entries(), [pairing_of(one) for one in every], desk.tournament.lot)
    two = {row.first, row.second}
    anew = [fixture_of(one.key) for one in plan.format().next(field) if {one.first, one.second} == two]
    if fixture_of(row.key) not in anew:
        raise Refused("not_anew_yet")


def _set(desk: Desk, key: str, winner: int | None, how: How) -> None:
    result = {"winner": winner, "how": how.value, "decided": True, "ended_at": desk.now}
    rows.change_pairing(desk.connection, desk.id, key, **result)


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


def _undo(desk: Desk, row: Row[Any], *, annul: bool) -> list[str]:
    """Takes back the pairings that were made because of the result so far, so that they are made anew. Those that
    have begun are annulled if that is wanted; their keys.

    Raises Refused("followed") where one of them has begun and is not to be annulled; ("followed_on") where none can be:
    after the end nothing is made anew, and who is in a later stage stays there.
    """
    later = _followers(desk, row, even_decided=annul)
    begun = [other for other in later if other.match_id is not None or other.decided]
    if begun and (desk.tournament.state is State.OVER or any(_is_further(row, other) for other in begun)):
        raise Refused("followed_on")
    if begun and not annul:
        raise Refused("followed")
    keys = [other.key for other in begun]
    rows.drop_pairings(desk.connection, desk.id, [other.key for other in later if other.key not in keys])
    for key in keys:
        _set(desk, key, None, How.ANNULLED)
    return keys


def _followers(desk: Desk, row: Row[Any], *, even_decided: bool) -> list[Row[Any]]:
    """The pairings that followed from one, those that followed from them, and so on."""
    every, found, sources = rows.pairings(desk.connection, desk.id), dict[str, Row[Any]](), [row]
    while sources:
        source = sources.pop()
        for other in every:
            is_decided = other.decided and not (even_decided and other.how != How.ANNULLED)
            if other.key not in found and not is_decided and _follows(desk, source, other):
                found[other.key] = other
                sources.append(other)
    return list(found.values())


def _follows(desk: Desk, row: Row[Any], other: Row[Any]) -> bool:
    if other.place <= row.place or other.fixed:
        return False
    if _is_further(row, other):
        return True
    people = {row.first, row.second}
    return is_elimination(desk.tournament.plan, row.key) and bool(people & {other.first, other.second})


def _is_further(row: Row[Any], other: Row[Any]) -> bool:
    """Whether a pairing belongs to a later stage."""
    return stage_of(other.key) > stage_of(row.key)


def is_elimination(plan: Plan, key: str) -> bool:
    """Whether the next pairings of that one's stage are made of who won it."""
    return plan.stages[stage_of(key) - 1].format in ELIMINATION


def remade(plan: Plan, keys: Iterable[str]) -> frozenset[str]:
    """Those of a tournament's pairings that were annulled and made anew: only the newest of a fixture can be given a
    result, else two would stand there."""
    mine = [key for key in keys if is_elimination(plan, key)]
    newest = {fixture_of(key): key for key in sorted(mine, key=lambda key: (len(key), key))}
    return frozenset(mine) - frozenset(newest.values())


def closed(tournament: Tournament, pairings: Iterable[Pairing]) -> frozenset[str]:
    """The pairings that pages offer no result for: those that were made anew, or are about to be."""
    every, plan = list(pairings), tournament.plan
    waits = [one.key for one in every if one.how is How.ANNULLED and is_elimination(plan, one.key)]
    return remade(plan, [one.key for one in every]) | frozenset(
        waits if tournament.state is State.RUNNING else ()
    )


def stage_of(key: str) -> int:
    """The stage of a pairing, from 1."""
    head, colon, _ = key.partition(":")
    return int(head) if colon and head.isdigit() else 1
