"""Words about standing orders and prepared replies: why a wish is not taken, and what was done by one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bgmail.phrases.translate import gettext, lazy_gettext

ORDERS: Mapping[str, Any] = {
    "most_a_day": lazy_gettext("Turns a day are a whole number from 1 to %(most)s, or empty for any number."),
    "order_answer": lazy_gettext("The next double can be taken or passed, and nothing else."),
    "no_prepared": lazy_gettext("There is no such prepared reply any more."),
    "prepare_not_now": lazy_gettext("Nothing can be prepared at this point of the game."),
    "prepare_on_turn": lazy_gettext("It is your turn: play, and prepare for your opponent's answer then."),
    "prepare_whose": lazy_gettext("There it isn't your turn yet, so there is nothing to reply to."),
    "prepare_step": lazy_gettext(
        "“%(step)s” can't be read. A step is such as roll 6-1, play 13/7 8/7, double, take or pass."
    ),
    "prepare_impossible": lazy_gettext("“%(step)s” isn't possible there."),
    "prepare_ends": lazy_gettext("The game would be over there: nothing can be prepared beyond its end."),
    "prepare_deep": lazy_gettext("A line has at most %(most)s steps."),
    "prepare_many": lazy_gettext("In one match at most %(most)s replies are kept. Delete one first."),
}


def wish_note(kind: str, by: str, *, yours: bool) -> str:
    """How something came about that the server did by somebody's wish, told to them or to others."""
    if not yours:
        return gettext("prepared beforehand") if by == "prepared" else gettext("by a standing order")
    if by == "prepared":
        return gettext("as you had prepared")
    return gettext("played for you") if kind == "play" else gettext("done for you")
