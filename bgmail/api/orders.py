"""Standing orders and prepared replies: one's own, and nobody else's."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from bgmail.api.auth import Caller
from bgmail.api.body import judged, read_json
from bgmail.api.operations import Operation, offer
from bgmail.api.order_models import (
    OrdersForAll,
    OrdersForMatch,
    Prepare,
    PreparedReplies,
    ShownMatchOrders,
    ShownOrders,
)
from bgmail.service import matches, orders, prepared
from bgmail.service.errors import Forbidden, NotFound
from bgmail.service.orders import Chosen
from bgmail.service.prepared import Told, written
from bgmail.service.views import MatchView
from bgmail.world import world

FOR_ALL = ("auto_roll", "bear_off", "shut_out", "most_a_day")
LARGEST_ID = 2**31 - 1
Answered = dict[str, Any]


@offer(Operation("GET", "/orders", "show_orders", "Your standing orders for all matches", ShownOrders))
def show(caller: Caller) -> Answered:
    """What holds in every match that has no order of its own."""
    return _for_all(orders.for_all(world().store, caller.account_id))


@offer(
    Operation(
        "PUT",
        "/orders",
        "order",
        "Give standing orders for all matches",
        ShownOrders,
        body=OrdersForAll,
        problems=(400, 422),
    )
)
def order(caller: Caller) -> Answered:
    """They replace those before, and count from the next hand-over on."""
    wish = judged(OrdersForAll, read_json())
    orders.order_for_all(world().store, caller.account_id, Chosen(**wish.model_dump()))
    return _for_all(orders.for_all(world().store, caller.account_id))


@offer(
    Operation(
        "GET",
        "/matches/<id>/orders",
        "show_match_orders",
        "Your standing orders for one match",
        ShownMatchOrders,
        problems=(403, 404),
    )
)
def show_for_match(caller: Caller, id: str) -> Answered:  # noqa: A002 - the word of the path
    """null is as for all matches."""
    view = _own(caller, id)
    return asdict(orders.for_match(world().store, view, caller.account_id))


@offer(
    Operation(
        "PUT",
        "/matches/<id>/orders",
        "order_in_match",
        "Give standing orders for one match",
        ShownMatchOrders,
        body=OrdersForMatch,
        problems=(400, 403, 404, 422),
    )
)
def order_for_match(caller: Caller, id: str) -> Answered:  # noqa: A002
    """They replace those before. The opponent sees nothing of them until one is obeyed."""
    view = _own(caller, id)
    wish = judged(OrdersForMatch, read_json()).model_dump()
    chosen = Chosen(**{**wish, "double_on_dance": bool(wish["double_on_dance"])})
    orders.order_for_match(world().store, view, caller.account_id, chosen)
    return asdict(orders.for_match(world().store, _own(caller, id), caller.account_id))


@offer(
    Operation(
        "GET",
        "/matches/<id>/prepared",
        "show_prepared",
        "Your prepared replies in a match",
        PreparedReplies,
        problems=(403, 404),
    )
)
def show_prepared(caller: Caller, id: str) -> Answered:  # noqa: A002
    """What no longer fits is gone: a reply is bound to a version and a position."""
    return _replies(caller, id)


@offer(
    Operation(
        "POST",
        "/matches/<id>/prepared",
        "prepare",
        "Prepare a reply to exactly what your opponent may do",
        PreparedReplies,
        status=201,
        body=Prepare,
        problems=(400, 403, 404, 409, 422),
    )
)
def prepare(caller: Caller, id: str) -> tuple[Answered, int]:  # noqa: A002
    """In place of another reply to the same. Your own steps on the way are kept as replies too."""
    here, view = world(), _own(caller, id)
    wish = judged(Prepare, read_json())
    prepared.prepare(here.store, view, caller.account_id, wish.version, wish.when, wish.then, here.now())
    return _replies(caller, id), 201


@offer(
    Operation(
        "DELETE",
        "/matches/<id>/prepared",
        "forget_prepared",
        "Forget all your prepared replies in a match",
        PreparedReplies,
        problems=(403, 404, 422),
    )
)
def forget_all(caller: Caller, id: str) -> Answered:  # noqa: A002
    """Nothing is prepared any more."""
    prepared.forget(world().store, _own(caller, id), caller.account_id)
    return _replies(caller, id)


@offer(
    Operation(
        "DELETE",
        "/matches/<id>/prepared/<reply>",
        "forget_one_prepared",
        "Forget a prepared reply, and all that follow from it",
        PreparedReplies,
        problems=(403, 404, 422),
    )
)
def forget_one(caller: Caller, id: str, reply: str) -> Answered:  # noqa: A002
    """`reply` is its id."""
    view = _own(caller, id)
    number = int(reply) if reply.isascii() and reply.isdigit() and len(reply) < 11 else 0
    if not 0 < number <= LARGEST_ID:
        raise NotFound("no_prepared")
    prepared.forget(world().store, view, caller.account_id, number)
    return _replies(caller, id)


def _replies(caller: Caller, match_id: str) -> Answered:
    view = _own(caller, match_id)
    kept = prepared.mine(world().store, view, caller.account_id)
    return {
        "version": view.version,
        "replies": [
            {"id": one.id, "when": [_step(told) for told in one.when], "then": written(one.then)}
            for one in kept
        ],
    }


def _own(caller: Caller, match_id: str) -> MatchView:
    """A match in which the caller sits. Raises NotFound for one that they may not know of, Forbidden."""
    view = matches.visible(world().store, match_id, caller.account_id)
    if view.side_of(caller.account_id) is None:
        raise Forbidden("not_your_match")
    return view


def _for_all(chosen: Chosen) -> Answered:
    return {name: getattr(chosen, name) for name in FOR_ALL}


def _step(told: Told) -> Answered:
    return {"side": told.side.word, "step": written(told)}
