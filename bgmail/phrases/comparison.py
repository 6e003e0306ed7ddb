"""Rule sets side by side: every value in a word or two."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from bgmail import timing
from bgmail.phrases.lapses import POINTS
from bgmail.phrases.terms import time_control
from bgmail.phrases.times import span
from bgmail.phrases.translate import gettext, lazy_gettext
from bgmail.rules.ruleset import Resignation, RuleSet, Timeout

NONE = "–"

WAYS: Mapping[Resignation, Any] = {
    Resignation.OFFER: lazy_gettext("by offer"),
    Resignation.POSITION: lazy_gettext("by position"),
}
COSTS: Mapping[Timeout, Any] = {
    Timeout.MATCH: lazy_gettext("the match"),
    Timeout.GAME: lazy_gettext("the game"),
    Timeout.GAMMON: lazy_gettext("the game, as a gammon"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the comparison: what it is about, and for each rule set its value and whether it is unusual."""

    field: str
    name: str
    cells: tuple[tuple[str, bool], ...]


def comparison(sets: Iterable[RuleSet], usual: RuleSet) -> list[Line]:
    """Every value of the rule sets, each beside the others; unusual = other than in `usual`."""
    found = list(sets)
    return [
        Line(field, str(name), tuple((said(one), said(one) not in (said(usual), NONE)) for one in found))
        for field, (name, said) in LINES.items()
    ]


def short_lengths(lengths: Collection[int]) -> str:
    """Match lengths in few signs: "1–25", "1–15, odd", "5"."""
    points = sorted(length for length in lengths if length)
    whole = f"{points[0]}–{points[-1]}" if len(points) > 1 else "".join(map(str, points))
    if len(points) > 1 and points == list(range(points[0], points[-1] + 1, 2)):
        whole = gettext("%(range)s, odd", range=whole) if points[0] % 2 else whole
    elif len(points) > 1 and points != list(range(points[0], points[-1] + 1)):
        whole = ", ".join(map(str, points))
    parts = [whole] if whole else []
    return ", ".join([*parts, gettext("sessions")] if 0 in lengths else parts)


def _yes(flag: bool) -> str:
    return gettext("yes") if flag else gettext("no")


def _time(rules: RuleSet) -> str:
    points = POINTS if POINTS in rules.lengths else max(rules.lengths)
    return time_control(timing.resolve(rules.time or timing.DEFAULT, points))


def _given_back(rules: RuleSet) -> str:
    if not rules.given_back:
        return NONE
    return f"{rules.given_back} × {rules.given_back_percent} %"


def _limit(rules: RuleSet) -> str:
    return gettext("to %(limit)s", limit=rules.cube_limit) if rules.cube else NONE


LINES: Mapping[str, tuple[Any, Callable[[RuleSet], str]]] = {
    "lengths": (lazy_gettext("Lengths"), lambda rules: short_lengths(rules.lengths)),
    "time": (lazy_gettext("Time"), _time),
    "triple": (lazy_gettext("Backgammon counts"), lambda rules: "3" if rules.triple else "2"),
    "most_wager": (
        lazy_gettext("Wager"),
        lambda rules: f"1–{rules.most_wager}" if rules.most_wager > 1 else NONE,
    ),
    "cube": (lazy_gettext("Doubling cube"), lambda rules: _yes(rules.cube)),
    "cube_limit": (lazy_gettext("Cube limit"), _limit),
    "dead_cube_refused": (
        lazy_gettext("Dead cube may be turned"),
        lambda rules: _yes(not rules.dead_cube_refused) if rules.cube else NONE,
    ),
    "crawford": (
        lazy_gettext("Crawford game"),
        lambda rules: _yes(rules.crawford) if rules.cube else NONE,
    ),
    "resignation": (lazy_gettext("Resigning a game"), lambda rules: str(WAYS[rules.resignation])),
    "timeout": (lazy_gettext("Time over costs"), lambda rules: str(COSTS[rules.timeout])),
    "claimed": (lazy_gettext("Has to be claimed"), lambda rules: _yes(rules.claimed)),
    "bank_per_game": (lazy_gettext("New bank each game"), lambda rules: _yes(rules.bank_per_game)),
    "given_back": (lazy_gettext("Bank given back"), _given_back),
    "inactivity": (
        lazy_gettext("Limit for staying away"),
        lambda rules: span(timedelta(seconds=rules.inactivity)) if rules.inactivity else NONE,
    ),
    "least_waste": (lazy_gettext("Fewest pips wasted"), lambda rules: _yes(rules.least_waste)),
    "forced_plays": (lazy_gettext("Forced plays by the server"), lambda rules: _yes(rules.forced_plays)),
}
"""Every value of a rule set but its name, in the order of the table: what it is called, and its few words."""
