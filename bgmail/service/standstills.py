"""Vacations brought into the logs of the matches that they hold, each behind its guard; and those that begin or go on
by themselves when time runs out.

A vacation is a row first and in every log soon after: whoever dies in between leaves the rest to the scheduler, and
whoever is about to call time looks here before.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlalchemy import Connection, RowMapping

from bgmail import timing
from bgmail.dice import Chance
from bgmail.service import respites, vacations
from bgmail.service.draft import Draft
from bgmail.service.respites import LEAD, lacks, why_not
from bgmail.service.turns import Finished, write
from bgmail.service.vacations import Vacation
from bgmail.service.views import MatchView, view_of
from bgmail.store import matches, people
from bgmail.store import vacations as rows
from bgmail.store.engine import Store

AT_ONCE = 20
"""Matches that one transaction writes to."""
MOST_ROUNDS = 20
_RUNS = (matches.match.c.started_at.is_not(None), matches.match.c.finished_at.is_(None))

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Effect:
    """What a vacation does to a match. `why_not` is None where it holds it. `before` and `after` are the deadlines
    without and with it: where its owner isn't on the clock it moves none now, but holds the next turn."""

    view: MatchView
    why_not: str | None
    before: datetime | None
    after: datetime | None


def running(store: Store, account_id: int) -> Iterator[MatchView]:
    """All running matches of a person, by id, a page of them at a time; one that can't be read is left out."""
    after = ""
    while True:
        page = _page(store, account_id, after)
        for row in page:
            if (view := _read(row)) is not None:
                yield view
        if len(page) < AT_ONCE:
            return
        after = page[-1]["id"]


def between(connection: Connection, one: int, other: int) -> list[MatchView]:
    """The running matches of two people, by id; at most a page of them."""
    match = matches.match
    query = matches.VIEWS.where(matches.seated(one), matches.seated(other), *_RUNS)
    rows = connection.execute(query.order_by(match.c.id).limit(AT_ONCE)).mappings()
    return [view_of(row) for row in rows]


def effects(store: Store, one: Vacation) -> list[Effect]:
    """What a vacation does, or would do, to each running match of its owner: the held ones first, then by deadline."""
    found = [_effect(view, one) for view in running(store, one.account_id)]
    never = datetime.max.replace(tzinfo=UTC)
    return sorted(found, key=lambda each: (each.why_not is not None, each.before or never, each.view.id))


def _effect(view: MatchView, one: Vacation) -> Effect:
    side, reason = view.side_of(one.account_id), why_not(view)
    if side is None or reason is not None or view.clock.on != side:
        return Effect(view, reason, view.deadline_at, view.deadline_at)
    before, after = (
        replace(view, rests=view.rests.with_vacation(side, one.start, end)) for end in (one.start, one.end)
    )
    return Effect(view, None, *(timing.deadline(each.clock, each.running_pauses) for each in (before, after)))


def spread(store: Store, vacation_id: int, now: datetime, chance: Chance) -> int:
    """Brings what a vacation's row says into every log that doesn't say it; how many were written to.

    Safe to repeat: a log that knows is left alone. A match that moved meanwhile is looked at again.
    """
    written = 0
    for _ in range(MOST_ROUNDS):
        with store.read() as connection:
            row = rows.by_id(connection, vacation_id)
        if row is None:
            break
        one = vacations.vacation_of(row)
        late = [view for view in running(store, one.account_id) if lacks(view, one)]
        if not late:
            _know(store, one, row.wave)
            break
        for start in range(0, len(late), AT_ONCE):
            batch = [_draft(view, one, now, chance) for view in late[start : start + AT_ONCE]]
            written += _write(store, batch)
    return written


def _know(store: Store, one: Vacation, wave: int) -> None:
    with store.write() as connection:
        people.hold(connection, one.account_id)
        rows.told(connection, one.id, wave)
        rows.note_rests(connection, one.account_id)


def spread_all(store: Store, account_id: int, now: datetime, chance: Chance) -> int:
    """The same for all vacations of a person that logs have to be told of."""
    with store.read() as connection:
        late = [row.id for row in rows.of(connection, account_id) if row.told < row.wave]
    return sum(spread(store, vacation_id, now, chance) for vacation_id in late)


def _page(store: Store, account_id: int, after: str) -> Sequence[RowMapping]:
    match = matches.match
    query = matches.VIEWS.where(matches.seated(account_id), *_RUNS, match.c.id > after)
    with store.read() as connection:
        return connection.execute(query.order_by(match.c.id).limit(AT_ONCE)).mappings().all()


def _read(row: RowMapping) -> MatchView | None:
    try:
        return view_of(row)
    except Exception:
        log.exception("match %s can't be read, so no vacation is written to its log", row["id"])
        return None


def _draft(view: MatchView, one: Vacation, now: datetime, chance: Chance) -> Finished:
    """The match with its entry. No die is drawn, so neither nonces nor secrets are needed."""
    draft = Draft(view, str, {}, chance, now)
    respites.add_entry(draft, one)
    return Finished.of(draft, None)


def _write(store: Store, ready: Sequence[Finished]) -> int:
    """Writes to matches that haven't moved meanwhile, in one transaction; how many those were."""
    with store.write() as connection:
        won = [each for each in ready if each.advance(connection)]
        write(connection, won)
    return len(won)


def step(store: Store, now: datetime, chance: Chance) -> str | None:
    """One thing that is due: a log to be told, or a vacation that is over; None = nothing is."""
    with store.read() as connection:
        late = rows.untold(connection)
    if late is not None:
        return f"told {spread(store, late.id, now, chance)} of vacation {late.id}"
    with store.read() as connection:
        over = rows.over(connection, now)
    return None if over is None else _end(store, vacations.vacation_of(over), now, chance)


def _end(store: Store, one: Vacation, now: datetime, chance: Chance) -> str:
    if one.automatic and _is_needed(store, one) and (longer := respites.go_on(store, one)):
        return f"one day more of vacation {one.id}, told {spread(store, longer.id, now, chance)}"
    return f"{'ended' if respites.run_out(store, one, now) else 'looked at'} vacation {one.id}"


def _is_needed(store: Store, one: Vacation) -> bool:
    """Whether its owner would lose on time, in a match that it holds, as soon as it ends."""
    return any(
        view.match.on_turn is view.side_of(one.account_id)
        and view.deadline_at is not None
        and view.deadline_at <= one.end + LEAD
        and why_not(view) is None
        for view in running(store, one.account_id)
    )
