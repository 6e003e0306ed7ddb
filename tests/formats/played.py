"""Matches played by chance, for tests that need many of them."""

from __future__ import annotations

import random
from dataclasses import dataclass

from bgmail.formats.recorded import RecordedMatch
from bgmail.formats.recording import Scribe
from bgmail.rules.action import Action, Kind
from bgmail.rules.dice import Dice
from bgmail.rules.match import Match, Phase, apply, legal, new_match
from bgmail.rules.options import options, resignation_values
from bgmail.rules.ruleset import STANDARD, RuleSet
from bgmail.rules.side import Side


@dataclass(frozen=True)
class Step:
    """One action with the match before and after it."""

    before: Match
    action: Action
    after: Match


def play_match(
    seed: int,
    length: int,
    games: int = 0,
    *,
    resign: float = 0.01,
    most: int = 5000,
    rules: RuleSet = STANDARD,
) -> list[Step]:
    """The steps of a match from the accepted invitation on, to its end or to `most` steps."""
    chance = random.Random(seed)
    match = apply(new_match(rules, length, games), Action(Kind.ACCEPT, Side.BLACK))
    steps: list[Step] = []
    while match.phase is not Phase.OVER and len(steps) < most:
        action = choose(match, chance, resign)
        steps.append(Step(match, action, apply(match, action)))
        match = steps[-1].after
    return steps


def choose(match: Match, chance: random.Random, resign: float) -> Action:
    """One of the actions that are possible now."""
    dice = Dice(chance.randint(1, 6), chance.randint(1, 6))
    side = match.on_turn
    if side is None:
        return Action(Kind.OPENING_ROLL, None, dice=dice)
    allowed = options(match, side)
    if match.offer:
        kind = Kind.ACCEPT_RESIGNATION if chance.random() < 0.7 else Kind.DECLINE_RESIGNATION
        return Action(kind, match.offer.side.other)
    if Kind.RESIGN in allowed and chance.random() < resign:
        return Action(Kind.RESIGN, side, value=chance.choice(resignation_values(match, side)))
    if match.phase is Phase.TAKE_OR_PASS:
        return Action(Kind.TAKE if chance.random() < 0.6 else Kind.PASS, side)
    if match.phase is Phase.ROLL_OR_DOUBLE:
        double = Kind.DOUBLE in allowed and chance.random() < 0.04
        return Action(Kind.DOUBLE, side) if double else Action(Kind.ROLL, side, dice=dice)
    plays = sorted(legal(match), key=lambda play: play.position)
    return Action(Kind.PLAY, side, play=chance.choice(plays) if plays else None)


def recorded(steps: list[Step], white: str = "Alice", black: str = "Bob") -> RecordedMatch:
    """The match as files tell it."""
    scribe = Scribe()
    for step in steps:
        scribe.note(step.before, step.action, step.after)
    return scribe.recorded(steps[0].before.length, white, black)
