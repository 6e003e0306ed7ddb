"""Open Sage as a player: what it is told, what is made of its answers, and what happens where it isn't installed."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bgmail.engine import best, sage
from bgmail.engine.player import decide
from bgmail.engine.sage import SagePlayer
from bgmail.rules import PRESETS, Dice, Position, legal_plays
from bgmail.rules.action import Kind
from bgmail.rules.match import Match, Phase, legal, new_match
from bgmail.rules.score import Crawford, Cube
from bgmail.rules.side import Side
from bgmail.rules.state import Offer
from tests.service.matchmaking import position

ON_BOTH_BARS = position({25: 1, 8: 5, 6: 5}, {0: 1, 12: 5, 19: 5})
ROLLING = replace(new_match(PRESETS["club"], 7), phase=Phase.ROLL_OR_DOUBLE, game=1, position=ON_BOTH_BARS)
PLAYING = replace(ROLLING, phase=Phase.PLAY, dice=Dice(3, 1))


class Told:
    """An analyzer that remembers what it was told and answers what the test wants."""

    def __init__(self, boards: list[list[int]] | None = None, **cube: Any) -> None:
        self.boards, self.cube = boards or [], cube
        self.told: dict[str, Any] = {}

    def checker_play(self, board: list[int], die1: int, die2: int, **situation: Any) -> Any:
        self.told = {"board": board, "dice": (die1, die2), **situation}
        return SimpleNamespace(moves=[SimpleNamespace(board=each) for each in self.boards])

    def cube_action(self, board: list[int], **situation: Any) -> Any:
        self.told = {"board": board, **situation}
        return SimpleNamespace(**self.cube)


def in_its_numbers(seen: Position) -> list[int]:
    """bgsage counts the opponent's checkers on the bar upwards."""
    return [-seen.board[0], *seen.board[1:]]


def test_the_other_sides_bar_is_counted_as_the_engine_does_both_ways() -> None:
    wanted = legal(PLAYING)[2]
    told = Told([in_its_numbers(wanted.position)])
    assert SagePlayer(told).play(PLAYING) == wanted
    assert told.told["board"][0] == 1
    assert told.told["board"][25] == 1
    assert told.told["dice"] == (3, 1)


def test_a_play_that_the_rule_set_forbids_is_passed_over_for_the_next_best() -> None:
    """By the wasted-pip rule 2/1 and then 1/off with a six is no play; the engine doesn't know that rule."""
    seen = position({2: 1, 1: 2}, {24: 2})
    loose, strict = PRESETS["club"], replace(PRESETS["club"], least_waste=True)
    allowed = {play.position for play in legal_plays(seen, Dice(6, 1), strict)}
    every = [play.position for play in legal_plays(seen, Dice(6, 1), loose)]
    forbidden = [each for each in every if each not in allowed]
    assert forbidden
    boards = [in_its_numbers(each) for each in [*forbidden, *allowed]]
    match = replace(PLAYING, rules=strict, position=seen, dice=Dice(6, 1))
    assert SagePlayer(Told(boards)).play(match).position in allowed


@pytest.mark.parametrize(
    ("owner", "word"), [(None, "centered"), (Side.WHITE, "player"), (Side.BLACK, "opponent")]
)
def test_score_and_cube_are_told_from_the_side_on_roll(owner: Side | None, word: str) -> None:
    told = Told(should_double=True)
    match = replace(ROLLING, cube=Cube(4, owner), score=(6, 2), crawford=Crawford.ACTIVE)
    assert SagePlayer(told).doubles(match)
    expected = {"cube_value": 4, "cube_owner": word, "away1": 1, "away2": 5, "is_crawford": True}
    assert expected.items() <= told.told.items()
    assert told.told["jacoby"] is False
    assert told.told["beaver"] is False


def test_a_take_is_judged_from_the_doublers_side() -> None:
    told = Told(should_take=False)
    assert (
        decide(SagePlayer(told), replace(ROLLING, phase=Phase.TAKE_OR_PASS), Side.BLACK).action is Kind.PASS
    )
    assert told.told["board"][25] == 1


@pytest.mark.parametrize(("worth", "settles"), [(-0.9, True), (-1.4, False)])
def test_an_offer_is_enough_when_the_game_is_worth_no_more(worth: float, settles: bool) -> None:
    offered = replace(ROLLING, offer=Offer(Side.WHITE, 1), phase=Phase.ANSWER_RESIGNATION)
    assert SagePlayer(Told(cubeless_equity=worth)).settles(offered) is settles
    off_turn = replace(ROLLING, offer=Offer(Side.BLACK, 1))
    assert SagePlayer(Told(cubeless_equity=-worth)).settles(off_turn) is settles


@pytest.fixture
def _fresh() -> Any:
    best.best_player.cache_clear()
    yield
    best.best_player.cache_clear()


@pytest.mark.usefixtures("_fresh")
def test_without_the_engine_our_own_player_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sage, "find_spec", lambda _name: None)
    assert best.best_name() == "plain"
    assert best.best_player().name == "plain"


@pytest.mark.usefixtures("_fresh")
def test_whichever_plays_here_opens_as_every_book_says() -> None:
    """The engine itself where it is installed."""
    player = best.best_player()
    assert player.name == best.best_name()
    start = replace(PLAYING, position=Position.start())
    assert str(player.play(start)) == "8/5 6/5"
    assert not player.doubles(replace(start, phase=Phase.ROLL_OR_DOUBLE, dice=None))
    assert player.takes(replace(start, phase=Phase.TAKE_OR_PASS, dice=None))
    match: Match = replace(start, offer=Offer(Side.WHITE, 1), phase=Phase.ANSWER_RESIGNATION)
    assert player.settles(match)
