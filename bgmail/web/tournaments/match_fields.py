"""What every match is played on, as the forms of tournaments and leagues ask for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from bgmail import timing
from bgmail.phrases import time_control
from bgmail.rules.ruleset import MAX_WAGER, PRESETS, RuleSet
from bgmail.service.tournaments.conditions import MOST_AT_ONCE
from bgmail.web.rule_form import OwnRules, settled

TEXTS: Mapping[str, str] = {
    "length": "",
    "rules": "club",
    "wager": "",
    "time": timing.DEFAULT,
    "at_once": "0",
}
FLAGS: Mapping[str, bool] = {
    "rated": True,
    "weekends": timing.USUAL.weekends,
    "nights": timing.USUAL.nights,
    "vacation": timing.USUAL.vacation,
}
LIMITS: Mapping[str, tuple[int, int]] = {
    "length": (1, 99),
    "wager": (1, MAX_WAGER),
    "at_once": (0, MOST_AT_ONCE),
}
PAUSES = ("weekends", "nights", "vacation")


@dataclass(frozen=True, slots=True)
class Form:
    """What such a form holds, as it was typed; `usual` and `ticks` are what it is first shown with, and
    `usual_length` is that of the matches where nobody types another and the rules have it."""

    usual: ClassVar[Mapping[str, str]]
    ticks: ClassVar[Mapping[str, bool]] = FLAGS
    usual_length: ClassVar[int]
    texts: Mapping[str, str]
    flags: Mapping[str, bool]
    own: OwnRules = field(default_factory=OwnRules)

    @classmethod
    def fresh(cls, key: str) -> Self:
        """As it is first shown; `key` makes it safe to send twice."""
        return cls({**cls.usual, "key": key}, cls.ticks)

    @classmethod
    def posted(cls, fields: Mapping[str, str]) -> Self:
        """What somebody sent; what is missing is as usual, but for ticks that aren't there."""
        texts = {
            name: fields.get(name, usual).strip().replace("\r\n", "\n") for name, usual in cls.usual.items()
        }
        return cls(texts, {name: name in fields for name in cls.ticks}, OwnRules.posted(fields))

    def length_and_rules(
        self, number: Callable[[str], int], known: Mapping[str, RuleSet] = PRESETS
    ) -> dict[str, Any]:
        """These two conditions, by the rules that are `known` here. Raises Refused, also as `number` does."""
        typed = number("length") if self.texts["length"] else None
        length, rules = settled(self.texts["rules"], self.own, typed, self.usual_length, known)
        return {"length": length, "rules": rules}


def times(length: int, *, timed: bool = False) -> list[tuple[str, str]]:
    """The time controls that have names, with what they say of a match of the usual `length`; only those with a clock
    where matches have to end."""
    names = [name for name in timing.PRESETS if not timed or name != "untimed"]
    return [(name, time_control(timing.resolve(name, length))) for name in names]
