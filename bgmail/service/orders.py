"""Standing orders: what somebody wants done for them until they say otherwise, in all matches or in one.

The other side learns of an order when it is obeyed, by the log, and never before.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from bgmail.rules.action import Kind
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service.automation import NO_PLANS, PREPARED, Orders, Plans, Prepared
from bgmail.service.errors import Forbidden, Refused
from bgmail.service.views import MatchView
from bgmail.store import orders, people
from bgmail.store.engine import Store

MOST_A_DAY = 100
"""The largest number of turns a day that can be ordered; 0 is any number."""
ANSWERS = ("take", "pass")


@dataclass(frozen=True, slots=True)
class Chosen:
    """What somebody ordered, for all matches or for one; None = nothing: as for all, or as it is by default.

    `answer` ("take", "pass") and `double_on_dance` are for one match alone, and end by themselves.
    """

    auto_roll: bool | None = None
    bear_off: bool | None = None
    shut_out: bool | None = None
    most_a_day: int | None = None
    answer: str | None = None
    double_on_dance: bool = False


NOTHING = Chosen()


def for_all(store: Store, account_id: int) -> Chosen:
    """What somebody ordered for all matches."""
    with store.read() as connection:
        return _chosen(orders.find(connection, account_id, orders.EVERYWHERE))


def for_match(store: Store, view: MatchView, account_id: int) -> Chosen:
    """What somebody ordered for one match alone."""
    if not view.ordered:
        return NOTHING
    with store.read() as connection:
        return _chosen(orders.find(connection, account_id, view.id))


def order_for_all(store: Store, account_id: int, wish: Chosen) -> None:
    """Keeps orders for all matches, those that run and those to come. Raises Refused for a number out of bounds."""
    _check(wish)
    values = {name: getattr(wish, name) for name in ("auto_roll", "bear_off", "shut_out", "most_a_day")}
    with store.write() as connection:
        row = people.by_id(connection, account_id)
        if row is not None and row.closed_at is None:
            orders.keep_for_all(connection, account_id, values)


def order_for_match(store: Store, view: MatchView, account_id: int, wish: Chosen) -> None:
    """Keeps orders for one match. Raises Forbidden for somebody who doesn't sit in it, Refused where it is over."""
    needs_running(view, account_id)
    _check(wish)
    values = {
        "auto_roll": wish.auto_roll,
        "bear_off": wish.bear_off,
        "shut_out": wish.shut_out,
        "most_a_day": wish.most_a_day,
        "answer": wish.answer,
        "double_on_dance": wish.double_on_dance,
    }
    with store.write() as connection:
        orders.mark(connection, view.id)
        orders.keep_for_match(connection, account_id, view.id, values)


def needs_running(view: MatchView, account_id: int) -> Side:
    """The side of somebody in a match that runs. Raises Forbidden, Refused."""
    side = view.side_of(account_id)
    if side is None or view.imported:
        raise Forbidden("not_your_match")
    if view.match.phase is Phase.OVER:
        raise Refused("match_over")
    return side


def unfit(store: Store, view: MatchView, account_id: int) -> bool:
    """Whether nothing that somebody had prepared fitted what the opponent did last."""
    if not view.ordered:
        return False
    with store.read() as connection:
        row = orders.find(connection, account_id, view.id)
    return row is not None and row.unfit == view.version


@dataclass(frozen=True, slots=True)
class Book:
    """The plans of a match as they were read, and what is needed to write them back: each side's day, and the replies
    that were bound to a version that is past."""

    plans: Plans = NO_PLANS
    days: tuple[str, str] = ("", "")
    stale: tuple[int, ...] = ()


EMPTY = Book()


def read(connection: Connection, view: MatchView, now: datetime) -> Book:
    """What the two people of a match ordered and prepared, as it holds at `now`."""
    seats = [view.white.id if view.white else None, view.black.id if view.black else None]
    rows, replies = orders.of_match(connection, view.id, *seats)
    held, days, turns = [], [], []
    for account_id in seats:
        mine = [row for row in rows if row["account_id"] == account_id]
        common = next((row for row in mine if row["match_id"] == orders.EVERYWHERE), None)
        own = next((row for row in mine if row["match_id"] == view.id), None)
        day = _day(now, mine[0]["time_zone"]) if mine else ""
        held.append(effective(_chosen(common), _chosen(own)))
        days.append(day)
        turns.append(own["turns"] if own and own["day"] == day else 0)
    prepared = tuple(
        Prepared(row["id"], Side(seats.index(row["account_id"])), tuple(json.loads(row["steps"])))
        for row in replies
        if row["version"] == view.version and row["account_id"] in seats
    )
    kept = {one.id for one in prepared}
    plans = Plans((held[0], held[1]), prepared, (turns[0], turns[1]))
    return Book(plans, (days[0], days[1]), tuple(row["id"] for row in replies if row["id"] not in kept))


def effective(common: Chosen, own: Chosen) -> Orders:
    """What holds for one match: its own orders, else those for all, else the defaults."""
    usual = Orders()
    most = own.most_a_day if own.most_a_day is not None else common.most_a_day
    return Orders(
        auto_roll=_first(own.auto_roll, common.auto_roll, usual.auto_roll),
        bear_off=_first(own.bear_off, common.bear_off, usual.bear_off),
        shut_out=_first(own.shut_out, common.shut_out, usual.shut_out),
        most_a_day=most or None,
        answer=Kind(own.answer) if own.answer else None,
        double_on_dance=own.double_on_dance,
    )


def settle(
    connection: Connection, book: Book, plans: Plans, view: MatchView, obeyed: frozenset[tuple[Side, str]]
) -> None:
    """Writes down what became of the plans of a match in a step to `view`; `obeyed` are those that were followed."""
    before = book.plans
    for side in Side:
        person = view.person(side)
        changes = _changes(book, plans, view, side, obeyed)
        if person is not None and changes:
            orders.keep_for_match(connection, person.id, view.id, changes)
    left = {one.id: one for one in plans.prepared}
    gone = [one.id for one in before.prepared if one.id not in left] + list(book.stale)
    if gone:
        orders.drop_replies(connection, gone)
    for one in before.prepared:
        if one.id in left and left[one.id] != one:
            steps = json.dumps(left[one.id].steps)
            orders.move_reply(connection, one.id, view.version, steps)


def _changes(
    book: Book, plans: Plans, view: MatchView, side: Side, obeyed: frozenset[tuple[Side, str]]
) -> dict[str, Any]:
    before, after = book.plans.orders[side], plans.orders[side]
    changes: dict[str, Any] = {}
    if after.answer is not before.answer:
        changes["answer"] = None
    if after.double_on_dance != before.double_on_dance:
        changes["double_on_dance"] = after.double_on_dance
    if after.most_a_day is not None and plans.turns[side] != book.plans.turns[side]:
        changes |= {"day": book.days[side], "turns": plans.turns[side]}
    had = any(one.side is side for one in book.plans.prepared)
    waits = view.match.on_turn is side and not any(one.side is side for one in plans.prepared)
    if had and waits and (side, PREPARED) not in obeyed:
        changes["unfit"] = view.version
    return changes


def _chosen(row: Any) -> Chosen:
    if row is None:
        return NOTHING
    values: Mapping[str, Any] = row if isinstance(row, Mapping) else row._mapping
    return Chosen(
        auto_roll=values["auto_roll"],
        bear_off=values["bear_off"],
        shut_out=values["shut_out"],
        most_a_day=values["most_a_day"],
        answer=values["answer"],
        double_on_dance=bool(values["double_on_dance"]),
    )


def _first(*choices: bool | None) -> bool:
    return next(choice for choice in choices if choice is not None)


def _day(now: datetime, zone: str) -> str:
    return now.astimezone(ZoneInfo(zone)).date().isoformat()


def _check(wish: Chosen) -> None:
    if wish.most_a_day is not None and not 0 <= wish.most_a_day <= MOST_A_DAY:
        raise Refused("most_a_day", most=MOST_A_DAY)
    if wish.answer is not None and wish.answer not in ANSWERS:
        raise Refused("order_answer", answer=wish.answer[:40])
