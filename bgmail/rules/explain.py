"""Why a roll can't be played freely, as codes and values: the words for them are found elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bgmail.rules.choices import choices
from bgmail.rules.dice import Dice
from bgmail.rules.legal import legal_plays
from bgmail.rules.moves import Refusal, count, own_points, refusal
from bgmail.rules.position import BAR, Position
from bgmail.rules.ruleset import RuleSet


class Outlook(Enum):
    """How much of a roll can be played."""

    FREE = "free"
    ENTER = "enter"
    DANCE = "dance"
    STUCK = "stuck"
    SHORT = "short"


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a die enters from the bar, and whether that point is open."""

    die: int
    point: int
    open: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a player may wonder about.

    `outlook` is ENTER with a checker on the bar that can enter, DANCE with one that can't, STUCK when nothing
    else can move either, SHORT when some numbers stay unused, else FREE. `on_bar` counts own checkers there;
    `entries` has one `Entry` for each number of the dice while there are any. `used` of `available` moves are
    made by a legal play. `starts` are the points of checkers that may be moved first: the others rest.
    """

    outlook: Outlook
    on_bar: int
    entries: tuple[Entry, ...]
    used: int
    available: int
    starts: tuple[int, ...]


def explain(position: Position, dice: Dice, rules: RuleSet) -> Explanation:
    """Say what can be done with a roll, and what stands in the way."""
    legal = legal_plays(position, dice, rules)
    used = max((len(play.moves) for play in legal), default=0)
    on_bar = count(position, BAR)
    first = choices(position, dice, rules)
    return Explanation(
        outlook=_outlook(on_bar, used, len(dice.numbers)),
        on_bar=on_bar,
        entries=_entries(position, dice) if on_bar else (),
        used=used,
        available=len(dice.numbers),
        starts=tuple(dict.fromkeys(choice.move.from_point for choice in first)),
    )


def refusals(position: Position, dice: Dice, from_point: int) -> tuple[Refusal, ...]:
    """Why no number moves the checker on `from_point` first, one reason a number; () if one does."""
    reasons = [refusal(position, from_point, die) for die in dict.fromkeys(dice.numbers)]
    found = tuple(reason for reason in reasons if reason is not None)
    return found if len(found) == len(reasons) else ()


def resting(position: Position, dice: Dice) -> dict[int, tuple[Refusal, ...]]:
    """For each point with own checkers that no number moves first: why."""
    reasons = {point: refusals(position, dice, point) for point in own_points(position)}
    return {point: found for point, found in reasons.items() if found}


def _outlook(on_bar: int, used: int, available: int) -> Outlook:
    if on_bar:
        return Outlook.ENTER if used else Outlook.DANCE
    if not used:
        return Outlook.STUCK
    return Outlook.SHORT if used < available else Outlook.FREE


def _entries(position: Position, dice: Dice) -> tuple[Entry, ...]:
    numbers = dict.fromkeys(dice.numbers)
    return tuple(Entry(die, BAR - die, open=count(position, BAR - die) >= -1) for die in numbers)
