"""Rules that somebody made: the known ones closest to them, what differs, and what is wrong with some."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bgmail.phrases.comparison import LINES
from bgmail.phrases.facts import Fact
from bgmail.phrases.rulebook import differences, rule_facts
from bgmail.phrases.terms import rules_name
from bgmail.phrases.translate import gettext, lazy_gettext
from bgmail.rules.ruledata import KNOWN, BadRuleSet
from bgmail.rules.ruleset import PRESETS, RuleSet

OF_THE_MATCH = frozenset({"lengths", "time", "most_wager"})
"""Values that only say what may be chosen: a match has its length, its time and its wager already."""

WRONG: Mapping[str, Any] = {
    "unknown": lazy_gettext("Rules have no value called “%(field)s”."),
    "missing": lazy_gettext("Something is missing: %(field)s."),
    "type": lazy_gettext("%(field)s: that can’t be read."),
    "range": lazy_gettext("%(field)s: a whole number from %(least)s to %(most)s."),
    "choice": lazy_gettext("%(field)s: one of %(known)s."),
    "name": lazy_gettext("%(field)s: 1 to %(most)s plain characters."),
    "taken": lazy_gettext("“%(name)s” is the name of known rules. Give yours another."),
}


@dataclass(frozen=True, slots=True)
class Likeness:
    """Rules of somebody's own beside the known ones closest to them: what differs, and what is the same."""

    own: str
    like: str
    differs: tuple[Fact, ...]
    same: tuple[Fact, ...]


def likeness(rules: RuleSet) -> Likeness | None:
    """What there is to say about the rules of a match before somebody accepts them; None for known rules."""
    if KNOWN.get(rules.name) == rules:
        return None
    like = closest(rules)
    facts = [fact for fact in rule_facts(rules) if fact.field not in OF_THE_MATCH]
    other = {(fact.field, fact.says) for fact in differences(rules, like)}
    return Likeness(
        rules.name,
        like.name,
        tuple(fact for fact in facts if (fact.field, fact.says) in other),
        tuple(fact for fact in facts if (fact.field, fact.says) not in other),
    )


def closest(rules: RuleSet) -> RuleSet:
    """The known rule set from which these differ in the fewest values, the first of several. Whether a game is played
    for a wager counts as one: without it nobody thinks of the rules that are known for it."""
    fields = [field for field in LINES if field not in OF_THE_MATCH]

    def distance(one: RuleSet) -> int:
        differs = [getattr(one, field) != getattr(rules, field) for field in fields]
        return sum([*differs, (one.most_wager > 1) != (rules.most_wager > 1)])

    return min(PRESETS.values(), key=distance)


def heading(found: Likeness) -> str:
    """The line above what differs."""
    if found.differs:
        return gettext("Like %(rules)s, but:", rules=rules_name(found.like))
    return gettext("The same as %(rules)s, under another name.", rules=rules_name(found.like))


def label(field: str) -> str:
    """What a value of a rule set is called."""
    if field == "name":
        return gettext("Name of the rules")
    if field == "given_back_percent":
        return gettext("Part given back, in per cent")
    return str(LINES[field][0]) if field in LINES else field


def wrong(error: BadRuleSet) -> str:
    """What is the matter with rules that nobody can play by."""
    values = {**error.values, "field": label(error.field)}
    return str(WRONG[error.code]) % values
