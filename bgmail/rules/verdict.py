"""Why a play that can be read is not legal: the one reason worth telling."""

from __future__ import annotations

from dataclasses import dataclass

from bgmail.rules.dice import Dice
from bgmail.rules.moves import Refusal
from bgmail.rules.parts import Part
from bgmail.rules.play import Play
from bgmail.rules.play_errors import Illegal, IllegalPlay
from bgmail.rules.position import OFF, Position
from bgmail.rules.readings import Readings


@dataclass(frozen=True, slots=True)
class Attempt:
    """What was tried, and what would have been allowed."""

    position: Position
    dice: Dice
    text: str
    parts: tuple[Part, ...]
    found: Readings
    legal: tuple[Play, ...]


def why_illegal(attempt: Attempt) -> IllegalPlay:
    """The refusal of an attempt of which no reading is a legal play."""
    if backwards := _backwards(attempt.parts):
        return _illegal(attempt, Illegal.BACKWARDS, part=backwards)
    if not attempt.legal:
        return _illegal(attempt, Illegal.NO_LEGAL_PLAY)
    if not _fit(tuple(part.points for part in attempt.parts), attempt.dice.numbers):
        return _illegal(attempt, Illegal.NOT_THESE_DICE)
    if attempt.found.complete:
        return _missing_hit(attempt) or _dice_left(attempt)
    refused = attempt.found.deepest_refusal()
    return _illegal(attempt, Illegal.NOT_THESE_DICE) if refused is None else _refused(attempt, refused)


def _illegal(
    attempt: Attempt,
    reason: Illegal,
    *,
    part: str | None = None,
    point: int | None = None,
    die: int | None = None,
    count: int | None = None,
) -> IllegalPlay:
    return IllegalPlay(
        reason,
        attempt.text,
        attempt.position,
        attempt.dice,
        part=part,
        point=point,
        die=die,
        count=count,
    )


def _backwards(parts: tuple[Part, ...]) -> str | None:
    for part in parts:
        if any(there >= here for here, there in zip(part.points, part.points[1:], strict=False)):
            return part.text
    return None


def _fit(ways: tuple[tuple[int, ...], ...], dice: tuple[int, ...]) -> bool:
    """Whether the dice add up to the written ways, wherever the other checkers stand."""
    if not any(len(way) > 1 for way in ways):
        return True
    for index, (here, *ahead) in enumerate(ways):
        for die in set(dice) if ahead else ():
            there = max(OFF, here - die)
            if there >= ahead[0]:
                way = tuple(ahead) if there == ahead[0] else (there, *ahead)
                left = list(dice)
                left.remove(die)
                if _fit((*ways[:index], way, *ways[index + 1 :]), tuple(left)):
                    return True
    return False


def _missing_hit(attempt: Attempt) -> IllegalPlay | None:
    """A star where nothing is hit, whichever way the play is made."""
    starred = frozenset[int]().union(*(part.starred for part in attempt.parts))
    missing = min((starred - reading.hits for reading in attempt.found.complete), key=len)
    return _illegal(attempt, Illegal.NO_HIT, point=max(missing)) if missing else None


def _dice_left(attempt: Attempt) -> IllegalPlay:
    """Every move is possible, but the roll allows more of them, a larger die or less waste."""
    made = max(len(reading.moves) for reading in attempt.found.complete)
    possible = max(len(play.moves) for play in attempt.legal)
    if made >= possible > 1:
        return _illegal(attempt, Illegal.WASTES_PIPS)
    if made >= possible:
        return _illegal(attempt, Illegal.USE_LARGER_DIE, die=attempt.dice.high)
    if attempt.dice.is_double:
        return _illegal(attempt, Illegal.USE_MORE_DICE, count=possible)
    return _illegal(attempt, Illegal.USE_BOTH_DICE)


def _refused(attempt: Attempt, refused: Refusal) -> IllegalPlay:
    return _illegal(attempt, Illegal(refused.reason.value), point=refused.point, die=refused.die)
