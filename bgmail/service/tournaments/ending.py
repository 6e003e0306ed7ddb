"""Matches that can't go on as they are: somebody left, the round's time is over, an organiser has decided.

Rows say first what holds, in the transaction of the command; what follows from that in matches is done afterwards,
here, as often as it takes. So nothing is lost where a process dies in between.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import orjson
from sqlalchemy import Connection, Row

from bgmail.dice import Chance
from bgmail.pairing.field import How
from bgmail.rules.match import Phase
from bgmail.rules.score import Ending
from bgmail.rules.side import Side
from bgmail.service import corrections
from bgmail.service.corrections import Verdict
from bgmail.service.tournaments.conditions import Conditions, Late
from bgmail.service.tournaments.views import EntryState
from bgmail.store import tournaments as rows
from bgmail.store.engine import Store

ENDINGS = {How.FORFEIT: Ending.FORFEIT, How.ANNULLED: Ending.ANNULLED, How.PLAYED: Ending.RESIGNED}
"""How a match ends that an organiser decides; one that was played to its end keeps its ending."""
DECISIONS = ("decide", "correct")
Owed = tuple[str, Verdict, bool]
"""A match, what it is to come to, and whether it is given that even where it is over."""


def owed(
    connection: Connection,
    conditions: Conditions,
    entries: Mapping[int, Row[Any]],
    pairings: Sequence[Row[Any]],
    now: datetime,
) -> list[Owed]:
    """The matches that have to end, or to be given another result."""
    found = [*_of_decisions(connection, pairings), *_of_leavers(entries, pairings)]
    if conditions.late is Late.FORFEIT:
        found += _of_the_late(pairings, now)
    return found


def carry_out(store: Store, due: Sequence[Owed], now: datetime, chance: Chance) -> int:
    """Does it, a match after the other; how many there were."""
    for match_id, verdict, again in due:
        settle = corrections.correct if again else corrections.end
        settle(store, match_id, verdict, now, chance)
    return len(due)


def unused(connection: Connection, tournament_id: str, why: str) -> list[Owed]:
    """The running matches of a tournament that belong to no pairing of it any more, or all once it is cancelled."""
    found = rows.unused_matches(connection, tournament_id, everything=why == "cancelled")
    return [(match_id, Verdict(None, Ending.ANNULLED, why=why), False) for match_id in found]


def _of_leavers(entries: Mapping[int, Row[Any]], pairings: Sequence[Row[Any]]) -> Iterator[Owed]:
    for row in pairings:
        if row.how is not None or not _runs(row):
            continue
        stay = [side for side in Side if entries[_number(row, side)].state == EntryState.IN]
        if len(stay) < 2:
            winner = stay[0] if stay else None
            yield row.match_id, Verdict(winner, Ending.FORFEIT, why="left"), False


def _of_the_late(pairings: Sequence[Row[Any]], now: datetime) -> Iterator[Owed]:
    """Who is on turn at the date of the round has run out of time."""
    for row in pairings:
        if row.how is None and _runs(row) and row.until is not None and row.until <= now:
            yield row.match_id, Verdict(Side(row.match_on_turn).other, Ending.FORFEIT, why="late"), False


def _of_decisions(connection: Connection, pairings: Sequence[Row[Any]]) -> Iterator[Owed]:
    decided = [row for row in pairings if row.decided and row.match_id and not _says(row)]
    if not decided:
        return
    told = {}
    for line in rows.log_with(connection, decided[0].tournament_id, DECISIONS):
        told[orjson.loads(line.data)["pairing"]] = line
    for row in decided:
        line = told.get(row.key)  # none: both have left
        said = {"author": line.author_id, "reason": line.reason} if line else {"why": "left"}
        yield row.match_id, Verdict(_winner(row), _ending(row), **said), True


def _says(row: Row[Any]) -> bool:
    """Whether the match of a decided pairing has come to what was decided."""
    if row.match_phase != Phase.OVER:
        return False
    winner = None if row.match_winner is None else Side(row.match_winner)
    return winner is _winner(row) and row.match_ending == _ending(row).value


def _winner(row: Row[Any]) -> Side | None:
    if row.winner is None:
        return None
    return Side.WHITE if row.winner == row.first else Side.BLACK


def _ending(row: Row[Any]) -> Ending:
    how = How(row.how)
    kept = Ending(row.match_ending) if row.match_phase == Phase.OVER else None
    if how is How.PLAYED and kept not in (None, Ending.FORFEIT, Ending.ANNULLED):
        return kept or Ending.RESIGNED
    return ENDINGS[how]


def _runs(row: Row[Any]) -> bool:
    return row.match_id is not None and row.match_phase != Phase.OVER


def _number(row: Row[Any], side: Side) -> int:
    number: int = row.first if side is Side.WHITE else row.second
    return number
