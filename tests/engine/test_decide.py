"""What a machine is asked, and what the rules of the match answer for it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from bgmail.engine.player import Decision, NothingToDecide, decide
from bgmail.rules import PRESETS, Dice, Play, Position
from bgmail.rules.action import Kind
from bgmail.rules.match import Match, Phase, legal, new_match
from bgmail.rules.score import Cube
from bgmail.rules.side import Side
from bgmail.rules.state import Offer
from tests.service.matchmaking import position


@dataclass
class Yes:
    """Agrees to everything, or to nothing."""

    answer: bool = True
    name: str = "yes"

    def play(self, match: Match) -> Play:
        return legal(match)[-1]

    def doubles(self, match: Match) -> bool:
        return self.answer

    def takes(self, match: Match) -> bool:
        return self.answer

    def settles(self, match: Match) -> bool:
        return self.answer


ROLLING = replace(new_match(PRESETS["club"], 7), phase=Phase.ROLL_OR_DOUBLE, game=1)
PLAYING = replace(ROLLING, phase=Phase.PLAY, dice=Dice(3, 1))
DOUBLED = replace(ROLLING, phase=Phase.TAKE_OR_PASS)


def test_it_doubles_where_it_may_and_wants_to_and_rolls_otherwise() -> None:
    assert decide(Yes(), ROLLING, Side.WHITE) == Decision(Kind.DOUBLE)
    assert decide(Yes(answer=False), ROLLING, Side.WHITE) == Decision(Kind.ROLL)
    assert decide(Yes(), replace(ROLLING, cube=Cube(2, Side.BLACK)), Side.WHITE) == Decision(Kind.ROLL)


def test_it_answers_a_double() -> None:
    assert decide(Yes(), DOUBLED, Side.BLACK) == Decision(Kind.TAKE)
    assert decide(Yes(answer=False), DOUBLED, Side.BLACK) == Decision(Kind.PASS)


def test_a_double_whose_pass_loses_the_match_is_always_taken() -> None:
    last = replace(DOUBLED, score=(5, 0), cube=Cube(2, Side.WHITE))
    assert decide(Yes(answer=False), last, Side.BLACK) == Decision(Kind.TAKE)


def test_it_plays_what_the_player_says_in_the_notation_of_the_rules() -> None:
    assert decide(Yes(), PLAYING, Side.WHITE) == Decision(Kind.PLAY, str(legal(PLAYING)[-1]))


def test_a_forced_play_and_a_dance_ask_nobody() -> None:
    forced = position({1: 1}, {24: 2, 20: 2})
    assert decide(Silent(), replace(PLAYING, position=forced), Side.WHITE) == Decision(Kind.PLAY, "1/off")
    closed = position({25: 1, 6: 5}, {19: 2, 20: 2, 21: 2, 22: 2, 23: 2, 24: 2, 1: 1})
    assert decide(Silent(), replace(PLAYING, position=closed), Side.WHITE) == Decision(Kind.PLAY, "")


class Silent(Yes):
    """Must not be asked."""

    def play(self, match: Match) -> Play:
        raise AssertionError(match)


@pytest.mark.parametrize("answer", [True, False])
def test_it_answers_an_offer_to_resign(answer: bool) -> None:
    offered = replace(PLAYING, offer=Offer(Side.WHITE, 1), phase=Phase.ANSWER_RESIGNATION)
    expected = Kind.ACCEPT_RESIGNATION if answer else Kind.DECLINE_RESIGNATION
    assert decide(Yes(answer), offered, Side.BLACK) == Decision(expected)
    off_turn = replace(PLAYING, offer=Offer(Side.BLACK, 1))
    assert decide(Yes(answer), off_turn, Side.WHITE) == Decision(expected)


def test_an_offer_that_wins_the_match_is_always_enough() -> None:
    offered = replace(PLAYING, offer=Offer(Side.WHITE, 1), phase=Phase.ANSWER_RESIGNATION, score=(0, 6))
    assert decide(Yes(answer=False), offered, Side.BLACK) == Decision(Kind.ACCEPT_RESIGNATION)


def test_there_is_nothing_to_decide_for_who_waits() -> None:
    with pytest.raises(NothingToDecide):
        decide(Yes(), replace(PLAYING, position=Position.start()), Side.BLACK)
