"""From a match as it is played to a match as files tell it: rolls, plays, cube actions, results."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bgmail.formats.recorded import Event, EventKind, GameEnd, RecordedGame, RecordedMatch, line_of
from bgmail.rules.action import Action, Kind
from bgmail.rules.match import Match
from bgmail.rules.play import Play
from bgmail.rules.side import Pair, Side
from bgmail.rules.spelling import name
from bgmail.rules.state import Phase, without_wager

_CUBE = {Kind.DOUBLE: EventKind.DOUBLE, Kind.TAKE: EventKind.TAKE, Kind.PASS: EventKind.PASS}
_ROLLS = (Kind.ROLL, Kind.OPENING_ROLL)


@dataclass(slots=True)
class _Game:
    """A game being written down; `roll` is the one on the board, not played yet."""

    number: int
    score: Pair
    events: list[Event] = field(default_factory=list)
    roll: Event | None = None
    end: GameEnd | None = None

    def event(self, kind: EventKind, side: Side) -> Event:
        """The next event, in its line."""
        return Event(kind, side, line_of(side, self.events[-1] if self.events else None))

    def finished(self) -> RecordedGame:
        events = [*self.events, self.roll] if self.roll else self.events
        return RecordedGame(self.number, self.score, tuple(events), self.end)


@dataclass(slots=True)
class Scribe:
    """Writes a match down while it is played or replayed.

    Every move of a play is written by itself, so no reader has to guess a stop on the way. Offers to resign
    are not written, only the game that was given up; a match given up or lost on time ends with the points
    awarded. Files know of no wager: games count their plain worth in them, towards a length to match.
    """

    games: list[_Game] = field(default_factory=list)

    def note(self, before: Match, action: Action, after: Match) -> None:
        """Write down one action with the match before and after it."""
        if not before.game or before.phase is Phase.OVER:  # files tell no result but that of the plays
            return
        before, after = without_wager(before), without_wager(after)
        game, kind = self._game(before), action.kind
        if kind in _ROLLS and after.dice:
            game.roll = replace(game.event(EventKind.PLAY, after.turn), dice=after.dice)
        elif kind is Kind.PLAY and game.roll:
            game.events.append(replace(game.roll, play=_written(action.play)))
            game.roll = None
        elif kind in _CUBE and before.on_turn is not None:
            value = before.cube.value * 2 if kind is Kind.DOUBLE else None
            game.events.append(replace(game.event(_CUBE[kind], before.on_turn), value=value))
        game.end = _end(before, after)

    def recorded(self, length: int, white: str, black: str) -> RecordedMatch:
        """What has been written so far, of a match to `length` points."""
        return RecordedMatch(length, white, black, tuple(game.finished() for game in self.games))

    def _game(self, match: Match) -> _Game:
        if not self.games or self.games[-1].number != match.game:
            self.games.append(_Game(match.game, match.score))
        return self.games[-1]


def _end(before: Match, after: Match) -> GameEnd | None:
    last, result = after.last_game, after.result
    if last and last != before.last_game:
        return GameEnd(last.winner, last.points, alone=True)
    if result and result.winner is not None and result.awarded:
        return GameEnd(result.winner, result.awarded[result.winner], alone=True)
    return None


def _written(play: Play | None) -> str:
    """A play with each of its moves by itself; "" for a dance."""
    moves = play.moves if play else ()
    return " ".join(f"{name(move.from_point)}/{name(move.to_point)}{'*' * move.hit}" for move in moves)
