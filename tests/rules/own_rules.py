"""Rules that somebody could make up."""

from __future__ import annotations

import random

from bgmail.rules.ruledata import CUBES
from bgmail.rules.ruleset import MAX_LENGTH, MAX_WAGER, Resignation, RuleSet, Timeout


def own_rules(chance: random.Random) -> RuleSet:
    """Some rules that somebody could make up."""
    flag = lambda: chance.random() < 0.5  # noqa: E731
    return RuleSet(
        name=f"Ours no. {chance.randrange(1000)}",
        lengths=frozenset(chance.sample(range(MAX_LENGTH + 1), chance.randint(1, 5))),
        triple=flag(),
        cube=flag(),
        cube_limit=chance.choice(CUBES),
        dead_cube_refused=flag(),
        crawford=flag(),
        resignation=chance.choice(list(Resignation)),
        least_waste=flag(),
        forced_plays=flag(),
        most_wager=chance.choice([1, 1, 5, MAX_WAGER]),
        timeout=chance.choice(list(Timeout)),
        claimed=flag(),
        bank_per_game=flag(),
        inactivity=chance.choice([0, 30, 7200]),
        given_back=chance.choice([0, 3, 20]),
        given_back_percent=chance.randint(1, 100),
        time=chance.choice(["", "live-8-10"]),
    )
