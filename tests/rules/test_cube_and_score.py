"""The cube, the score, Crawford and resignation, as matches in a few actions each."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from bgmail.rules.action import Action, ActionRefused, Kind
from bgmail.rules.certain import certain_loss
from bgmail.rules.dice import Dice
from bgmail.rules.match import Match, Phase, apply, legal, new_match
from bgmail.rules.notation import find_play
from bgmail.rules.options import options, resignation_choices, resignation_values, why_no_double
from bgmail.rules.position import Position
from bgmail.rules.ruleset import CLUB, FEDERATION, HOUSE, STANDARD, RuleSet
from bgmail.rules.score import Crawford, Cube, Ending, worth
from bgmail.rules.side import Pair, Side, put

WHITE, BLACK = Side.WHITE, Side.BLACK


def board(own: dict[int, int], other: dict[int, int] | None = None) -> Position:
    """A position by hand: own checkers by point (25 = bar), the opponent's in the same numbering (0 = its bar)."""
    points = [0] * 26
    for point, count in own.items():
        points[point] = count
    for point, count in (other or {}).items():
        points[point] = -count
    return Position.from_board(points)


def started(rules: RuleSet = CLUB, length: int = 7, games: int = 0) -> Match:
    """A match in which White has won the opening with 3-1."""
    accepted = apply(new_match(rules, length, games), Action(Kind.ACCEPT, BLACK))
    return apply(accepted, Action(Kind.OPENING_ROLL, None, dice=Dice(3, 1)))


def before_roll(
    side: Side = WHITE,
    *,
    score: Pair = (0, 0),
    cube: Cube | None = None,
    length: int = 7,
    rules: RuleSet = CLUB,
) -> Match:
    """`side` is about to roll or double at a score, somewhere in a game."""
    match = replace(started(rules, length), phase=Phase.ROLL_OR_DOUBLE, turn=side, dice=None, opening=False)
    return replace(match, score=score, cube=cube or Cube())


def do(match: Match, kind: Kind, side: Side | None = None, **values: object) -> Match:
    return apply(match, Action(kind, side if side is not None else match.on_turn, **values))  # type: ignore[arg-type]


def play(match: Match, text: str) -> Match:
    assert match.dice is not None
    return do(match, Kind.PLAY, play=find_play(match.position, match.dice, text, match.rules))


def refusal(match: Match, kind: Kind, side: Side, **values: object) -> str:
    with pytest.raises(ActionRefused) as refused:
        do(match, kind, side, **values)
    return refused.value.code


def test_the_higher_die_opens_with_both_dice() -> None:
    accepted = apply(new_match(CLUB, 5), Action(Kind.ACCEPT, BLACK))
    black_first = apply(accepted, Action(Kind.OPENING_ROLL, None, dice=Dice(2, 5)))
    assert (black_first.turn, black_first.phase, black_first.dice) == (BLACK, Phase.PLAY, Dice(2, 5))


def test_an_opening_tie_is_rolled_again() -> None:
    accepted = apply(new_match(CLUB, 5), Action(Kind.ACCEPT, BLACK))
    assert apply(accepted, Action(Kind.OPENING_ROLL, None, dice=Dice(4, 4))) == accepted


def test_nobody_doubles_before_the_opening_turn_is_over_and_the_second_side_may() -> None:
    match = started()
    assert Kind.DOUBLE not in options(match, WHITE)
    assert refusal(match, Kind.DOUBLE, WHITE) == "wrong_phase"
    after = play(match, "8/5 6/5")
    assert Kind.DOUBLE in options(after, BLACK)


@pytest.mark.parametrize("doubler", [WHITE, BLACK])
def test_a_passed_redouble_gives_the_doubler_the_present_value(doubler: Side) -> None:
    """A score built from the other side's made 7-5 of 3-5."""
    score = put(put((0, 0), doubler, 3), doubler.other, 5)
    match = before_roll(doubler, score=score, cube=Cube(2, doubler))
    match = do(match, Kind.DOUBLE)
    assert match.on_turn is doubler.other
    after = do(match, Kind.PASS)
    assert after.score == (5, 5)
    assert after.phase is Phase.OPENING
    assert (after.cube, after.offer, after.game) == (Cube(1, None), None, 2)


def test_a_take_from_the_game_before_is_refused() -> None:
    passed = do(do(before_roll(), Kind.DOUBLE), Kind.PASS)
    opened = apply(passed, Action(Kind.OPENING_ROLL, None, dice=Dice(1, 6)))
    assert refusal(opened, Kind.TAKE, BLACK) == "wrong_phase"


def test_who_takes_owns_the_cube_and_the_doubler_rolls() -> None:
    taken = do(do(before_roll(), Kind.DOUBLE), Kind.TAKE)
    assert (taken.cube, taken.turn, taken.phase) == (Cube(2, BLACK), WHITE, Phase.ROLL_OR_DOUBLE)
    assert why_no_double(taken, WHITE) == "cube_not_yours"


@pytest.mark.parametrize(
    ("loser", "points"),
    [
        ({19: 5, 20: 5, 21: 5}, 4),  # all in the loser's own home: gammon
        ({0: 1, 19: 5, 20: 5, 21: 4}, 6),  # one on the bar: backgammon
        ({3: 1, 19: 5, 20: 5, 21: 4}, 6),  # one in the winner's home: backgammon
        ({19: 5, 20: 5, 21: 4}, 2),  # one off: single
        ({12: 5, 17: 3, 19: 5, 7: 2}, 4),  # none in the winner's home: no triple
    ],
)
def test_the_last_checker_off_scores_what_the_loser_left(loser: dict[int, int], points: int) -> None:
    match = replace(before_roll(length=9, cube=Cube(2, BLACK)), position=board({1: 1}, loser))
    after = play(do(match, Kind.ROLL, dice=Dice(2, 1)), "1/off")
    assert after.score == (points, 0)
    assert after.last_game is not None
    assert (after.last_game.points, after.last_game.ending) == (points, Ending.BEAR_OFF)


def test_a_backgammon_at_64_is_stored_as_192_and_ends_the_match_once() -> None:
    match = before_roll(length=25, cube=Cube(64, BLACK))
    match = replace(match, position=board({1: 1}, {0: 1, 19: 5, 20: 5, 21: 4}))
    after = play(do(match, Kind.ROLL, dice=Dice(3, 3)), "1/off")
    assert after.score == (192, 0)
    assert after.phase is Phase.OVER
    assert after.result is not None
    assert after.result.winner is WHITE
    assert refusal(after, Kind.ROLL, BLACK) == "match_over"


def test_the_cube_stops_at_64() -> None:
    assert why_no_double(before_roll(length=0 + 25, cube=Cube(64, WHITE)), WHITE) == "cube_at_limit"


@pytest.mark.parametrize(
    ("match", "reason"),
    [
        (before_roll(length=1), "no_cube"),
        (before_roll(length=5, score=(3, 1), cube=Cube(2, WHITE)), "dead_cube"),
        (replace(before_roll(length=5, score=(4, 1)), crawford=Crawford.OVER), "dead_cube"),
        (replace(before_roll(length=5, score=(4, 1)), crawford=Crawford.ACTIVE), "crawford_game"),
        (before_roll(length=5, score=(2, 1), cube=Cube(2, WHITE)), None),
    ],
)
def test_a_double_that_cannot_matter_is_refused_with_its_reason(match: Match, reason: str | None) -> None:
    assert why_no_double(match, WHITE) == reason
    if reason:
        assert refusal(match, Kind.DOUBLE, WHITE) == reason


def test_no_cube_goes_above_the_first_power_of_two_that_ends_the_match() -> None:
    """At every score of a match of five points and of seven, at every cube, whoever asks."""
    values = [2**power for power in range(7)]
    for length in (5, 7):
        for score in product(range(length), repeat=2):
            most = next(value for value in values if value >= length - min(score))
            for value in values:
                match = before_roll(length=length, score=score, cube=Cube(value, WHITE))
                assert why_no_double(match, WHITE) is not None or 2 * value <= most, (score, value)


def test_federation_and_standard_allow_a_dead_cube() -> None:
    for rules in (FEDERATION, STANDARD):
        match = before_roll(length=5, score=(3, 1), cube=Cube(2, WHITE), rules=rules)
        assert do(match, Kind.DOUBLE).phase is Phase.TAKE_OR_PASS


def test_the_crawford_game_is_the_first_one_at_match_point_and_only_that() -> None:
    match = started(length=3)
    assert match.crawford is Crawford.PENDING
    two_away = do(do(before_roll(length=3), Kind.DOUBLE), Kind.PASS)
    assert (two_away.score, two_away.crawford) == ((1, 0), Crawford.PENDING)
    one_away = do(do(before_roll(score=(1, 0), length=3), Kind.DOUBLE), Kind.PASS)
    assert (one_away.score, one_away.crawford) == ((2, 0), Crawford.ACTIVE)
    trailer_wins = replace(one_away, phase=Phase.ROLL_OR_DOUBLE, turn=BLACK, position=board({1: 1}, {19: 14}))
    after = play(do(trailer_wins, Kind.ROLL, dice=Dice(2, 1)), "1/off")
    assert (after.score, after.crawford) == ((2, 1), Crawford.OVER)


def test_a_one_point_match_has_neither_cube_nor_crawford() -> None:
    match = started(length=1)
    assert match.crawford is Crawford.NONE
    assert why_no_double(replace(match, phase=Phase.ROLL_OR_DOUBLE), WHITE) == "no_cube"


def test_a_session_counts_games_has_no_crawford_and_may_be_drawn() -> None:
    match = replace(before_roll(length=7), length=0, games=2, crawford=Crawford.NONE)
    one = do(do(match, Kind.DOUBLE), Kind.PASS)
    assert (one.score, one.phase, one.crawford) == ((1, 0), Phase.OPENING, Crawford.NONE)
    second = replace(one, phase=Phase.ROLL_OR_DOUBLE, turn=BLACK)
    two = do(do(second, Kind.DOUBLE), Kind.PASS)
    assert (two.score, two.phase) == ((1, 1), Phase.OVER)
    assert two.result is not None
    assert two.result.winner is None


@pytest.mark.parametrize(
    ("length", "games"), [(26, 0), (-1, 0), (0, 0), (7, 3)], ids=["long", "negative", "no games", "both"]
)
def test_terms_that_are_not_on_offer_are_refused(length: int, games: int) -> None:
    with pytest.raises(ActionRefused):
        new_match(CLUB, length, games)


def test_with_a_checker_off_only_a_single_can_be_resigned() -> None:
    match = replace(before_roll(), position=board({6: 14}, {19: 15}))
    assert resignation_values(match, WHITE) == (1,)
    assert refusal(match, Kind.RESIGN, WHITE, value=2) == "resign_value"


@pytest.mark.parametrize(("value", "points"), [(1, 2), (2, 4), (3, 6)])
def test_an_offer_is_worth_its_value_times_the_cube_when_accepted(value: int, points: int) -> None:
    match = replace(before_roll(cube=Cube(2, BLACK)), position=board({20: 1, 6: 14}, {19: 15}))
    offered = do(match, Kind.RESIGN, value=value)
    assert (offered.phase, offered.on_turn) == (Phase.ANSWER_RESIGNATION, BLACK)
    assert do(offered, Kind.ACCEPT_RESIGNATION).score == (0, points)


CHOICES: list[tuple[str, Match, tuple[int, ...]]] = [
    ("all make a difference", before_roll(), (1, 2, 3)),
    ("one point, one game", before_roll(length=1), (1,)),
    ("the winner needs a point", before_roll(score=(0, 6)), (1,)),
    ("the other side does", before_roll(score=(6, 0)), (1, 2, 3)),
    ("two points: a gammon ends it as a backgammon does", before_roll(score=(0, 5)), (1, 2)),
    ("the cube is enough", before_roll(score=(0, 5), cube=Cube(2, BLACK)), (1,)),
    ("the wager is enough", replace(before_roll(length=5, rules=HOUSE), wager=5), (1,)),
    ("a session counts every point", replace(started(CLUB, 0, 3), score=(0, 99)), (1, 2, 3)),
    ("a gammon is certain", replace(before_roll(length=1), position=board({13: 15}, {24: 1})), (2,)),
    (
        "by position",
        replace(before_roll(length=1, rules=FEDERATION), position=board({24: 1, 6: 14}, {19: 15})),
        (3,),
    ),
]


@pytest.mark.parametrize(
    ("match", "choices"), [case[1:] for case in CHOICES], ids=[case[0] for case in CHOICES]
)
def test_only_what_makes_a_difference_is_there_to_choose_and_the_rest_is_accepted_all_the_same(
    match: Match, choices: tuple[int, ...]
) -> None:
    assert resignation_choices(match, WHITE) == choices
    for value in resignation_values(match, WHITE):
        assert do(match, Kind.RESIGN, WHITE, value=value) != match


@pytest.mark.parametrize("dice", [None, Dice(6, 5)])
def test_a_refused_offer_is_cleared_and_the_same_turn_goes_on(dice: Dice | None) -> None:
    match = before_roll()
    if dice:
        match = do(match, Kind.ROLL, dice=dice)
    back = do(do(match, Kind.RESIGN, value=1), Kind.DECLINE_RESIGNATION)
    assert replace(back, offers=frozenset()) == match
    assert refusal(back, Kind.RESIGN, WHITE, value=1) == "resign_not_now"


def test_off_turn_an_offer_changes_only_the_options_and_playing_on_declines_it() -> None:
    match = before_roll()
    offered = do(match, Kind.RESIGN, BLACK, value=1)
    assert (offered.phase, offered.on_turn) == (match.phase, match.on_turn)
    assert {Kind.ACCEPT_RESIGNATION, Kind.DECLINE_RESIGNATION} <= set(options(offered, WHITE))
    assert do(offered, Kind.ROLL, dice=Dice(6, 1)).offer is None
    assert do(offered, Kind.ACCEPT_RESIGNATION).score == (1, 0)


def test_nobody_resigns_a_game_while_a_double_is_open() -> None:
    asked = do(before_roll(), Kind.DOUBLE)
    for side in Side:
        assert refusal(asked, Kind.RESIGN, side, value=1) == "resign_not_now"


def test_the_federation_resigns_by_position_at_once() -> None:
    match = replace(before_roll(rules=FEDERATION), position=board({24: 1, 6: 14}, {19: 15}))
    assert resignation_values(match, WHITE) == (3,)
    assert do(match, Kind.RESIGN).score == (0, 3)
    assert refusal(match, Kind.RESIGN, WHITE, value=1) == "resign_value"


@pytest.mark.parametrize("kind", [Kind.RESIGN_MATCH, Kind.TIMEOUT])
def test_a_lost_match_keeps_the_played_score_and_awards_what_is_missing(kind: Kind) -> None:
    match = before_roll(BLACK, score=(2, 3))
    after = do(match, kind, BLACK)
    assert after.score == (2, 3)
    assert after.result is not None
    assert (after.result.winner, after.result.awarded) == (WHITE, (5, 0))
    ending = Ending.TIMEOUT if kind is Kind.TIMEOUT else Ending.RESIGNED
    assert after.result.ending is ending


def test_a_gammon_is_certain_only_when_no_dice_can_avoid_it() -> None:
    far = board({13: 5, 6: 10}, {24: 2})  # the winner needs one turn, the loser 35 pips and a checker off
    assert certain_loss(far, CLUB, loser_on_roll=False) == 2
    assert certain_loss(far, CLUB, loser_on_roll=True) == 2
    near = board({7: 1, 6: 14}, {24: 2})
    assert certain_loss(near, CLUB, loser_on_roll=True) == 1


def test_a_backgammon_is_certain_when_the_winners_home_cannot_be_left_in_time() -> None:
    stuck = board({24: 1, 23: 14}, {19: 1})
    assert certain_loss(stuck, CLUB, loser_on_roll=False) == 1, "there is still contact"
    passed = board({20: 15}, {24: 2})  # 30 pips to leave the winner's home, who is off in one turn
    assert worth(passed, CLUB) == 3
    assert certain_loss(passed, CLUB, loser_on_roll=True) == 3
    assert certain_loss(board({20: 12, 6: 3}, {24: 2}), CLUB, loser_on_roll=True) == 2


def test_a_dance_is_the_only_play_when_nothing_moves() -> None:
    shut = board({25: 1, 6: 14}, {19: 2, 20: 2, 21: 2, 22: 2, 23: 2, 24: 2, 12: 3})
    match = do(replace(before_roll(), position=shut), Kind.ROLL, dice=Dice(6, 5))
    assert legal(match) == ()
    after = do(match, Kind.PLAY)
    assert (after.turn, after.position.mirrored()) == (BLACK, shut)
