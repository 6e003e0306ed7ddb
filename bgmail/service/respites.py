"""What keeps a deadline from being missed because its owner is on vacation: one that the log doesn't know of yet, or
one that begins by itself and goes on for a day at a time. And how vacations end without their owner's word: with a
play, or because the days are used up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from bgmail import timing
from bgmail.rules.action import Kind as Act
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import vacations
from bgmail.service.draft import Draft
from bgmail.service.notices import Kind, fact, owe
from bgmail.service.vacations import Vacation
from bgmail.service.views import MatchView
from bgmail.store import people
from bgmail.store import vacations as rows
from bgmail.store.engine import Store
from bgmail.timing.balance import reach

A_DAY = timedelta(days=1)
LEAD = timedelta(seconds=1)
"""How long before the deadline a vacation begins that begins by itself: so much is left when it ends."""
MOST_DAYS = 100
"""More than two years of vacation have: a loop that adds days ends."""
PLAYS = frozenset({Act.PLAY, Act.TAKE, Act.PASS, Act.ACCEPT_RESIGNATION, Act.DECLINE_RESIGNATION})
"""What counts as a play that ends a vacation: whatever hands the turn on, or answers."""

Also = Callable[[Connection], None]


def why_not(view: MatchView) -> str | None:
    """Why a vacation doesn't hold a match ("untimed", "live", "forbidden"); None: it does."""
    if view.clock.control.untimed:
        return "untimed"
    if view.clock.control.pace == "live":
        return "live"
    return None if view.rests.allowed.vacation else "forbidden"


def lacks(view: MatchView, one: Vacation) -> bool:
    """Whether a vacation holds a match whose log doesn't say so, or says something else of it."""
    side = view.side_of(one.account_id)
    if side is None or view.match.phase in (Phase.INVITED, Phase.OVER) or why_not(view) is not None:
        return False
    told = next((span for span in view.rests.sides[side].vacation if span[0] == one.start), None)
    if told is not None:
        return told[1] != one.end
    since = view.clock.since or one.start
    return one.start < one.end and one.end > since


def add_entry(draft: Draft, one: Vacation) -> None:
    """Writes in a draft what its log has to say of a vacation."""
    side = draft.view.side_of(one.account_id)
    if side is not None:
        span = {"from": timing.to_microseconds(one.start), "until": timing.to_microseconds(one.end)}
        draft.pause({"side": side.word, "why": "vacation", **span})


def hold(store: Store, draft: Draft) -> bool:
    """Adds to a match whose time is over what a vacation of the side on turn has to do with it.

    True: its time isn't over after all. What is added stays true where it is.
    """
    side = draft.view.match.on_turn
    person = draft.view.person(side) if side is not None else None
    if person is None or not person.rests or why_not(draft.view) is not None or draft.view.match.late:
        return False
    with store.read() as connection:
        found = vacations.all_of(connection, person.id)
    for one in found:
        if lacks(_now(draft), one):
            add_entry(draft, one)
    for _ in range(MOST_DAYS):
        deadline = _deadline(draft)
        if deadline is None or deadline > draft.now:
            return bool(draft.entries)
        begun = begin(store, person.id, draft.view.id, deadline, draft.now) if _could_move(draft) else None
        if begun is None:
            return False
        add_entry(draft, begun)
    return False


def _deadline(draft: Draft) -> datetime | None:
    return timing.deadline(draft.clock, _now(draft).running_pauses)


def _could_move(draft: Draft) -> bool:
    """Whether a vacation that begins just before the deadline would move it: not where there never was any time."""
    on, deadline = draft.clock.on, _deadline(draft)
    if on is None or deadline is None:
        return False
    rested = draft.rests.with_vacation(on, deadline - LEAD / 2, deadline + LEAD)
    return timing.deadline(draft.clock, replace(_now(draft), rests=rested).running_pauses) != deadline


def begin(store: Store, account_id: int, match_id: str, deadline: datetime, now: datetime) -> Vacation | None:
    """A vacation that keeps a deadline from being missed: a new one, or one day more of the one that has just ended.

    None where its owner doesn't want that, or has no days left.
    """
    with store.write() as connection:
        people.hold(connection, account_id)
        row = people.by_id(connection, account_id)
        if row is None or not row.auto_vacation or row.closed_at or row.banned_at:
            return None
        found = vacations.all_of(connection, account_id)
        last = next((one for one in found if one.automatic and one.ended_at is None), None)
        if last is not None and last.end < deadline <= last.end + LEAD:
            return _longer(connection, last, found)
        return _begun(connection, found, row, match_id, deadline, now)


def _begun(
    connection: Connection,
    found: Sequence[Vacation],
    row: Any,
    match_id: str,
    deadline: datetime,
    now: datetime,
) -> Vacation | None:
    start = max([deadline - LEAD, *(one.end for one in found if one.end < deadline)])
    start, zone = vacations.untaken(found, start), vacations.zone_of(row.time_zone)
    end = min(start + A_DAY, reach(start, [one.taken for one in found], zone))
    if end <= start:
        return None
    made = vacations.add(connection, row.id, start, end, zone, now, automatic=True)
    data = {"vacation": made.id, "match": match_id}
    owe(connection, [fact(Kind.VACATION_BEGUN, now, account_id=row.id, which=str(made.id), data=data)])
    return made


def go_on(store: Store, one: Vacation) -> Vacation | None:
    """One day more of a vacation that began by itself; None where no days are left, or its owner wants no more."""
    with store.write() as connection:
        people.hold(connection, one.account_id)
        row = people.by_id(connection, one.account_id)
        if row is None or not row.auto_vacation:
            return None
        found = vacations.all_of(connection, one.account_id)
        return _longer(connection, one, found) if one in found else None


def _longer(connection: Connection, one: Vacation, found: Sequence[Vacation]) -> Vacation | None:
    others = [each.taken for each in found if each.id != one.id]
    end = min(one.end + A_DAY, reach(one.start, others, one.zone))
    return vacations.lengthen(connection, one, end) if end > one.end else None


def run_out(store: Store, one: Vacation, now: datetime) -> bool:
    """It is over, and its owner is told, once; False where that was noted before, or it has another end by now."""
    with store.write() as connection:
        people.hold(connection, one.account_id)
        if not rows.end(connection, one.id, one.end, now):
            return False
        rows.note_rests(connection, one.account_id)
        data = {"vacation": one.id}
        owe(
            connection,
            [fact(Kind.VACATION_ENDED, now, account_id=one.account_id, which=str(one.id), data=data)],
        )
        return True


def end_by(store: Store, draft: Draft, side: Side, action: str) -> Also | None:
    """Ends the vacation of a person who plays, if they wanted that: in the log of this match, which is added to the
    draft, and by what it returns in the transaction that writes it. Other logs are told later.

    None where no vacation holds the match now, or where the action is no play.
    """
    person, now = draft.view.person(side), draft.now
    held = any(start <= now < end for start, end in draft.view.rests.sides[side].vacation)
    if person is None or not held or action not in PLAYS:
        return None
    with store.read() as connection:
        row = rows.at(connection, person.id, now)
    if row is None or not row.with_play:
        return None
    one = vacations.vacation_of(row)
    ended = replace(one, end=now)
    if lacks(_now(draft), ended):
        add_entry(draft, ended)
    return lambda connection: vacations.stop(connection, one, now, now)


def join(store: Store, draft: Draft) -> None:
    """Adds to a match that begins what its log has to say of the vacations of both."""
    ids = [person.id for person in (draft.view.white, draft.view.black) if person and person.rests]
    with store.read() as connection:
        found = [one for account_id in ids for one in vacations.all_of(connection, account_id)]
    for one in found:
        if lacks(_now(draft), one):
            add_entry(draft, one)


def _now(draft: Draft) -> MatchView:
    """The match as the draft leaves it, as far as pauses are concerned."""
    return replace(draft.view, match=draft.match, clock=draft.clock, rests=draft.rests)
