"""Tie-breaks in words: what each is called, what it means, and how the standings came to a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from babel.numbers import get_decimal_symbol

from bgmail.pairing.plan import Plan
from bgmail.phrases.translate import gettext, lazy_gettext, locale

SWISS = ("swiss", "swiss_elimination")


_NAMES: Mapping[str, Any] = {
    "wins": lazy_gettext("Wins"),
    "head_to_head": lazy_gettext("Head-to-head"),
    "buchholz": lazy_gettext("Buchholz"),
    "median_buchholz": lazy_gettext("Median Buchholz"),
    "sonneborn_berger": lazy_gettext("Sonneborn-Berger"),
    "higher_placed": lazy_gettext("Wins against the higher placed"),
    "round_out": lazy_gettext("Last round"),
    "third_place": lazy_gettext("Match for the third place"),
    "rating": lazy_gettext("Rating at entry"),
    "lot": lazy_gettext("Lot"),
}
_SAYS: Mapping[str, Any] = {
    "wins": lazy_gettext("Matches won; a bye and a forfeit by the opponent count as wins."),
    "head_to_head": lazy_gettext(
        "Wins among those who are tied. It decides only where each of them has met each other, equally often."
    ),
    "buchholz": lazy_gettext("The wins of all opponents, added up."),
    "median_buchholz": lazy_gettext(
        "The wins of all opponents, added up without the best and the worst of them."
    ),
    "sonneborn_berger": lazy_gettext("The wins of those opponents that were beaten, added up."),
    "higher_placed": lazy_gettext("Wins against opponents who have more wins than oneself."),
    "round_out": lazy_gettext("The round in which somebody went out: the later, the better."),
    "third_place": lazy_gettext("Who has won the match for the third place is third."),
    "rating": lazy_gettext("The rating at the moment of entry: the higher, the better."),
    "lot": lazy_gettext(
        "Drawn from the tournament’s lot and the number of the entry, so that everybody can draw it again: the lowest "
        "is first."
    ),
}


def criterion_name(name: str) -> str:
    """A criterion of the standings: "Buchholz"."""
    return str(_NAMES[name])


def criterion_says(name: str) -> str:
    """What a criterion means, in a sentence or two."""
    return str(_SAYS[name])


def stand_in_says(plan: Plan) -> str:
    """How results without play enter into the sums of opponents’ wins; "" where they are counted like any other."""
    if not any(stage.format in SWISS for stage in plan.stages):
        return ""
    return gettext(
        "In the sums of opponents’ wins, a bye or a match lost or won without play counts as an opponent with as many "
        "wins as one’s own, at most half of the rounds so far."
    )


def points_say(criterion: str, value: float) -> str:
    """A value as the standings show it: whole or with a half, a rating whole, a lot with four digits."""
    if criterion == "rating" or value == int(value):
        return str(round(value))
    digits = f"{value:.4f}" if criterion == "lot" else f"{value:.1f}"
    return digits.replace(".", str(get_decimal_symbol(locale())))


def decided_says(name: str) -> str:
    """Why a line stands below the one above it."""
    if name == "wins":
        return gettext("Fewer wins than the line above.")
    return gettext("Below the line above by: %(criterion)s.", criterion=criterion_name(name))


def part_says(opponent: str | None, points: str, counts: bool) -> str:
    """One part of a sum: "Alice 5"; without points "Alice". `opponent` None: a bye."""
    name = gettext("bye") if opponent is None else opponent
    if not counts:
        return gettext("%(name)s (%(points)s, left out)", name=name, points=points)
    return f"{name} {points}" if points else name


def sum_says(parts: Sequence[str], value: str) -> str:
    """A sum with its parts: "Alice 5 + Bob 4 = 9"."""
    return f"{' + '.join(parts)} = {value}"


def out_says(round_: int | None) -> str:
    """When somebody went out."""
    return "" if round_ is None else gettext("out in round %(number)s", number=round_)


def lines_say(first: int, last: int, all_: int) -> str:
    """Which lines of long standings a page shows."""
    return gettext("Lines %(first)s to %(last)s of %(all)s", first=first, last=last, all=all_)
