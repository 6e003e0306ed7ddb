"""Replays a recorded match by the rules: every roll, play, cube action and result is judged again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product

from bgmail.formats.recorded import Event, EventKind, GameEnd, RecordedGame, RecordedMatch
from bgmail.formats.refusal import ImportRefused
from bgmail.rules.action import Action, ActionRefused, Kind
from bgmail.rules.dice import Dice
from bgmail.rules.match import GameResult, Match, Phase, apply, legal, new_match
from bgmail.rules.notation import PlayError, find_imported_play
from bgmail.rules.options import resignation_values, timeout_value
from bgmail.rules.play import Play
from bgmail.rules.ruleset import MAX_LENGTH, STANDARD, RuleSet, Timeout
from bgmail.rules.side import Pair, Side

AS_PLAYED = "as recorded"
"""The name of rules that are told from a file."""
_OF_THE_RULES = frozenset({"crawford_game", "result"})
"""What other rules might allow."""
_CUBE = {EventKind.DOUBLE: Kind.DOUBLE, EventKind.TAKE: Kind.TAKE, EventKind.PASS: Kind.PASS}


@dataclass(frozen=True, slots=True)
class Judged:
    """A recorded match that follows the rules.

    `games` are the actions of each game, to be applied from the accepted invitation on; `match` is where they
    lead. A match that is not over was broken off.
    """

    games: tuple[tuple[Action, ...], ...]
    match: Match

    @property
    def complete(self) -> bool:
        """Whether the match was played to its end."""
        return self.match.phase is Phase.OVER

    @property
    def final_score(self) -> Pair:
        """The score of all finished games, with the points awarded for giving up the match."""
        result = self.match.result
        white, black = result.awarded if result and result.awarded else (0, 0)
        return self.match.score[0] + white, self.match.score[1] + black


def judge(recorded: RecordedMatch, rules: RuleSet = STANDARD) -> Judged:
    """Replay a recorded match strictly.

    Raises ImportRefused, naming game and move, at the first thing that breaks the rules.
    """
    return _Judge(recorded, rules).run()


def judge_as_played(recorded: RecordedMatch) -> Judged:
    """Replay a match of which nobody knows by which rules it was played: by the standard ones, or by the first of those
    near them that it keeps to. They may have no Crawford game, count no backgammon, or a game lost on time as a gammon.
    A match that was given up for another number of points than it still took is taken so only if nothing else fits.

    Raises ImportRefused with what the standard rules say.
    """
    first: ImportRefused | None = None
    nearly: Judged | None = None
    for rules in (STANDARD, *_near(recorded.length)):
        try:
            judged = judge(recorded, rules)
        except ImportRefused as error:
            first = first or error
            if error.code not in _OF_THE_RULES:
                break
            continue
        if not judged.complete or judged.final_score == recorded.final_score:
            return judged
        nearly = nearly or judged
    if nearly is None:
        raise first or ImportRefused("result", "no rules fit")
    return nearly


def _near(length: int) -> Iterator[RuleSet]:
    """Rules for a match of that length, those first that differ from the standard ones in the least."""
    if length > MAX_LENGTH:
        return
    usual = replace(STANDARD, name=AS_PLAYED, lengths=frozenset({length}))
    loosened = product((True, False), (True, False), (Timeout.MATCH, Timeout.GAMMON))
    ways = sorted(loosened, key=lambda way: (not way[0]) + (not way[1]) + (way[2] is Timeout.GAMMON))
    for crawford, triple, timeout in ways[1:]:
        yield replace(usual, crawford=crawford, triple=triple, timeout=timeout)


@dataclass(slots=True)
class _Judge:
    recorded: RecordedMatch
    rules: RuleSet
    match: Match = field(init=False)
    game: RecordedGame = field(init=False)
    actions: list[Action] = field(init=False)

    def run(self) -> Judged:
        self.match = self._accepted()
        return Judged(tuple(self._replay(game) for game in self.recorded.games), self.match)

    def _accepted(self) -> Match:
        games = 0 if self.recorded.length else len(self.recorded.games)
        try:
            return apply(new_match(self.rules, self.recorded.length, games), Action(Kind.ACCEPT, Side.BLACK))
        except ActionRefused as error:
            raise ImportRefused(error.code, str(error)) from error

    def _replay(self, game: RecordedGame) -> tuple[Action, ...]:
        self.game, self.actions = game, []
        if self.match.phase is Phase.OVER:
            raise self._refused(1, "match_over", "the match is already over")
        if self.match.score != game.score:
            raise self._refused(
                1, "score", f"the score is {_score(self.match.score)}, not {_score(game.score)}"
            )
        for event in game.events:
            self._event(event)
        if game.end:
            self._end(game.end)
        return tuple(self.actions)

    @property
    def _running(self) -> bool:
        return self.match.phase is not Phase.OVER and self.match.game == self.game.number

    def _event(self, event: Event) -> None:
        if not self._running:
            raise self._refused(event.move, "game_over", "the game is already over")
        if event.kind is EventKind.PLAY:
            self._roll(event)
            self._play(event)
        elif event.kind is not EventKind.RESIGN:
            self._turn_cube(event)

    def _roll(self, event: Event) -> None:
        if event.dice is None:
            raise self._refused(event.move, "no_dice", "a play without dice")
        if self.match.phase is not Phase.OPENING:
            self._apply(event.move, Action(Kind.ROLL, event.side, dice=event.dice))
        elif event.dice.is_double:
            raise self._refused(event.move, "opening_double", "a game doesn't open with a double")
        else:
            self._apply(event.move, Action(Kind.OPENING_ROLL, None, dice=_opening(event.side, event.dice)))

    def _play(self, event: Event) -> None:
        plays = legal(self.match)
        if event.play:
            self._apply(event.move, Action(Kind.PLAY, event.side, play=self._found(event, event.play)))
        elif not plays:
            self._apply(event.move, Action(Kind.PLAY, event.side))
        elif event.play is not None or event is not self.game.events[-1]:
            missing = f"with {self.match.dice} something can be played, such as {plays[0]}"
            raise self._refused(event.move, "play_missing", missing)
        # Else the game ends with this roll on the board: given up, or broken off.

    def _found(self, event: Event, text: str) -> Play:
        if event.side is not self.match.turn or self.match.dice is None:
            raise self._refused(event.move, "not_your_turn", f"it is not {event.side.word}'s turn")
        try:
            return find_imported_play(self.match.position, self.match.dice, text, self.rules)
        except PlayError as error:
            raise self._refused(event.move, error.code, str(error)) from error

    def _turn_cube(self, event: Event) -> None:
        turned = self.match.cube.value * 2
        if event.kind is EventKind.DOUBLE and event.value not in (None, turned):
            raise self._refused(event.move, "cube_value", f"the cube goes to {turned}, not {event.value}")
        self._apply(event.move, Action(_CUBE[event.kind], event.side))

    def _end(self, end: GameEnd) -> None:
        last = self.match.last_game
        if self._running:
            self._give_up(end)
        elif last and not self._agrees(end, last):
            told = f"{last.winner.word} wins {last.points}, not {end.winner.word} {end.points}"
            raise self._refused(end.move, "result", told)

    def _agrees(self, end: GameEnd, last: GameResult) -> bool:
        """Whether a written result is the one played. Some count no more than the match still needed."""
        if end.winner is not last.winner and not end.alone:
            return False
        capped = self.match.phase is Phase.OVER and self._decides(last.winner, end.points)
        return end.points == last.points or (capped and end.points < last.points)

    def _decides(self, winner: Side, points: int) -> bool:
        return 0 < self.recorded.length <= self.game.score[winner] + points

    def _give_up(self, end: GameEnd) -> None:
        """The plays don't end the game, so the loser gave it up: by a pass, a resignation, its time, or all."""
        loser = end.winner.other
        value, odd = divmod(end.points, self.match.cube.value)
        if self.match.phase is Phase.TAKE_OR_PASS and self.match.on_turn is loser and (value, odd) == (1, 0):
            self._apply(end.move, Action(Kind.PASS, loser))
        elif not odd and value in resignation_values(self.match, loser):
            self._apply(end.move, Action(Kind.RESIGN, loser, value=value))
            self._apply(end.move, Action(Kind.ACCEPT_RESIGNATION, end.winner))
        elif not odd and value == timeout_value(self.match, loser):
            self._apply(end.move, Action(Kind.TIMEOUT, loser))
        elif self._decides(end.winner, end.points) and self.game is self.recorded.games[-1]:
            self._apply(end.move, Action(Kind.RESIGN_MATCH, loser))
        else:
            told = f"{loser.word} can't lose {end.points} with the cube at {self.match.cube.value}"
            raise self._refused(end.move, "result", told)

    def _apply(self, move: int | None, action: Action) -> None:
        try:
            self.match = apply(self.match, action)
        except ActionRefused as error:
            raise self._refused(move, error.code, str(error)) from error
        self.actions.append(action)

    def _refused(self, move: int | None, code: str, detail: str) -> ImportRefused:
        return ImportRefused(code, detail, game=self.game.number, move=max(move or 1, 1))


def _opening(side: Side, dice: Dice) -> Dice:
    """White's die, then Black's: the larger one is that of the side that begins."""
    return Dice(dice.high, dice.low) if side is Side.WHITE else Dice(dice.low, dice.high)


def _score(score: Pair) -> str:
    return f"{score[Side.WHITE]}-{score[Side.BLACK]}"
