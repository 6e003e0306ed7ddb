"""The plain player: what a beginner who has read a book plays, and never anything illegal."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bgmail.engine import chances
from bgmail.engine.plain import PlainPlayer
from bgmail.engine.player import decide
from bgmail.engine.worth import standing
from bgmail.rules import PRESETS, Dice, Position
from bgmail.rules.action import Action, Kind
from bgmail.rules.match import Match, Phase, apply, legal, new_match
from bgmail.rules.score import Crawford, Cube
from bgmail.rules.side import Side
from bgmail.rules.state import Offer
from tests.service.matchmaking import position

START = Position.start()
CLUB = PRESETS["club"]


def to_play(seen: Position, *dice: int, **other: object) -> Match:
    """White plays a roll in a seven-point match."""
    match = replace(new_match(CLUB, 7), phase=Phase.PLAY, game=1, position=seen, dice=Dice(*dice))
    return replace(match, **other)  # type: ignore[arg-type]


def to_roll(seen: Position, length: int = 7, **other: object) -> Match:
    """White may double."""
    match = replace(
        new_match(CLUB, length, 0 if length else 3), phase=Phase.ROLL_OR_DOUBLE, game=1, position=seen
    )
    return replace(match, **other)  # type: ignore[arg-type]


RACE_WELL_AHEAD = position({6: 5, 5: 5, 4: 5}, {12: 5, 13: 5, 17: 5})
RACE_EVEN = position({6: 5, 5: 5, 4: 5}, {19: 5, 20: 5, 21: 5})
RACE_ALMOST_WON = position({1: 2}, {12: 5, 13: 5, 17: 5})


@pytest.mark.parametrize(
    ("dice", "play"), [((3, 1), "8/5 6/5"), ((4, 2), "8/4 6/4"), ((6, 1), "13/7 8/7"), ((6, 5), "24/13")]
)
def test_the_opening_rolls_that_every_book_agrees_on(dice: tuple[int, int], play: str) -> None:
    assert str(PlainPlayer().play(to_play(START, *dice))) == play


def test_a_checker_is_taken_off_rather_than_moved_within_the_home_board() -> None:
    bearing_off = position({1: 3, 6: 2, 5: 1}, {24: 2})
    assert PlainPlayer().play(to_play(bearing_off, 6, 1)).position.off == 11


def test_a_blot_on_the_bar_point_is_hit() -> None:
    hit = PlainPlayer().play(to_play(position({13: 5, 8: 3, 6: 5, 24: 2}, {7: 1, 12: 5, 17: 3, 19: 6}), 6, 1))
    assert "7*" in str(hit)


def test_both_sides_of_a_symmetric_position_stand_alike() -> None:
    assert standing(START) == pytest.approx(0)
    assert standing(RACE_WELL_AHEAD) == pytest.approx(-standing(RACE_WELL_AHEAD.mirrored()))


def test_every_answer_is_legal_and_the_same_the_next_time() -> None:
    chance, match = random.Random(5), apply(new_match(CLUB, 3), Action(Kind.ACCEPT, Side.BLACK))
    for _ in range(60):
        match = next_of(match, chance)
        if match.phase is Phase.PLAY and legal(match):
            play = PlainPlayer().play(match)
            assert play in legal(match)
            assert play == PlainPlayer().play(match)


def next_of(match: Match, chance: random.Random) -> Match:
    """One step of a game in which both sides are plain."""
    dice = Dice(chance.randint(1, 6), chance.randint(1, 6))
    if match.phase is Phase.OPENING:
        return apply(match, Action(Kind.OPENING_ROLL, None, dice))
    side = match.on_turn
    if side is None:
        return apply(new_match(CLUB, 3), Action(Kind.ACCEPT, Side.BLACK))
    decision = decide(PlainPlayer(looks_ahead=False), match, side)
    play = next((play for play in legal(match) if str(play) == decision.play), None)
    return apply(
        match, Action(decision.action, side, dice=dice if decision.action is Kind.ROLL else None, play=play)
    )


def test_a_race_even_on_pips_is_a_little_better_for_the_side_on_roll() -> None:
    assert 0.5 < chances.of_game(RACE_EVEN) < 0.75


@pytest.mark.parametrize(("seen", "doubles"), [(RACE_WELL_AHEAD, True), (RACE_EVEN, False), (START, False)])
def test_it_doubles_a_clear_lead_and_not_before(seen: Position, doubles: bool) -> None:
    assert PlainPlayer().doubles(to_roll(seen)) is doubles


def test_it_passes_a_lost_race_and_takes_an_even_one() -> None:
    assert not PlainPlayer().takes(to_roll(RACE_WELL_AHEAD, phase=Phase.TAKE_OR_PASS))
    assert PlainPlayer().takes(to_roll(RACE_EVEN, phase=Phase.TAKE_OR_PASS))


def test_after_the_crawford_game_the_side_behind_doubles_at_once() -> None:
    behind = to_roll(START, score=(3, 6), crawford=Crawford.OVER)
    assert PlainPlayer().doubles(behind)
    assert not PlainPlayer().doubles(replace(behind, score=(3, 3)))


def test_a_match_chance_is_even_at_an_even_score_and_certain_at_its_end() -> None:
    assert chances.of_match(5, 5) == 0.5
    assert chances.of_match(0, 5) == 1
    assert chances.of_match(5, -1) == 0
    assert chances.of_match(2, 4) == pytest.approx(1 - chances.of_match(4, 2))


def test_in_a_points_session_a_take_needs_nearly_a_quarter() -> None:
    assert 0.2 < chances.least_to_take(to_roll(START, 0), Side.BLACK) < 0.25


def test_a_single_game_is_taken_unless_a_gammon_is_near() -> None:
    gone = position({24: 5, 23: 5, 22: 5}, {20: 3, 21: 2})
    offered = to_roll(gone, offer=Offer(Side.WHITE, 1), phase=Phase.ANSWER_RESIGNATION)
    assert not PlainPlayer().settles(offered)
    assert PlainPlayer().settles(replace(offered, offer=Offer(Side.WHITE, 2)))
    assert PlainPlayer().settles(replace(offered, position=RACE_EVEN))


def test_the_cube_on_the_other_side_is_left_alone() -> None:
    theirs = to_roll(RACE_WELL_AHEAD, cube=Cube(2, Side.BLACK))
    assert decide(PlainPlayer(), theirs, Side.WHITE).action is Kind.ROLL
