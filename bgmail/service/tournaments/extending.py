"""Days more for the present turn: in one match of a tournament, or in all that run."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row

from bgmail.dice import Chance
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service.errors import Refused
from bgmail.service.tournaments.decisions import pairing_at
from bgmail.service.tournaments.desk import Desk, Wish
from bgmail.service.tournaments.views import State
from bgmail.service.turns import MOST_TRIES, commit, load_draft
from bgmail.store import attendance
from bgmail.store import tournaments as rows
from bgmail.store.engine import Store

MOST_DAYS = 30
A_DAY = 86_400


def extend(desk: Desk, author_id: int, wish: Wish) -> None:
    """Gives `days` more to whoever is on turn in one match (`pairing`) or in all, and to the date of the round.

    The log of the tournament has it with this; `carry_out` brings it into the matches. Raises Refused: days,
    no_pairing, no_match_runs.
    """
    desk.require(State.RUNNING)
    days = wish.data.get("days")
    if type(days) is not int or not 1 <= days <= MOST_DAYS:
        raise Refused("days", most=MOST_DAYS)
    found = (
        [pairing_at(desk, wish)] if "pairing" in wish.data else list(rows.pairings(desk.connection, desk.id))
    )
    running = [row for row in found if _runs(row)]
    if not running:
        raise Refused("no_match_runs")
    dated = [{"key": row.key, "until": row.until + timedelta(days=days)} for row in running if row.until]
    rows.change_pairings(desk.connection, desk.id, dated)
    desk.note(author_id, wish, {"matches": [row.match_id for row in running]})
    desk.wake()


def carry_out(
    store: Store, mark: str, author: int, match_ids: Iterable[str], days: int, now: datetime, chance: Chance
) -> int:
    """Gives the days in these matches; one that has them by this `mark` already, or has ended, stays as it is."""
    return sum(_give(store, match_id, mark, author, days, now, chance) for match_id in match_ids)


def _give(
    store: Store, match_id: str, mark: str, author: int, days: int, now: datetime, chance: Chance
) -> bool:
    for _ in range(MOST_TRIES):
        draft = load_draft(store, match_id, now, chance)
        with store.read() as connection:
            given = attendance.times_given(connection, match_id, f'"extension":"{mark}"')
        side, control = draft.clock.on, draft.clock.control
        if given or side is None or draft.match.phase is Phase.OVER or control.untimed:
            return False
        data: dict[str, Any] = {"side": Side(side).word, "why": "gift", "seconds": days * A_DAY}
        draft.pause({**data, "by": author, "extension": mark})
        if commit(store, draft, actor=None) is not None:
            return True
    return False


def _runs(row: Row[Any]) -> bool:
    return row.match_id is not None and row.how is None and row.match_phase != Phase.OVER
