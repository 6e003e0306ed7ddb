"""`visits`: how many of the times that a person must come back are saved by what the server does, in per cent.

Games by Open Sage on both sides (our plain player where bgsage isn't installed), for money and with the cube left in
the middle; dice come from a seed. The games stay as they were played, and each way of automation is asked of each
turn whether it would have been played for its owner. Two turns of one side in a row are one visit.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from bgmail.engine.best import best_name, best_player
from bgmail.engine.plain import PlainPlayer
from bgmail.rules.bearoff import bearing_off, in_race, sure_play
from bgmail.rules.dice import ROLLS, Dice
from bgmail.rules.legal import legal_plays
from bgmail.rules.play import Play
from bgmail.rules.position import CHECKERS, Position
from bgmail.rules.ruleset import CLUB, STANDARD
from bgmail.rules.side import Side
from bgmail.rules.state import Match, Phase, new_match
from bgmail.service.automation import shut_out
from tests.bench.measurement import Measurement

FIRST_SEED = 1000
GAMES = 300
"""As many as a run of the benches has time for; the report has more."""
REPLIES = 3
"""So many replies does somebody prepare at a visit who takes the trouble."""
EXPECTED_ROLLS = [roll for roll in reversed(ROLLS) if not roll.is_double]
"""In this order somebody prepares for own rolls; each comes as often as the others."""
_MONEY = replace(new_match(CLUB, 0, 1), phase=Phase.PLAY, game=1)
_GUESSES = PlainPlayer(looks_ahead=False)


@dataclass(frozen=True)
class Turn:
    """One turn as it was played; positions are seen by `side`."""

    side: Side
    position: Position
    dice: Dice
    after: Position

    @cached_property
    def plays(self) -> tuple[Play, ...]:
        return legal_plays(self.position, self.dice, STANDARD)

    @cached_property
    def is_forced(self) -> bool:
        """A dance, or the only legal play."""
        return len(self.plays) < 2

    @cached_property
    def is_greedy(self) -> bool:
        """A bear-off without contact of which one play alone takes the most checkers off."""
        if not bearing_off(self.position):
            return False
        off = [play.position.off for play in self.plays]
        return off.count(max(off)) == 1

    @cached_property
    def is_sure(self) -> bool:
        """What the order to bear off plays."""
        return sure_play(self.position, self.dice, STANDARD) is not None

    @cached_property
    def is_guessed(self) -> bool:
        """Whether a player of another kind would have guessed this play."""
        return (
            self.is_forced
            or _GUESSES.play(_match(self.side, self.position, self.dice)).position == self.after
        )


Game = Sequence[Turn]
Auto = Callable[[Turn], bool]


def forced(turn: Turn) -> bool:
    """Dances and only plays."""
    return turn.is_forced


def dailygammon(turn: Turn) -> bool:
    """DailyGammon's set: those, and greedy bear-offs where they are unique."""
    return turn.is_forced or turn.is_greedy


def ours(turn: Turn) -> bool:
    """Our defaults with the order to bear off."""
    return turn.is_forced or turn.is_sure


def cube_at_hand(turn: Turn) -> bool:
    """Our defaults where each roll is asked for, since the cube could be turned: only who is shut out isn't asked."""
    return turn.is_forced and shut_out(turn.position)


WAYS: Mapping[str, Auto] = {
    "Nothing automatic": lambda _turn: False,
    "Dances and only plays": forced,
    "DailyGammon's set": dailygammon,
    "All bear-offs without contact": lambda turn: turn.is_forced or bearing_off(turn.position),
    "The whole race": lambda turn: turn.is_forced or in_race(turn.position),
    "Ours": ours,
}
"""Whole race and all bear-offs are for comparison: in many of these turns no play is best in every case."""


def play(seed: int) -> list[Turn]:
    """One game of that seed."""
    rng, player = random.Random(seed), best_player()
    first, second = _roll(rng), _roll(rng)
    while first == second:
        first, second = _roll(rng), _roll(rng)
    side, position, dice = Side.WHITE if first > second else Side.BLACK, Position.start(), Dice(first, second)
    turns: list[Turn] = []
    while not turns or turns[-1].after.off < CHECKERS:
        plays = legal_plays(position, dice, STANDARD)
        after = plays[0].position if plays else position
        if len(plays) > 1:
            after = player.play(_match(side, position, dice)).position
        turns.append(Turn(side, position, dice, after))
        side, position, dice = side.other, after.mirrored(), Dice(_roll(rng), _roll(rng))
    return turns


def visits(game: Game, auto: Auto, replies: int = 0) -> int:
    """How often somebody has to come in a game.

    With `replies`, at each visit that many are prepared: for the opponent's play that the player expects, and that many
    own rolls after it.
    """
    rolls = {str(roll) for roll in EXPECTED_ROLLS[:replies]}
    came: list[bool] = []
    last: Side | None = None
    count = 0
    for nth, turn in enumerate(game):
        ready = nth > 1 and came[nth - 2] and game[nth - 1].is_guessed and str(turn.dice) in rolls
        comes = not auto(turn) and not ready
        came.append(comes)
        if comes and turn.side is not last:
            count, last = count + 1, turn.side
    return count


def mean(games: Iterable[Game], auto: Auto, replies: int = 0) -> float:
    """Visits a game."""
    counts = [visits(game, auto, replies) for game in games]
    return sum(counts) / len(counts)


def saved(games: Sequence[Game], auto: Auto, replies: int = 0) -> float:
    """The per cent of visits that a way saves."""
    return 100 - 100 * mean(games, auto, replies) / mean(games, WAYS["Nothing automatic"])


def measure() -> Measurement:
    """Per cent of the visits saved, ours with a few prepared replies against DailyGammon's set."""
    games = [play(seed) for seed in range(FIRST_SEED, FIRST_SEED + GAMES)]
    what = (
        f"per cent of visits saved by our orders with {REPLIES} prepared replies a visit (without any "
        f"{saved(games, ours):.1f}, dances and only plays alone {saved(games, forced):.1f}), over {GAMES} games by "
        f"{best_name()} on both sides; reference: DailyGammon's set, greedy bear-offs where unique"
    )
    return Measurement(saved(games, ours, REPLIES), saved(games, dailygammon), what)


def _match(side: Side, position: Position, dice: Dice) -> Match:
    return replace(_MONEY, turn=side, position=position, dice=dice)


def _roll(rng: random.Random) -> int:
    return rng.randint(1, 6)
