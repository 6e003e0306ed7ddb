"""What the pages of the known rule sets say beside their values: what each is for, what it takes from the club rules
because its rulebook is silent, what none of them plays, and how a casino deals with real dice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bgmail.phrases.account import topic
from bgmail.phrases.rulebook import rule_facts
from bgmail.phrases.translate import lazy_gettext as _
from bgmail.rules.ruleset import DEFAULT

INTRODUCTIONS: Mapping[str, Any] = {
    "club": _("Our own rules: any length, the cube, and a move a day."),
    "federation": _(
        "How federations play: odd lengths, the cube, the Crawford game, and resigning by position."
    ),
    "five-point": _(
        "Short matches of one length, live with eight minutes each or a turn at a time over days."
    ),
    "claim": _("Games without a cube, in which no pip may be wasted and a win on time has to be claimed."),
    "house": _("A casino’s game: a wager that gammon, backgammon and the cube multiply."),
}

SILENT: Mapping[str, tuple[str, ...]] = {
    "five-point": ("resignation", "timeout", "answer-late"),
    "claim": ("opening-roll", "opening-tie", "lengths"),
    "house": ("larger-die", "redouble", "lengths", "resignation", "timeout"),
}
"""By rule set: the values and topics of which its rulebook says nothing, so that the club's hold."""

HANDS: tuple[Any, ...] = (
    _("Each player has two dice and a cup; the dice are thrown out of the cup."),
    _("A first roll settles colour, seat, dice and who begins."),
    _("A die that isn’t lying flat is cocked, and the throw is repeated."),
    _("Anyone may have the dice mixed: all four go into one cup, and the other side picks first."),
    _(
        "Dice are touched only when they lie still, and thrown when the other side has finished; else thrown again."
    ),
    _("Picking up the dice ends the turn. Whether numbers left over must be played, the other side decides."),
    _(
        "A board that was set up wrongly is put right at once, a wrong play until the next throw and not after."
    ),
)
"""House rules at a real table."""


@dataclass(frozen=True, slots=True)
class Custom:
    """Something that people know from elsewhere and look for here in vain."""

    anchor: str
    name: Any
    says: Any


NOT_PLAYED: tuple[Custom, ...] = (
    Custom(
        "beavers",
        _("Beavers and raccoons"),
        _(
            "Taking a double, turning the cube at once and keeping it. Here who takes waits for a turn of their own."
        ),
    ),
    Custom(
        "automatic-doubles",
        _("Automatic doubles"),
        _("A tie in the opening roll is rolled again, and the cube stays where it is: only players turn it."),
    ),
    Custom(
        "jacoby",
        _("Jacoby rule"),
        _("Gammons and backgammons count here from the first roll, whether somebody has doubled or not."),
    ),
    Custom(
        "settlements",
        _("Settlements"),
        _(
            "No game ends for a part of its points or is called off: it is played out, passed, resigned or timed out."
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Filled:
    """What the club rules say where a rulebook says nothing. `name` is "" where the sentence speaks for itself."""

    name: str
    says: str


def filled(name: str) -> list[Filled]:
    """What a rule set takes from the club rules."""
    usual = {fact.field: fact for fact in rule_facts(DEFAULT)}
    return [
        Filled(usual[one].name, usual[one].says) if one in usual else Filled("", topic(one))
        for one in SILENT.get(name, ())
    ]
