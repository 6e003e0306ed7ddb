"""The state of a match as a value: what is waited for, the score, the cube, the position, and how it ended.

Nothing here knows the clock, chance or who the players are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from bgmail.rules.action import ActionRefused
from bgmail.rules.dice import Dice
from bgmail.rules.legal import legal_plays
from bgmail.rules.play import Play
from bgmail.rules.position import Position
from bgmail.rules.ruleset import RuleSet
from bgmail.rules.score import Crawford, Cube, Ending, crawford_at_start
from bgmail.rules.side import Pair, Side


class Phase(StrEnum):
    """What is waited for. OPENING exists only inside a step: the server rolls before anyone sees it."""

    INVITED = "invited"
    OPENING = "opening"
    ROLL_OR_DOUBLE = "roll_or_double"
    PLAY = "play"
    TAKE_OR_PASS = "take_or_pass"
    ANSWER_RESIGNATION = "answer_resignation"
    OVER = "over"


_FOR_NOBODY = (Phase.INVITED, Phase.OPENING, Phase.OVER)
_FOR_AN_ANSWER = (Phase.TAKE_OR_PASS, Phase.ANSWER_RESIGNATION)


@dataclass(frozen=True, slots=True)
class Offer:
    """A game given up by `side` for `value` times the cube, which the other side may accept or decline."""

    side: Side
    value: int


@dataclass(frozen=True, slots=True)
class GameResult:
    """How one game ended: `points` already multiplied by the cube, `worth` 1, 2 or 3."""

    game: int
    winner: Side
    points: int
    ending: Ending
    worth: int


@dataclass(frozen=True, slots=True)
class Result:
    """How the match ended. `winner` None = there is none; `awarded` are the points given unplayed."""

    winner: Side | None
    ending: Ending
    awarded: Pair | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """The whole state of a match.

    `length` 0 means a points session of `games` games. `position` is seen from `turn`, whose go it is;
    `on_turn` is the side that has to act, which is the other one after a double or an offered resignation.
    `opening` lasts until the first play of a game. `offers` names the sides that offered to resign in this
    turn. `last_game` is how the latest finished game ended. `wager` is what a single game counts at the first
    value of the cube. `late`: the time of `on_turn` is over, and the opponent may claim what that costs.
    """

    rules: RuleSet
    length: int
    games: int = 0
    phase: Phase = Phase.INVITED
    game: int = 0
    turn: Side = Side.WHITE
    position: Position = Position.start()
    dice: Dice | None = None
    opening: bool = False
    cube: Cube = Cube()
    offer: Offer | None = None
    offers: frozenset[Side] = frozenset()
    score: Pair = (0, 0)
    crawford: Crawford = Crawford.NONE
    last_game: GameResult | None = None
    result: Result | None = None
    wager: int = 1
    late: bool = False

    @property
    def stake(self) -> int:
        """What a single game counts now; a gammon is twice that, a backgammon three times."""
        return self.cube.value * self.wager

    @property
    def on_turn(self) -> Side | None:
        """The side that must act now; None before the match and after it."""
        if self.phase in _FOR_NOBODY:
            return None
        return self.turn.other if self.phase in _FOR_AN_ANSWER else self.turn

    def seen_by(self, side: Side) -> Position:
        """The position in the numbering of `side`."""
        return self.position if side is self.turn else self.position.mirrored()

    def away(self, side: Side) -> int:
        """The points that `side` still needs; 0 in a points session."""
        return max(0, self.length - self.score[side])


def new_match(rules: RuleSet, length: int, games: int = 0, wager: int = 1) -> Match:
    """An invitation to a match to `length` points, or for `length` 0 to a points session of `games` games.

    Raises ActionRefused("length", ...) or ("wager", ...) where the rule set doesn't offer it.
    """
    if length not in rules.lengths:
        raise ActionRefused("length", length=length, rules=rules.name)
    if (length == 0) != (games > 0):
        raise ActionRefused("games", length=length, games=games)
    if not 1 <= wager <= rules.most_wager:
        raise ActionRefused("wager" if rules.most_wager > 1 else "no_wager", most=rules.most_wager)
    crawford = crawford_at_start(rules, length)
    return Match(rules=rules, length=length, games=games, crawford=crawford, wager=wager)


def without_wager(match: Match) -> Match:
    """The same match with each game counting its plain worth, for whoever knows of no wagers.

    All points are multiples of the wager, so the scores stay whole; of the length the last, lesser part counts
    as a whole one.
    """
    if match.wager == 1:
        return match
    white, black = match.score
    awarded = match.result.awarded if match.result else None
    result = match.result
    if result and awarded:
        result = replace(result, awarded=(-(-awarded[0] // match.wager), -(-awarded[1] // match.wager)))
    last = match.last_game
    return replace(
        match,
        length=-(-match.length // match.wager),
        score=(white // match.wager, black // match.wager),
        last_game=replace(last, points=last.points // match.wager) if last else None,
        result=result,
        wager=1,
    )


@lru_cache(maxsize=2048)
def plays_of(position: Position, dice: Dice, rules: RuleSet) -> tuple[Play, ...]:
    """`legal_plays`, remembered: judging a play, offering the plays and automation ask for the same roll."""
    return legal_plays(position, dice, rules)


def legal(match: Match) -> tuple[Play, ...]:
    """The legal plays of the roll on the board; () when there is none, or no roll."""
    if match.phase is not Phase.PLAY or match.dice is None:
        return ()
    return plays_of(match.position, match.dice, match.rules)
