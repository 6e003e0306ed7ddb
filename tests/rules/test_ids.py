"""Match IDs and XGIDs: what they say, and that GNU Backgammon reads the same from them."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bgmail.rules import Dice, Position
from bgmail.rules.ids import BadId, Situation, gnubg_match_id, parse_gnubg_match_id, parse_xgid, xgid
from tests.rules.boards import board, random_game

START = Position.start()
QUIET = [
    *(
        "set automatic roll off",
        "set automatic game off",
        "set automatic move off",
        "set automatic crawford off",
    ),
    *(
        "set automatic bearoff off",
        "set player 0 human",
        "set player 1 human",
        "set jacoby off",
        "new match 7",
    ),
]
MARK, MARKED = "show jacoby", "New money sessions are played without"
SHOWN = re.compile(r"Position ID: (\S+)\s+Match ID\s+: (\S+)")


def shown_by_gnubg(gnubg: Path, commands: list[str]) -> list[tuple[str, str]]:
    """Position ID and Match ID of the board that GNU Backgammon draws after each command."""
    shows = [line for command in commands for line in (command, MARK, "show board")]
    lines = "\n".join([*QUIET, *shows, "exit", "y"])
    told = subprocess.run(
        [gnubg, "-t", "-q"], input=lines, capture_output=True, text=True, timeout=120, check=True
    ).stdout
    boards = [SHOWN.search(part) for part in told.split(MARKED)[1:]]
    return [(board[1], board[2]) for board in boards if board]


def situations(chance: Random) -> Situation:
    """Any state of a match in which a side rolls, doubles or plays; all in one game of one match length."""
    length = chance.randint(3, 25)
    score = (chance.randrange(length), chance.randrange(length))
    on_roll = chance.randint(0, 1)
    crawford = length - 1 in score and score[0] != score[1] and chance.random() < 0.5
    owner = None if crawford else chance.choice([None, 0, 1])
    cube = 1 if owner is None else 2 ** chance.randint(1, 4)
    dice = chance.choice([None, Dice(chance.randint(1, 6), chance.randint(1, 6))])
    return Situation(
        on_roll=on_roll,
        to_act=on_roll,
        cube=cube,
        owner=owner,
        dice=dice,
        crawford=crawford,
        length=length,
        score=score,
    )


def told(seed: int, count: int) -> list[tuple[Position, Situation]]:
    chance = Random(seed)
    positions = [position for position, _ in random_game(chance) if position.off < 15]
    return [(chance.choice(positions), situations(chance)) for _ in range(count)]


@pytest.mark.gnubg
def test_gnu_backgammon_shows_the_ids_that_it_was_told(gnubg_path: Path) -> None:
    for_gnubg = told(1, 60)
    ids = [(position.id, gnubg_match_id(said)) for position, said in for_gnubg]

    shown = shown_by_gnubg(gnubg_path, [f"set gnubgid {position}:{match}" for position, match in ids])

    assert shown == ids


@pytest.mark.gnubg
def test_gnu_backgammon_reads_the_same_from_an_xgid(gnubg_path: Path) -> None:
    for_gnubg = [(position, replace(said, on_roll=1, to_act=1)) for position, said in told(2, 60)]
    ids = [(position.id, gnubg_match_id(said)) for position, said in for_gnubg]

    shown = shown_by_gnubg(gnubg_path, [f"set xgid {xgid(position, said)}" for position, said in for_gnubg])

    assert shown == ids


@pytest.mark.gnubg
def test_gnu_backgammon_sees_a_double_on_the_doublers_turn(gnubg_path: Path) -> None:
    """It can't show an open double from an id and steps back to it; the cube and the turn must be right."""
    doubled = Situation(on_roll=1, to_act=0, cube=2, owner=1, doubled=True, length=7, score=(5, 3))

    shown = shown_by_gnubg(gnubg_path, [f"set xgid {xgid(START, doubled)}"])

    assert shown[-1] == (START.id, gnubg_match_id(replace(doubled, doubled=False, to_act=1)))


@pytest.mark.gnubg
def test_in_a_points_session_gnu_backgammon_keeps_the_jacoby_rule_off(gnubg_path: Path) -> None:
    session = Situation(on_roll=0, to_act=0, length=0, score=(2, 4))
    match_id = gnubg_match_id(session)

    assert shown_by_gnubg(gnubg_path, [f"set matchid {match_id}"])[-1][1] == match_id


def test_the_known_example_of_the_opening_position_in_a_session() -> None:
    assert gnubg_match_id(Situation(on_roll=0, to_act=0)) == "MAEAAAAAAAAE"
    assert xgid(START, Situation(on_roll=0, to_act=0, dice=Dice(3, 1))) == (
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:6"
    )


FOUR_ONE = Situation(on_roll=1, to_act=1, length=7, score=(4, 1))


def test_the_score_of_the_side_on_roll_stands_first_whoever_looks() -> None:
    """Player A (0) leads 4-1 in a 7-point match and B (1) is on roll: B's 1 first, A's 4 second."""
    assert xgid(START, FOUR_ONE).split(":")[5:7] == ["1", "4"]
    assert xgid(START, replace(FOUR_ONE, on_roll=0, to_act=0)).split(":")[5:7] == ["4", "1"]


def test_in_the_match_id_scores_stay_with_their_players_when_the_turn_changes() -> None:
    for on_roll in (0, 1):
        read = parse_gnubg_match_id(gnubg_match_id(replace(FOUR_ONE, on_roll=on_roll, to_act=on_roll)))
        assert (read.score, read.on_roll) == ((4, 1), on_roll)
        away = [read.length - points for points in read.score]
        assert (away[1], away[0]) == (6, 3)


def test_the_mirrored_view_tells_the_same_with_the_sides_exchanged() -> None:
    position = board({6: 5, 8: 3, 25: 1}, {24: 2, 20: 3, 0: 1})
    said = replace(FOUR_ONE, cube=2, owner=0)
    turned = replace(FOUR_ONE, on_roll=0, to_act=0, score=(1, 4), cube=2, owner=1)
    assert xgid(position, said) == xgid(position, turned)


def larger_first(said: Situation) -> Situation:
    """As the ids tell it: the order in which the dice were drawn is not in them."""
    return replace(said, dice=Dice(said.dice.high, said.dice.low)) if said.dice else said


@pytest.mark.parametrize("seed", range(3))
def test_ids_survive_the_round_trip(seed: int) -> None:
    for position, as_drawn in told(seed, 50):
        said = larger_first(as_drawn)
        assert parse_gnubg_match_id(gnubg_match_id(said)) == said
        as_lower = replace(said, on_roll=1, to_act=1)
        assert parse_xgid(xgid(position, as_lower)) == (position, as_lower)


def test_a_double_and_a_resignation_are_told_with_the_side_that_answers() -> None:
    doubled = Situation(on_roll=0, to_act=1, cube=4, owner=0, doubled=True, length=9, score=(1, 2))
    resigned = Situation(on_roll=0, to_act=1, resigned=2, length=9, dice=Dice(6, 5), playing=True)
    over = Situation(on_roll=0, to_act=0, length=3, score=(3, 1), playing=False)
    for said in (doubled, resigned, over):
        assert parse_gnubg_match_id(gnubg_match_id(said)) == said
    position, read = parse_xgid(xgid(START, replace(doubled, on_roll=1, to_act=0, owner=1)))
    assert (position, read.doubled, read.on_roll, read.to_act) == (START, True, 1, 0)


def test_an_xgid_with_the_upper_player_on_roll_is_seen_from_that_player() -> None:
    """The same situation written from both sides of the board."""
    text = "XGID=-b----E-C---eE---c-d--a-B-:1:-1:-1:52:3:5:0:7:10"
    position, said = parse_xgid(text)

    assert position == board(
        {3: 1, 6: 4, 8: 3, 13: 5, 24: 2},
        {1: 2, 12: 5, 17: 3, 19: 5},
    )
    assert (said.on_roll, said.owner, said.score, said.dice) == (0, 0, (5, 3), Dice(5, 2))


@pytest.mark.parametrize(
    "text",
    ["", "cAnnAAAAAAA", "cAnnAAAAAAAEE", "cAnnAAAAAAA=", "cAnn AAAAAAE", "cAnnAAAAAAÄE", "4HPwATDgc/ABMA"],
)
def test_what_is_no_match_id_is_refused(text: str) -> None:
    with pytest.raises(BadId):
        parse_gnubg_match_id(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "XGID=",
        "XGID=-b----E-C---eE---c-e----B-",
        "XGID=-b----E-C---eE---c-e----B:0:0:1:31:0:0:0:0:6",
        "XGID=-b----E-C---eE---c-e----Z-:0:0:1:31:0:0:0:0:6",
        "XGID=-b----E-C---eE---c-e----B-:0:0:0:31:0:0:0:0:6",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:71:0:0:0:0:6",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:6:1",
    ],
)
def test_what_is_no_xgid_is_refused(text: str) -> None:
    with pytest.raises(BadId):
        parse_xgid(text)


def test_an_xgid_of_an_impossible_position_is_refused() -> None:
    with pytest.raises(ValueError, match="16 checkers"):
        parse_xgid("XGID=-b----E-D---eE---c-e----B-:0:0:1:31:0:0:0:0:6")
