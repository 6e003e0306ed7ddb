"""A match as a file tells it, before anyone has judged it: rolls, plays as written, cube actions, results."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bgmail.rules.dice import Dice
from bgmail.rules.side import Pair, Side, put


class EventKind(StrEnum):
    """What a side did."""

    PLAY = "play"
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"
    RESIGN = "resign"


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that `side` did; `move` is the number of its line in the file.

    A play has its `dice` and `play`, the text as written: "" says that there was no legal play, None that
    nothing follows the roll. `value` is the cube's new value after a double, None where it isn't written.
    """

    kind: EventKind
    side: Side
    move: int
    dice: Dice | None = None
    play: str | None = None
    value: int | None = None


@dataclass(frozen=True, slots=True)
class GameEnd:
    """A game's result as written: who won how many points.

    `move` is the number of its line, None where there is none before it. A result `alone` stands on a line
    of its own after that one, and its column says less than the plays do.
    """

    winner: Side
    points: int
    move: int | None = None
    alone: bool = False


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """One game: the score before it, what happened, and its result, None where the file breaks off."""

    number: int
    score: Pair
    events: tuple[Event, ...]
    end: GameEnd | None = None


@dataclass(frozen=True, slots=True)
class RecordedMatch:
    """A match to `length` points (0 = a points session) between the left column, White, and the right one."""

    length: int
    white: str
    black: str
    games: tuple[RecordedGame, ...]

    @property
    def final_score(self) -> Pair | None:
        """The score after the last game as written, None where that has no result."""
        if not self.games or self.games[-1].end is None:
            return None
        last, end = self.games[-1], self.games[-1].end
        return put(last.score, end.winner, last.score[end.winner] + end.points)

    @property
    def complete(self) -> bool:
        """Whether the match reached its end; a points session has where its last game has a result."""
        score = self.final_score
        return score is not None and max(score) >= self.length


def line_of(side: Side, before: Event | None) -> int:
    """The number of the line that an event of `side` belongs to: White opens a line, Black fills it."""
    if before is None:
        return 1
    opens = side is Side.WHITE or before.side is Side.BLACK
    return before.move + 1 if opens else before.move
