"""What the end of a match means in its tournament: a result that was played, or a forfeit."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row

from bgmail.pairing.field import How, Result
from bgmail.rules.score import Ending
from bgmail.rules.side import Side
from bgmail.store import appearances


@dataclass(frozen=True, slots=True)
class Evidence:
    """Who did something of their own in matches that ended on time, and who was seen since they began: pairs of a
    match's id and a side."""

    acted: Collection[tuple[str, Side]] = frozenset()
    seen: Collection[tuple[str, Side]] = frozenset()


def evidence(connection: Connection, ended: Sequence[Row[Any]]) -> Evidence:
    """What has to be known of the pairings whose matches have ended; nothing is asked where none ended on time."""
    late = [row.match_id for row in ended if row.match_ending == Ending.TIMEOUT]
    if not late:
        return Evidence()
    acted = {(match_id, Side.named(seat)) for match_id, seat in appearances.acted(connection, late)}
    seen = {(match_id, Side(side)) for match_id, side in appearances.seen(connection, late)}
    return Evidence(frozenset(acted), frozenset(seen))


def result_of(row: Row[Any], told: Evidence) -> Result:
    """The result of a pairing whose match is over. White is the first of the two.

    A match lost on time by somebody who never made a play of their own is a forfeit; if the other never acted either,
    and wasn't seen here since the match began, both forfeit. A resignation is a result that was played, however early.
    """
    winner = None if row.match_winner is None else Side(row.match_winner)
    number = None if winner is None else row.first if winner is Side.WHITE else row.second
    ending = Ending(row.match_ending)
    if ending is Ending.ANNULLED:
        return Result(None, How.ANNULLED)
    if ending is Ending.FORFEIT or winner is None:
        return Result(number, How.FORFEIT)
    loser = winner.other
    if ending is not Ending.TIMEOUT or (row.match_id, loser) in told.acted:
        return Result(number)
    there = (row.match_id, winner) in told.acted or (row.match_id, winner) in told.seen
    return Result(number if there else None, How.FORFEIT)
