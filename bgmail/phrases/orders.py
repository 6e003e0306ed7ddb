"""Words about standing orders and prepared replies: why a wish is not taken, and what was done by one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from bgmail.phrases.translate import gettext, lazy_gettext
from bgmail.phrases.words import Names
from bgmail.rules.action import Kind
from bgmail.rules.dice import Dice
from bgmail.rules.side import Side

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


class Step(Protocol):
    """One step of a prepared line, as far as it is told."""

    @property
    def side(self) -> Side: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def dice(self) -> Dice | None: ...
    @property
    def play(self) -> str: ...


def step_line(step: Step, names: Names) -> str:
    """A step of a line as it would happen: "bob rolls 6-1", "you play 13/11 6/5"."""
    if step.side is names.you:
        return _own(step)
    values = {"name": names.of(step.side), "dice": str(step.dice or ""), "play": step.play}
    if step.kind is Kind.ROLL:
        return gettext("%(name)s rolls %(dice)s", **values)
    if step.kind is Kind.PLAY:
        danced = gettext("%(name)s has no legal play", **values)
        return gettext("%(name)s plays %(play)s", **values) if step.play else danced
    return {
        Kind.DOUBLE: gettext("%(name)s doubles", **values),
        Kind.TAKE: gettext("%(name)s takes", **values),
    }.get(step.kind, step.kind.value)


def then_line(step: Step, _names: Names) -> str:
    """A reply: "you double"."""
    return gettext("you roll, without doubling") if step.kind is Kind.ROLL else _own(step)


def _own(step: Step) -> str:
    if step.kind is Kind.ROLL:
        return gettext("you roll %(dice)s", dice=str(step.dice or ""))
    if step.kind is Kind.PLAY:
        danced = gettext("you have no legal play")
        return gettext("you play %(play)s", play=step.play) if step.play else danced
    return {
        Kind.DOUBLE: gettext("you double"),
        Kind.TAKE: gettext("you take"),
        Kind.PASS: gettext("you pass"),
    }.get(step.kind, step.kind.value)
