"""From what somebody wrote to a legal play: parse, then judge; nothing is ever guessed."""

from __future__ import annotations

from collections.abc import Callable

from bgmail.rules.dice import Dice
from bgmail.rules.legal import legal_plays
from bgmail.rules.parts import Part, parse
from bgmail.rules.play import Play
from bgmail.rules.play_errors import (
    AmbiguousPlay,
    Illegal,
    IllegalPlay,
    Malformed,
    MalformedPlay,
    PlayError,
)
from bgmail.rules.position import CHECKERS, Position
from bgmail.rules.readings import Reading, readings
from bgmail.rules.ruleset import RuleSet
from bgmail.rules.verdict import Attempt, why_illegal

__all__ = [
    "AmbiguousPlay",
    "Illegal",
    "IllegalPlay",
    "Malformed",
    "MalformedPlay",
    "PlayError",
    "find_imported_play",
    "find_play",
]

_Choice = Callable[[list[Reading]], list[Reading]]


def find_play(position: Position, dice: Dice, text: str, rules: RuleSet) -> Play:
    """Find the one legal play that a person's `text` can mean.

    Parts stand in any order, a checker's hops may be joined, stars for hits may be left out. Raises
    `MalformedPlay`, `IllegalPlay`, or `AmbiguousPlay` where two results fit. A win that needs only one die
    may be written so even where the rules make both dice be used.
    """
    return _find(position, dice, text, rules, list)


def find_imported_play(position: Position, dice: Dice, text: str, rules: RuleSet) -> Play:
    """Find the legal play that a file means.

    As `find_play`, but a stop that isn't named hits nothing if a way without that hit exists, and only what
    is then left is ambiguous.
    """
    return _find(position, dice, text, rules, _fewest_unnamed_hits)


def _find(position: Position, dice: Dice, text: str, rules: RuleSet, choose: _Choice) -> Play:
    parts = parse(text)
    legal = {play.position: play for play in legal_plays(position, dice, rules)}
    found = readings(position, dice, parts)
    fitting = [reading for reading in found.complete if _stars(parts) <= reading.hits]
    allowed = [(reading, play) for reading in fitting if (play := _judge(legal, reading))]
    kept = choose([reading for reading, _ in allowed])
    candidates = {play for reading, play in allowed if reading in kept}
    if not candidates:
        raise why_illegal(Attempt(position, dice, text, parts, found, tuple(legal.values())))
    if len(candidates) > 1:
        raise AmbiguousPlay(text, tuple(sorted(candidates, key=str, reverse=True)))
    return candidates.pop()


def _judge(legal: dict[Position, Play], reading: Reading) -> Play | None:
    """The legal play that a reading is; a win with a die to spare is the win that uses it."""
    if reading.position not in legal and reading.position.off == CHECKERS:
        return next((play for play in legal.values() if play.position.off == CHECKERS), None)
    return legal.get(reading.position)


def _stars(parts: tuple[Part, ...]) -> frozenset[int]:
    return frozenset(point for part in parts for point in part.starred)


def _fewest_unnamed_hits(allowed: list[Reading]) -> list[Reading]:
    hits = {reading.unnamed_hits for reading in allowed}
    return [reading for reading in allowed if not any(fewer < reading.unnamed_hits for fewer in hits)]
