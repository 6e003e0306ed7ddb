"""Rule sets as plain data and back, every value checked: what logs, rows, forms and the API carry.

A known rule set is its name; one of somebody's own is an object with all its values, so that a match never depends
on what its owner does to it later.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from bgmail.rules.ruleset import (
    CLUB,
    MAX_CUBE,
    MAX_LENGTH,
    MAX_WAGER,
    PRESETS,
    STANDARD,
    Resignation,
    RuleSet,
    Timeout,
)

KNOWN: Mapping[str, RuleSet] = {**PRESETS, STANDARD.name: STANDARD}
MOST_NAME = 40
MOST_TIME_NAME = 40
CUBES = tuple(2**power for power in range(1, MAX_CUBE.bit_length()))
INACTIVITY = (30, 7200)
"""Seconds, from and to; 0 = no limit."""
MOST_GIVEN_BACK = 20


class BadRuleSet(ValueError):
    """A rule set that can't be played by.

    `code` is a word ("unknown", "missing", "type", "range", "choice", "name", "taken"), `field` the value it is about,
    and `values` say what would do: `least` and `most`, or `known`.
    """

    def __init__(self, code: str, field: str, **values: object) -> None:
        self.code = code
        self.field = field
        self.values = values
        details = ", ".join(f"{key} {value}" for key, value in values.items())
        super().__init__(f"{field}: {code}{f' ({details})' if details else ''}")


def to_data(rules: RuleSet) -> dict[str, Any]:
    """All values of a rule set: texts, numbers, true and false, and the lengths in order."""
    data = {field.name: getattr(rules, field.name) for field in fields(rules)}
    return {
        **data,
        "lengths": sorted(rules.lengths),
        "resignation": rules.resignation.value,
        "timeout": rules.timeout.value,
    }


def from_data(data: object) -> RuleSet:
    """The rule set of such an object; what is left out is as in the club's rules, but for the name.

    Raises BadRuleSet for a value of another type or out of bounds, and for the name of a known rule set.
    """
    if not isinstance(data, Mapping):
        raise BadRuleSet("type", "rules")
    if unknown := sorted(str(field) for field in data if field not in _READ):
        raise BadRuleSet("unknown", unknown[0])
    if "name" not in data:
        raise BadRuleSet("missing", "name")
    given = {field: _READ[field](field, value) for field, value in data.items()}
    return RuleSet(**{**_CLUB, **given})


def told(rules: RuleSet) -> str | dict[str, Any]:
    """How a rule set is written down: a known one by its name, any other as a whole."""
    return rules.name if KNOWN.get(rules.name) == rules else to_data(rules)


def meant(value: object) -> RuleSet:
    """The rule set that `told` wrote. Raises BadRuleSet, for a name that isn't known too."""
    if not isinstance(value, str):
        return from_data(value)
    known = KNOWN.get(value)
    if known is None:
        raise BadRuleSet("choice", "rules", known=", ".join(PRESETS))
    return known


def clean_name(text: str) -> str:
    """A name for a rule set of one's own, without needless blanks. Raises BadRuleSet."""
    name = " ".join(text.split()) if text.isprintable() else ""
    if not 0 < len(name) <= MOST_NAME:
        raise BadRuleSet("name", "name", most=MOST_NAME)
    if _key(name) in _TAKEN:
        raise BadRuleSet("taken", "name", name=name)
    return name


def _key(name: str) -> str:
    """A name as it is compared: nobody's own rules look like known ones."""
    return unicodedata.normalize("NFKC", name).casefold().replace(" ", "-")


_TAKEN = frozenset(KNOWN)


def _name(field: str, value: object) -> str:
    if type(value) is not str:
        raise BadRuleSet("type", field)
    return clean_name(value)


def _lengths(field: str, value: object) -> frozenset[int]:
    if not isinstance(value, (list, tuple, frozenset, set)):
        raise BadRuleSet("type", field)
    if not value:
        raise BadRuleSet("missing", field)
    return frozenset(_within(field, length, 0, MAX_LENGTH) for length in value)


def _flag(field: str, value: object) -> bool:
    if type(value) is not bool:
        raise BadRuleSet("type", field)
    return value


def _within(field: str, value: object, least: int, most: int) -> int:
    if type(value) is not int:
        raise BadRuleSet("type", field)
    if not least <= value <= most:
        raise BadRuleSet("range", field, least=least, most=most)
    return value


def _number(least: int, most: int) -> Callable[[str, object], int]:
    return lambda field, value: _within(field, value, least, most)


def _cube_limit(field: str, value: object) -> int:
    if type(value) is not int:
        raise BadRuleSet("type", field)
    if value not in CUBES:
        raise BadRuleSet("choice", field, known=", ".join(map(str, CUBES)))
    return value


def _inactivity(field: str, value: object) -> int:
    return 0 if type(value) is int and value == 0 else _within(field, value, *INACTIVITY)


def _word(kind: type[Resignation] | type[Timeout]) -> Callable[[str, object], Resignation | Timeout]:
    def read(field: str, value: object) -> Resignation | Timeout:
        for one in kind:
            if value == one.value:
                return one
        raise BadRuleSet("choice", field, known=", ".join(one.value for one in kind))

    return read


def _time(field: str, value: object) -> str:
    if type(value) is not str:
        raise BadRuleSet("type", field)
    if len(value) > MOST_TIME_NAME or not value.isprintable():
        raise BadRuleSet("name", field, most=MOST_TIME_NAME)
    return value


_READ: Mapping[str, Callable[[str, object], Any]] = {
    "name": _name,
    "lengths": _lengths,
    "triple": _flag,
    "cube": _flag,
    "cube_limit": _cube_limit,
    "dead_cube_refused": _flag,
    "crawford": _flag,
    "resignation": _word(Resignation),
    "least_waste": _flag,
    "forced_plays": _flag,
    "most_wager": _number(1, MAX_WAGER),
    "timeout": _word(Timeout),
    "claimed": _flag,
    "bank_per_game": _flag,
    "inactivity": _inactivity,
    "given_back": _number(0, MOST_GIVEN_BACK),
    "given_back_percent": _number(1, 100),
    "time": _time,
}
_CLUB = {field.name: getattr(CLUB, field.name) for field in fields(CLUB)}
