"""What holds in every position of every game, tried on games of random legal plays."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bgmail.rules import STANDARD, Dice, find_play, legal_plays
from bgmail.rules.explain import Outlook, explain
from bgmail.rules.moves import Move, make_move, refusal
from bgmail.rules.play import Play
from bgmail.rules.position import BAR, Position
from tests.rules.boards import random_game

GAMES = 1000
PARTS = 4


def checkers(position: Position) -> tuple[int, int]:
    """Own and opponent's checkers on the points, the bars and off."""
    own = sum(max(n, 0) for n in position.board)
    opponent = sum(-min(n, 0) for n in position.board)
    return own + position.off, opponent + position.opponent_off


def after_moves(position: Position, moves: tuple[Move, ...]) -> Position:
    """Make moves one by one, each by a die that allows it."""
    for move in moves:
        dice = [die for die in range(1, 7) if max(0, move.from_point - die) == move.to_point]
        die = next(die for die in dice if refusal(position, move.from_point, die) is None)
        made, position = make_move(position, move.from_point, die)
        assert made == move
    return position


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_no_game_loses_or_invents_a_checker(part: int, pytestconfig: pytest.Config) -> None:
    """A flag for the bar once stayed set with nobody there, and every move was refused."""
    chance = Random(part)
    games = max(GAMES, pytestconfig.getoption("--matches"))
    for _ in range(games // PARTS):
        off = opponent_off = 0
        for position, _ in random_game(chance):
            own = sum(n for n in position.board if n > 0)
            opponent = -sum(n for n in position.board if n < 0)
            assert own + position.off == opponent + position.opponent_off == 15
            # Seen from the other side now, what was the opponent's is the own.
            assert position.off >= opponent_off
            assert position.opponent_off >= off
            off, opponent_off = position.off, position.opponent_off


@pytest.mark.parametrize("seed", range(6))
def test_only_a_checker_on_the_bar_makes_a_side_enter_first(seed: int) -> None:
    for position, dice in random_game(Random(seed)):
        on_bar, told = position.board[BAR], explain(position, dice, STANDARD)
        assert (told.on_bar, bool(told.entries)) == (on_bar, on_bar > 0)
        assert on_bar or told.outlook not in (Outlook.ENTER, Outlook.DANCE)
        for play in legal_plays(position, dice, STANDARD):
            entered = [move for move in play.moves if move.from_point == BAR]
            assert len(entered) == min(on_bar, len(play.moves))
            assert {move.from_point for move in play.moves[: len(entered)]} <= {BAR}


@pytest.mark.parametrize("seed", range(6))
def test_every_position_of_a_game_keeps_what_positions_and_plays_promise(seed: int) -> None:
    for position, dice in random_game(Random(seed)):
        assert checkers(position) == (15, 15)
        assert position.mirrored().mirrored() == position
        assert Position.from_id(position.id) == position
        plays = legal_plays(position, dice, STANDARD)
        assert len({play.position for play in plays}) == len(plays)
        for play in plays[::3]:
            assert checkers(play.position) == (15, 15)
            assert after_moves(position, play.moves) == play.position


@pytest.mark.parametrize("seed", range(6))
def test_every_legal_play_uses_as_many_dice_as_any_other(seed: int) -> None:
    for position, dice in random_game(Random(seed)):
        plays = legal_plays(position, dice, STANDARD)
        ending = [play for play in plays if play.position.off == 15]
        assert len({len(play.moves) for play in plays if play not in ending}) <= 1


def spelled_and_found(play: Play) -> bool:
    position, dice = play.turn
    return find_play(position, dice, str(play), STANDARD) == play


@pytest.mark.parametrize("seed", range(6))
def test_the_spelling_of_every_legal_play_is_read_as_that_play(seed: int) -> None:
    for position, dice in random_game(Random(seed)):
        plays = legal_plays(position, dice, STANDARD)
        spellings = {str(play) for play in plays}
        assert len(spellings) == len(plays)
        for play in plays[::5]:
            assert spelled_and_found(play), (position.id, str(dice), str(play))


def test_spellings_of_the_sample_are_read_as_the_plays_they_spell(sample: list[dict[str, Any]]) -> None:
    for row in sample[::4]:
        plays = legal_plays(Position.from_board(row["board"]), Dice(*row["dice"]), STANDARD)
        for play in {*plays[:1], *plays[-1:]}:
            assert spelled_and_found(play), (row["id"], str(play))
