"""Rounds that an organiser draws and begins: drawn, they are published; who meets whom may still change then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row

from bgmail.pairing.field import Field, How, Pairing, Result
from bgmail.pairing.redrawing import has_bye, idle_byes, to_redraw
from bgmail.service.errors import Refused
from bgmail.service.tournaments import telling
from bgmail.service.tournaments.advancing import Seen, drawn, new_rows, next_place, passed, read
from bgmail.service.tournaments.conditions import Rounds
from bgmail.service.tournaments.decisions import stage_of
from bgmail.service.tournaments.desk import Desk, Wish, at_desk, entry_at, may_command
from bgmail.service.tournaments.field import field_of, pairing_of
from bgmail.service.tournaments.views import EntryState, State
from bgmail.store import tournaments as rows
from bgmail.store.engine import Store

MOST_TRIES = 5
SWISS = frozenset({"swiss", "swiss_elimination"})
"""Formats in which it is open who meets whom until a round is drawn."""


def draw(store: Store, tournament_id: str, author_id: int, wish: Wish, now: datetime) -> None:
    """Draws the next round, or with `again` the one that is drawn and has not begun, around what was fixed by hand.

    Computed outside the lock, and written if nothing happened meanwhile; nothing is computed for somebody who may not
    command it, or again under one key. Raises Refused: hand_rounds, round_drawn, nothing_to_pair.
    """
    with at_desk(store, tournament_id, now) as desk:
        may_command(desk, author_id)
        if desk.was_done(wish):
            return
    for _ in range(MOST_TRIES):
        seen = read(store, tournament_id)
        if seen is None or seen.results:
            raise Refused("nothing_to_pair")
        dropped, fresh = _drawn(seen, again=wish.data.get("again") is True)
        with at_desk(store, tournament_id, now) as desk:
            may_command(desk, author_id)
            if desk.was_done(wish):
                return
            if (desk.row.head, desk.row.stirred) == (seen.row.head, seen.row.stirred):
                _write(desk, author_id, wish, seen, dropped, fresh)
                return
    raise Refused("nothing_to_pair")


def _drawn(seen: Seen, *, again: bool) -> tuple[list[str], tuple[Pairing, ...]]:
    """What is dropped, and what is new. Raises as `draw`."""
    if seen.tournament.state is not State.RUNNING:
        raise Refused("tournament_state", state=seen.tournament.state.value)
    if seen.tournament.conditions.rounds is not Rounds.HAND:
        raise Refused("hand_rounds")
    waiting = [row for row in seen.pairings if row.round > seen.row.rounds_begun]
    if waiting and not again:
        raise Refused("round_drawn")
    field, format_ = seen.field(), seen.tournament.plan.format()
    dropped = [row.key for row in waiting if not (row.fixed or row.decided)]
    dropped += idle_byes(format_, field, seen.started())
    left = replace(field, pairings=tuple(one for one in field.pairings if one.key not in dropped))
    _, fresh = drawn(format_, left)
    if not fresh:
        raise Refused("nothing_to_pair")
    return dropped, fresh


def _write(
    desk: Desk, author_id: int, wish: Wish, seen: Seen, dropped: list[str], fresh: tuple[Pairing, ...]
) -> None:
    rows.drop_pairings(desk.connection, desk.id, dropped)
    rows.add_pairings(desk.connection, new_rows(desk, fresh, next_place(seen)))
    told = {"paired": [pairing.key for pairing in fresh], **passed(seen, dropped, fresh)}
    head = desk.note(author_id, wish, told)
    by_number = {row.number: row for row in seen.entries}
    telling.drawn(desk.connection, desk.id, by_number, fresh, desk.now, head)
    desk.wake()


def begin(desk: Desk, author_id: int, wish: Wish) -> None:
    """Lets the rounds that are drawn begin. Raises Refused("hand_rounds")."""
    desk.require(State.RUNNING)
    _by_hand(desk)
    last = max((row.round for row in rows.pairings(desk.connection, desk.id)), default=0)
    if last <= desk.row.rounds_begun:
        return
    desk.change(rounds_begun=last)
    desk.note(author_id, wish, {"round": last})
    desk.wake()


def bye(desk: Desk, author_id: int, wish: Wish) -> None:
    """Gives an entry the bye of the round that is drawn and has not begun, or else of the next. The automatic one is
    dropped, or the one that was given before, and the rest of the round is drawn anew around it.

    Raises Refused: hand_rounds, no_entry, bye_here, has_bye, bye_even.
    """
    desk.require(State.RUNNING)
    _by_hand(desk)
    entry = entry_at(desk, wish, EntryState.IN)
    found = list(rows.pairings(desk.connection, desk.id))
    waiting = [row for row in found if row.round > desk.row.rounds_begun]
    round_ = waiting[0].round if waiting else desk.row.rounds_begun + 1
    if not _is_swiss(desk, found):
        raise Refused("bye_here")
    given = [row for row in waiting if row.fixed and row.second is None]
    if any(row.first == entry.number for row in given):
        raise Refused("has_bye")
    if has_bye(desk.tournament.plan.format(), _field(desk, found), _started(desk, found)) is False:
        raise Refused("bye_even")
    dropped = [row.key for row in waiting if row in given or not (row.fixed or row.decided)]
    rows.drop_pairings(desk.connection, desk.id, dropped)
    stage = stage_of(found[-1].key) if found else 1
    key = f"{stage}:h{round_}.{entry.number}" if stage > 1 else f"h{round_}.{entry.number}"
    made = Pairing(key, round_, entry.number, None, Result(entry.number, How.BYE), True)
    place = max((row.place for row in found), default=-1) + 1
    rows.add_pairings(desk.connection, new_rows(desk, (made,), place))
    desk.note(author_id, wish, {"round": round_})
    desk.wake()


def redraw_around(desk: Desk) -> None:
    """Somebody left while a round was drawn and had not begun: their pairing is gone, and the automatic bye with it,
    so that the job pairs those two, or gives the one who is left a bye. A bye by hand goes too where an even number
    plays now: it would leave another without an opponent. Nobody else is concerned, unless these two would have to
    meet again."""
    if desk.tournament.conditions.rounds is not Rounds.HAND:
        return
    found, format_ = rows.pairings(desk.connection, desk.id), desk.tournament.plan.format()
    started = _started(desk, found)
    given = idle_byes(format_, _field(desk, found), started)
    left = [row for row in found if row.key not in given]
    dropped = to_redraw(format_, _field(desk, left), started)
    rows.drop_pairings(desk.connection, desk.id, [*given, *dropped])


def _field(desk: Desk, found: Sequence[Row[Any]]) -> Field:
    entries = rows.entries(desk.connection, desk.id)
    return field_of(entries, [pairing_of(row) for row in found], desk.tournament.lot)


def _started(desk: Desk, found: Sequence[Row[Any]]) -> set[str]:
    """The keys of the rounds that have begun."""
    return {row.key for row in found if row.round <= desk.row.rounds_begun}


def _is_swiss(desk: Desk, found: Sequence[Row[Any]]) -> bool:
    """Whether the stage that runs draws whole rounds."""
    stage = stage_of(found[-1].key) if found else 1
    return desk.tournament.plan.stages[stage - 1].format in SWISS


def _by_hand(desk: Desk) -> None:
    if desk.tournament.conditions.rounds is not Rounds.HAND:
        raise Refused("hand_rounds")
