"""However a game or a match ends here, by whichever rules: its .mat file is read again with the same result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from bgmail.formats.judge import Judged, judge_as_played
from bgmail.formats.mat import write_mat
from bgmail.formats.matreader import read_mat
from bgmail.rules.action import Action, ActionRefused, Kind
from bgmail.rules.match import Match, Phase, Result, apply
from bgmail.rules.ruledata import meant, told
from bgmail.rules.ruleset import PRESETS, STANDARD, Timeout
from bgmail.rules.score import Ending
from bgmail.rules.side import Side, put
from tests.formats.played import Step, play_match, recorded

OWN = {
    "game on time": replace(STANDARD, name="game on time", timeout=Timeout.GAME, inactivity=60),
    "gammon on time": replace(STANDARD, name="gammon on time", timeout=Timeout.GAMMON, inactivity=60),
}
RULES = {**PRESETS, **OWN}
LENGTH = 5
MIDDLE = (Phase.PLAY, Phase.ROLL_OR_DOUBLE, Phase.TAKE_OR_PASS)


def endings(match: Match) -> Iterator[tuple[str, Match]]:
    """Every way in which the match as it stands can end for either side; what isn't allowed is left out."""
    for loser in Side:
        acts = {
            **{f"resigned {value}": (Action(Kind.RESIGN, loser, value=value),) for value in (1, 2, 3)},
            "match resigned": (Action(Kind.RESIGN_MATCH, loser),),
            "time": (Action(Kind.TIMEOUT, loser),),
            "claim": (Action(Kind.LATE, loser), Action(Kind.CLAIM_TIMEOUT, loser.other)),
            "away": (Action(Kind.INACTIVITY, loser),),
            "pass": (Action(Kind.PASS, loser),),
        }
        for name, actions in acts.items():
            if name in ("time", "away") and (loser is not match.on_turn or match.phase is Phase.TAKE_OR_PASS):
                continue  # not on the clock; and an answer that doesn't come in time is a pass
            after = match
            try:
                for action in actions:
                    after = apply(after, action)
                if after.offer:
                    after = apply(after, Action(Kind.ACCEPT_RESIGNATION, loser.other))
            except ActionRefused:
                continue
            yield name, after
        result = Result(loser.other, Ending.FORFEIT, put((0, 0), loser.other, match.away(loser.other)))
        yield "forfeit", replace(match, phase=Phase.OVER, result=result)


def moments(steps: list[Step]) -> list[int]:
    """Some steps of a match after which it is still played: early, with checkers off, with a double open."""
    running = [nth for nth, step in enumerate(steps) if step.after.phase in MIDDLE and step.after.length]
    off = [nth for nth in running if steps[nth].after.position.off or steps[nth].after.position.opponent_off]
    doubled = [nth for nth in running if steps[nth].after.phase is Phase.TAKE_OR_PASS]
    return sorted({running[3], *off[-1:], *doubled[-1:]})


def written(steps: list[Step], after: Match) -> str:
    """The file of a match that ends like this."""
    return write_mat(recorded([*steps, Step(steps[-1].after, Action(Kind.TIMEOUT, Side.WHITE), after)]))


@cache
def read(text: str) -> Judged:
    return judge_as_played(read_mat(text))


@pytest.mark.parametrize("name", RULES)
def test_whatever_ends_a_game_its_file_is_taken_in_with_the_same_result(name: str) -> None:
    seen: set[tuple[str, int]] = set()
    steps = play_match(3, LENGTH, resign=0, rules=RULES[name])
    for nth in moments(steps):
        played = steps[: nth + 1]
        for ending, after in endings(played[-1].after):
            text = written(played, after)
            judged = read(text)
            assert judged.final_score == total(after), (ending, nth, text)
            if after.last_game and after.last_game != played[-1].after.last_game:
                seen.add((ending, after.last_game.worth))
            assert meant(told(judged.match.rules)) == judged.match.rules
    assert {value for ending, value in seen if ending != "pass"} > {1}, seen


def total(match: Match) -> tuple[int, int]:
    awarded = match.result.awarded if match.result and match.result.awarded else (0, 0)
    return match.score[0] + awarded[0], match.score[1] + awarded[1]
