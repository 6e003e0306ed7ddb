"""What written parts can mean with a roll: every way to make them, die by die, by the rules for one move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from bgmail.rules.dice import Dice
from bgmail.rules.moves import Move, Refusal, make_move, refusal
from bgmail.rules.parts import Part
from bgmail.rules.position import OFF, Position


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to make the written moves. `unnamed_hits` are points hit by a stop that isn't written."""

    position: Position
    moves: tuple[Move, ...]
    unnamed_hits: frozenset[int]

    @property
    def hits(self) -> frozenset[int]:
        """The points on which the opponent was hit."""
        return frozenset(move.to_point for move in self.moves if move.hit)


@dataclass(slots=True)
class Readings:
    """All ways found, and the refusals met on the way by how many moves had been made before."""

    complete: list[Reading] = field(default_factory=list)
    refusals: dict[int, list[Refusal]] = field(default_factory=dict)

    def deepest_refusal(self) -> Refusal | None:
        """What stopped the way that got furthest."""
        return self.refusals[max(self.refusals)][0] if self.refusals else None


@dataclass(frozen=True, slots=True)
class _Checker:
    """A written checker under way: where it is and the written points still ahead."""

    point: int
    ahead: tuple[int, ...]

    def by(self, die: int) -> _Checker | None:
        """The checker one die further, or None where that would pass the next written point."""
        to_point = max(OFF, self.point - die)
        if not self.ahead or to_point < self.ahead[0]:
            return None
        return _Checker(to_point, self.ahead[1:] if to_point == self.ahead[0] else self.ahead)


@dataclass(frozen=True, slots=True)
class _State:
    reading: Reading
    checkers: tuple[_Checker, ...]
    dice: tuple[int, ...]


def readings(position: Position, dice: Dice, parts: tuple[Part, ...]) -> Readings:
    """Find every way to make `parts` with the dice, in any order of parts and dice."""
    checkers = tuple(_Checker(part.points[0], part.points[1:]) for part in parts)
    found = Readings()
    waiting = [_State(Reading(position, (), frozenset()), checkers, dice.numbers)]
    seen: set[tuple[Position, tuple[_Checker, ...], frozenset[int]]] = set()
    while waiting:
        state = waiting.pop()
        if not any(checker.ahead for checker in state.checkers):
            found.complete.append(state.reading)
            continue
        for after in _moves_on(state, found):
            key = (after.reading.position, after.checkers, after.reading.unnamed_hits)
            if key not in seen:
                seen.add(key)
                waiting.append(after)
    return found


def _moves_on(state: _State, found: Readings) -> Iterator[_State]:
    for index, checker in enumerate(state.checkers):
        for die in dict.fromkeys(state.dice):
            moved = checker.by(die)
            if moved is None:
                continue
            refused = refusal(state.reading.position, checker.point, die)
            if refused is None:
                yield _after(state, index, moved, die)
            else:
                found.refusals.setdefault(len(state.reading.moves), []).append(refused)


def _after(state: _State, index: int, moved: _Checker, die: int) -> _State:
    reading, checkers, dice = state.reading, list(state.checkers), list(state.dice)
    move, position = make_move(reading.position, checkers[index].point, die)
    unnamed = moved.ahead == checkers[index].ahead
    hits = reading.unnamed_hits | {move.to_point} if unnamed and move.hit else reading.unnamed_hits
    checkers[index] = moved
    dice.remove(die)
    return _State(Reading(position, (*reading.moves, move), hits), tuple(checkers), tuple(dice))
