"""The part of a form in which somebody chooses rules and a length, and changes known rules into rules of their own: in
those of invitations, tournaments and leagues.

Every field may be left as it is in the rules chosen above it; whatever is filled in makes new rules, which need a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from bgmail.phrases.comparison import COSTS, WAYS, short_lengths
from bgmail.phrases.own_rules import closest, label
from bgmail.phrases.terms import rules_name
from bgmail.phrases.translate import gettext as _
from bgmail.phrases.translate import lazy_gettext
from bgmail.rules.ruledata import (
    CUBES,
    INACTIVITY,
    KNOWN,
    MOST_GIVEN_BACK,
    MOST_NAME,
    BadRuleSet,
    to_data,
    told,
)
from bgmail.rules.ruleset import CLUB, DEFAULT, FEDERATION, MAX_WAGER, PRESETS, RuleSet
from bgmail.service.errors import Refused

PREFIX = "own-"
NAME = f"{PREFIX}name"
YES, NO = "yes", "no"
THIS, ANY, ODD = "this", "any", "odd"
FLAGS = (
    "triple", "cube", "dead_cube_refused", "crawford", "least_waste", "forced_plays", "claimed", "bank_per_game",
)  # fmt: skip
NUMBERS: Mapping[str, tuple[int, int]] = {
    "most_wager": (1, MAX_WAGER),
    "inactivity": (0, INACTIVITY[1]),
    "given_back": (0, MOST_GIVEN_BACK),
    "given_back_percent": (1, 100),
}
"""The values that are typed, from and to. What lies between is judged by the rules."""
HINTS: Mapping[str, Any] = {
    "most_wager": lazy_gettext("Points a game; 1 = no wager"),
    "inactivity": lazy_gettext("Seconds, live only; 0 = no limit"),
    "given_back": lazy_gettext("Times a match after a lost connection; 0 = never"),
    "given_back_percent": lazy_gettext("Of the bank used while the connection was lost"),
}
ORDER = (
    "lengths", "triple", "most_wager", "cube", "cube_limit", "dead_cube_refused", "crawford", "resignation", "timeout",
    "claimed", "bank_per_game", "given_back", "given_back_percent", "inactivity", "least_waste", "forced_plays",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Choice:
    """Rules to choose: what they are called, whether they have a wager, and their lengths where those aren't all: in
    words, and in numbers for the script."""

    value: str
    label: str
    has_wager: bool = False
    only: str = ""
    lengths: str = ""

    @classmethod
    def of(cls, value: str, rules: RuleSet) -> Choice:
        """One of the list; `value` is what the form calls it."""
        limited = rules.lengths != DEFAULT.lengths
        return cls(
            value,
            rules_name(rules.name),
            rules.most_wager > 1,
            short_lengths(rules.lengths) if limited else "",
            " ".join(map(str, sorted(rules.lengths))) if limited else "",
        )


def rule_sets() -> list[Choice]:
    """The known rules."""
    return [Choice.of(name, rules) for name, rules in PRESETS.items()]


@dataclass(frozen=True, slots=True)
class Field:
    """One value as the form asks for it: a list of choices, or a number from `least` to `most`."""

    name: str
    label: str
    value: str
    choices: tuple[tuple[str, str], ...] = ()
    least: int = 0
    most: int = 0
    hint: str = ""


@dataclass(frozen=True, slots=True)
class OwnRules:
    """What somebody filled in: texts by field, "" where a value is left as it is. `name` is that of the new rules."""

    most_name: ClassVar[int] = MOST_NAME
    name: str = ""
    values: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def posted(cls, sent: Mapping[str, str]) -> OwnRules:
        """What was sent."""
        found = {one: sent.get(f"{PREFIX}{one}", "").strip() for one in ORDER}
        return cls(sent.get(NAME, "").strip(), {one: text for one, text in found.items() if text})

    @classmethod
    def of(cls, rules: RuleSet) -> tuple[str, OwnRules]:
        """The known rules that such rules are made of, and the changes, to offer them again."""
        if KNOWN.get(rules.name) == rules:
            return rules.name, cls()
        base = closest(rules)
        changed = {one: _written(rules, one) for one in ORDER if getattr(rules, one) != getattr(base, one)}
        return base.name, cls(rules.name, changed)

    def __bool__(self) -> bool:
        return bool(self.name or self.values)

    def rules(self, chosen: str, length: int, known: Mapping[str, RuleSet] = PRESETS) -> str | dict[str, Any]:
        """The rules to offer: those of the `known` that were chosen, or these as a whole. Raises Refused."""
        base = known.get(chosen)
        if base is None:
            return chosen
        if not self:
            return told(base)
        try:
            changed = {one: _read(one, text, length) for one, text in self.values.items()}
        except BadRuleSet as error:
            raise Refused("rule_set", field=error.field) from error
        return {**to_data(base), **changed, "name": self.name}

    def fields(self) -> list[Field]:
        """What the form asks for, in its order."""
        return [_field(one, self.values.get(one, "")) for one in ORDER]


def settled(
    chosen: str, own: OwnRules, length: int | None, usual: int, known: Mapping[str, RuleSet] = PRESETS
) -> tuple[int, str | dict[str, Any]]:
    """The length and the rules to offer. `length` None: nobody named one, so it is the `usual` one, or the nearest to
    it that the rules allow. Raises Refused."""
    if length is not None:
        return length, own.rules(chosen, length, known)
    nearest = known[chosen].nearest_length(usual) if chosen in known else usual
    rules = own.rules(chosen, nearest, known)
    if not isinstance(rules, str):  # the lengths may be others than those of the chosen ones
        nearest = replace(CLUB, lengths=frozenset(rules["lengths"])).nearest_length(usual)
    return nearest, rules


def _field(name: str, value: str) -> Field:
    asked = f"{PREFIX}{name}"
    called = _("Highest wager") if name == "most_wager" else label(name)
    if name == "lengths":
        called = _("For matches of")
    if name in NUMBERS:
        least, most = NUMBERS[name]
        return Field(asked, called, value, least=least, most=most, hint=str(HINTS[name]))
    if name == "dead_cube_refused":
        return Field(asked, called, value, (("", ""), (NO, _("yes")), (YES, _("no"))))
    return Field(asked, called, value, (("", ""), *_choices(name)))


def _choices(name: str) -> list[tuple[str, str]]:
    if name in FLAGS:
        return [(YES, "3"), (NO, "2")] if name == "triple" else [(YES, _("yes")), (NO, _("no"))]
    if name == "cube_limit":
        return [(str(cube), _("to %(limit)s", limit=cube)) for cube in CUBES]
    if name == "resignation":
        return [(way.value, str(words)) for way, words in WAYS.items()]
    if name == "timeout":
        return [(cost.value, str(words)) for cost, words in COSTS.items()]
    return [
        (THIS, _("the length chosen above")),
        (ODD, _("odd lengths to 15")),
        (ANY, _("any length, and sessions")),
    ]


def _read(name: str, text: str, length: int) -> Any:
    """A value as rules have it. Raises BadRuleSet."""
    if name in FLAGS:
        if text not in (YES, NO):
            raise BadRuleSet("type", name)
        return text == YES
    if name in NUMBERS or name == "cube_limit":
        if not (text.isascii() and text.isdigit() and len(text) < 6):
            raise BadRuleSet("type", name)
        return int(text)
    if name == "lengths":
        offered = {THIS: [length], ODD: sorted(FEDERATION.lengths), ANY: sorted(CLUB.lengths)}
        if text not in offered:
            raise BadRuleSet("type", name)
        return offered[text]
    return text


def _written(rules: RuleSet, name: str) -> str:
    """A value as the form has it."""
    value = getattr(rules, name)
    if name in FLAGS:
        return YES if value else NO
    if name == "lengths":
        return {CLUB.lengths: ANY, FEDERATION.lengths: ODD}.get(value, THIS)
    return str(value) if type(value) is int else str(value.value)
