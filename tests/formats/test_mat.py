"""Writing .mat: what stands where, in fixed words, and nothing that nobody may know."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bgmail.formats.judge import judge
from bgmail.formats.mat import write_mat
from bgmail.formats.matreader import read_mat
from bgmail.formats.recorded import Event, EventKind, GameEnd, RecordedGame, RecordedMatch
from bgmail.formats.recording import Scribe
from bgmail.rules.action import Action, Kind
from bgmail.rules.dice import Dice
from bgmail.rules.match import Match, apply, new_match
from bgmail.rules.notation import find_play
from bgmail.rules.ruleset import STANDARD
from bgmail.rules.side import Side
from tests.formats.played import Step, play_match, recorded

W, B = Side.WHITE, Side.BLACK


def play(moves: list[tuple[object, ...]], length: int = 7) -> list[Step]:
    """The steps of a match told as (side, roll, play) and (side, word, value)."""
    match = apply(new_match(STANDARD, length), Action(Kind.ACCEPT, B))
    steps: list[Step] = []
    for told in moves:
        for action in _actions(steps[-1].after if steps else match, told):
            before = steps[-1].after if steps else match
            steps.append(Step(before, action, apply(before, action)))
    return steps


def _actions(match: Match, told: tuple[object, ...]) -> list[Action]:
    side, what, more = (*told, None)[:3]
    assert isinstance(side, Side)
    if isinstance(what, Kind):
        return [Action(what, side, value=more if isinstance(more, int) else None)]
    assert isinstance(what, str)
    dice = Dice(int(what[0]), int(what[1]))
    if match.on_turn is None:
        first = dice if side is W else Dice(dice.d2, dice.d1)
        roll = Action(Kind.OPENING_ROLL, None, dice=first)
    else:
        roll = Action(Kind.ROLL, side, dice=dice)
    rolled = apply(match, roll)
    if more is None:
        return [roll]
    if more == "":
        return [roll, Action(Kind.PLAY, side)]
    return [roll, Action(Kind.PLAY, side, play=find_play(rolled.position, dice, str(more), STANDARD))]


STORY: list[tuple[object, ...]] = [
    (W, "31", "8/5 6/5"),
    (B, "64", "24/14"),
    (W, Kind.DOUBLE),
    (B, Kind.TAKE),
    (W, "62", "24/18 13/11*"),
    (B, "66", ""),
    (W, "21", "6/4 5/4"),
    (B, "55"),
    (B, Kind.RESIGN, 2),
    (W, Kind.ACCEPT_RESIGNATION),
    (B, "41", "24/23 13/9"),
    (W, "22", "13/11(2) 6/4(2)"),
    (B, Kind.DOUBLE),
    (W, Kind.PASS),
    (W, "52", "13/8 13/11"),
    (B, "44", "24/16(2)"),
]


def test_results_cube_and_dances_stand_where_readers_expect_them() -> None:
    """A resigned gammon at cube 2, a passed double, and a game with doubles and a dance."""
    assert write_mat(recorded(play(STORY))) == (
        """\
 7 point match

 Game 1
 Alice : 0                           Bob : 0
  1) 31: 8/5 6/5                     64: 24/18 18/14
  2)  Doubles => 2                    Takes
  3) 62: 24/18 13/11*                66:
  4) 21: 6/4 5/4                     55:
      Wins 4 points

 Game 2
 Alice : 4                           Bob : 0
  1)                                 14: 13/9 24/23
  2) 22: 13/11 13/11 6/4 6/4          Doubles => 2
  3)  Drops                           Wins 1 point

 Game 3
 Alice : 4                           Bob : 1
  1) 52: 13/8 13/11                  44: 24/20 24/20 20/16 20/16
"""
    )


def test_the_scores_of_the_next_games_follow() -> None:
    judged = judge(read_mat(write_mat(recorded(play(STORY)))))
    assert judged.match.score == (4, 1)
    assert not judged.complete


@pytest.mark.parametrize(
    ("last", "column", "result"),
    [
        ((W, Kind.ACCEPT_RESIGNATION), 6, "Wins 2 points"),
        ((B, Kind.RESIGN_MATCH), 6, "Wins 7 points and the match"),
        ((B, Kind.TIMEOUT), 6, "Wins 7 points and the match"),
        ((W, Kind.TIMEOUT), 37, "Wins 7 points and the match"),
    ],
    ids=["resigned", "match given up", "Black out of time", "White out of time"],
)
def test_the_result_stands_in_the_winners_column(last: tuple[object, ...], column: int, result: str) -> None:
    offer = [(B, Kind.RESIGN, 2)] if last[1] is Kind.ACCEPT_RESIGNATION else []
    text = write_mat(recorded(play([*STORY[:2], *offer, last])))
    assert text.splitlines()[-1] == " " * column + result


def test_points_awarded_complete_the_match() -> None:
    steps = play([*STORY[:10], (B, "41", "24/23 13/9"), (W, Kind.TIMEOUT)])
    again = judge(read_mat(write_mat(recorded(steps))))
    assert again.complete
    assert again.final_score == (4, 7)


def test_a_running_match_shows_the_roll_on_the_board_and_nothing_after_it() -> None:
    text = write_mat(recorded(play([*STORY[:4], (W, "62")])))
    assert text.splitlines()[-1] == "  3) 62:"
    judged = judge(read_mat(text))
    assert judged.match.dice == Dice(6, 2)


def test_an_open_double_is_shown_and_an_open_offer_to_resign_is_not() -> None:
    doubled = write_mat(recorded(play(STORY[:3])))
    assert doubled.splitlines()[-1] == "  2)  Doubles => 2"
    offered = [*STORY[:4], (W, "62"), (W, Kind.RESIGN, 1)]
    assert write_mat(recorded(play(offered))) == write_mat(recorded(play(offered[:-1])))


def test_a_tie_of_the_opening_roll_is_not_written() -> None:
    start = apply(new_match(STANDARD, 7), Action(Kind.ACCEPT, B))
    tie = Action(Kind.OPENING_ROLL, None, dice=Dice(4, 4))
    text = write_mat(recorded([Step(start, tie, apply(start, tie))]))
    assert text.splitlines()[-2:] == [" Game 1", " Alice : 0                           Bob : 0"]


def test_before_the_first_roll_there_is_no_game_to_show() -> None:
    assert write_mat(Scribe().recorded(7, "Alice", "Bob")) == " 7 point match\n"


def test_the_file_has_fixed_words_and_ascii_digits() -> None:
    text = write_mat(recorded(play_match(3, 7, resign=0.02)), {"Site": "bgmail"})
    assert text.isascii()
    words = set(re.findall(r"[A-Za-z]+", text))
    ours = "Site bgmail Alice Bob point points match Game bar off Doubles Takes Drops Wins and the"
    assert words <= set(ours.split())


def test_only_what_is_known_stands_in_the_head() -> None:
    text = write_mat(recorded(play(STORY)), {"Site": "bgmail", "Player 1": "Alice"})
    assert text.splitlines()[:4] == ['; [Site "bgmail"]', '; [Player 1 "Alice"]', "", " 7 point match"]
    assert not write_mat(recorded(play(STORY))).startswith(";")


def test_a_deleted_player_has_a_name_that_a_strict_reader_takes() -> None:
    text = write_mat(recorded(play(STORY), white="Alice", black="closed account"))
    assert " Alice : 0                           closed account : 0\n" in text
    assert read_mat(text).black == "closed account"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Zoë Ångström", "Zoë Ångström"),
        ("", ""),
        ("a : 7     b", "a 7 b"),
        ("line\nend", "line end"),
        ("5) 31: 8/5", "5 31 8/5"),
        ("; quiet", "quiet"),
        ("bell\x07 and\ttab", "bell and tab"),
        ("x" * 60, "x" * 60),
    ],
)
def test_no_name_can_be_taken_for_another_part_of_the_file(name: str, written: str) -> None:
    text = write_mat(recorded(play(STORY), white=name))
    assert read_mat(text).white == written
    assert judge(read_mat(text)).match.score == (4, 1)


def test_a_quotation_mark_cannot_end_a_header() -> None:
    text = write_mat(recorded(play(STORY)), {"Event": 'Dana\'s "cup"\n 9 point match'})
    assert text.splitlines()[0] == """; [Event "Dana's 'cup' 9 point match"]"""


@pytest.mark.parametrize("seed", range(8))
def test_what_is_written_comes_back_action_for_action(seed: int) -> None:
    match = recorded(play_match(seed, (1, 3, 5, 0)[seed % 4], 2 if seed % 4 == 3 else 0, resign=0.02))
    again = read_mat(write_mat(match))
    assert judge(again).games == judge(match).games
    assert judge(again).match == judge(match).match


def test_a_play_without_dice_is_a_mistake_of_the_caller() -> None:
    event = Event(EventKind.PLAY, W, 1)
    broken = RecordedMatch(1, "Alice", "Bob", (RecordedGame(1, (0, 0), (event,)),))
    with pytest.raises(ValueError, match="a play without dice in line 1"):
        write_mat(broken)


def test_only_the_last_game_says_and_the_match() -> None:
    match = recorded(play_match(9, 5))
    lines = [line for line in write_mat(match).splitlines() if "Wins" in line]
    assert [line.endswith("and the match") for line in lines] == [False] * (len(lines) - 1) + [True]


def test_a_session_and_a_match_broken_off_do_not_say_it() -> None:
    session = recorded(play_match(9, 0, 2))
    assert "and the match" not in write_mat(session)
    game = session.games[0]
    short = replace(session, length=25, games=(replace(game, end=GameEnd(W, 1)),))
    assert "and the match" not in write_mat(short)
