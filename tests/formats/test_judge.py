"""A recorded match is replayed by the rules: right ones give their actions, wrong ones name game and move."""

from __future__ import annotations

from functools import cache

import pytest

from bgmail.formats.judge import Judged, judge
from bgmail.formats.matreader import read_mat
from bgmail.formats.refusal import ImportRefused
from bgmail.rules.action import Action, Kind
from bgmail.rules.dice import Dice
from bgmail.rules.match import Phase, apply, new_match
from bgmail.rules.ruleset import STANDARD
from bgmail.rules.score import Ending
from bgmail.rules.side import Side
from tests.formats.played import play_match, recorded

KEPT = {Kind.ROLL, Kind.PLAY, Kind.DOUBLE, Kind.TAKE, Kind.PASS}

ALICE_OPENS = """
  1) 31: 8/5 6/5                64: 24/14
"""


def match(rows: str, length: int = 7, score: str = "0 0", more: str = "") -> str:
    white, black = score.split()
    return f"""
 {length} point match

 Game 1
 Alice : {white}                      Bob : {black}
{rows.strip(chr(10))}
{more}"""


def replay(text: str) -> Judged:
    return judge(read_mat(text))


def kinds(judged: Judged, game: int = 0) -> list[Kind]:
    return [action.kind for action in judged.games[game]]


@pytest.mark.parametrize("seed", range(12))
def test_the_actions_of_a_played_match_come_out_again(seed: int) -> None:
    """Offers to resign that were declined leave no trace in a file; all else does."""
    steps = play_match(seed, (1, 3, 5, 0)[seed % 4], 3 if seed % 4 == 3 else 0, resign=0.02)
    judged = judge(recorded(steps))
    assert judged.complete
    assert judged.match.score == steps[-1].after.score
    assert judged.match.result == steps[-1].after.result
    assert [action for game in judged.games for action in game if action.kind in KEPT] == [
        step.action for step in steps if step.action.kind in KEPT
    ]


def test_the_actions_lead_from_the_accepted_invitation_to_the_match() -> None:
    judged = judge(recorded(play_match(5, 5)))
    replayed = apply(new_match(STANDARD, 5), Action(Kind.ACCEPT, Side.BLACK))
    for game in judged.games:
        for action in game:
            replayed = apply(replayed, action)
    assert replayed == judged.match


@pytest.mark.parametrize(
    ("rows", "dice", "first"),
    [
        ("  1) 31: 8/5 6/5", Dice(3, 1), Side.WHITE),
        ("  1) 13: 8/5 6/5", Dice(3, 1), Side.WHITE),
        ("  1)                            31: 8/5 6/5", Dice(1, 3), Side.BLACK),
        ("  1)                            13: 8/5 6/5", Dice(1, 3), Side.BLACK),
    ],
)
def test_the_first_roll_is_the_opening_roll_and_the_larger_die_is_the_openers(
    rows: str, dice: Dice, first: Side
) -> None:
    opening, play = replay(match(rows)).games[0]
    assert (opening.kind, opening.side, opening.dice) == (Kind.OPENING_ROLL, None, dice)
    assert (play.kind, play.side) == (Kind.PLAY, first)


def test_a_roll_with_nothing_after_it_is_a_dance_where_nothing_can_be_played() -> None:
    rows = """
  1) 31: 8/5 6/5                64: 24/14
  2) 62: 24/18 13/11*           66:
"""
    judged = replay(match(rows))
    assert judged.games[0][-1] == Action(Kind.PLAY, Side.BLACK)
    assert judged.match.phase is Phase.ROLL_OR_DOUBLE
    assert judged.match.turn is Side.WHITE


def test_a_roll_that_could_be_played_stays_on_the_board_of_a_match_broken_off() -> None:
    judged = replay(match(ALICE_OPENS + "  2) 52:"))
    assert judged.match.phase is Phase.PLAY
    assert judged.match.dice == Dice(5, 2)
    assert not judged.complete


@pytest.mark.parametrize(("points", "worth"), [(1, 1), (2, 2), (3, 3)])
def test_a_game_given_up_after_the_roll_is_resigned_for_what_the_file_says(points: int, worth: int) -> None:
    judged = replay(match(ALICE_OPENS + f"  2) 52:                         Wins {points} points"))
    assert judged.games[0][-2:] == (
        Action(Kind.RESIGN, Side.WHITE, value=worth),
        Action(Kind.ACCEPT_RESIGNATION, Side.BLACK),
    )
    assert judged.match.score == (0, points)


def test_a_resignation_counts_times_the_cube() -> None:
    rows = (
        ALICE_OPENS
        + """  2)  Doubles => 2               Takes
  3) 52: 13/8 13/11             Resigns
      Wins 4 points
"""
    )
    judged = replay(match(rows))
    assert judged.games[0][-2] == Action(Kind.RESIGN, Side.BLACK, value=2)
    assert judged.match.score == (4, 0)


def test_a_result_after_a_double_is_its_pass_even_without_the_word() -> None:
    judged = replay(match(ALICE_OPENS + "  2)  Doubles => 2\n      Wins 1 point"))
    assert kinds(judged)[-1] is Kind.PASS
    assert judged.match.score == (1, 0)


@pytest.mark.parametrize(
    ("entries", "score"),
    [("      Wins 1 point", (1, 0)), ("  1)  Losses 1 point            Wins 1 point", (0, 1))],
)
def test_a_game_can_be_given_up_before_its_opening_roll(entries: str, score: tuple[int, int]) -> None:
    judged = replay(match(entries))
    assert kinds(judged) == [Kind.RESIGN, Kind.ACCEPT_RESIGNATION]
    assert judged.match.score == score
    assert judged.match.phase is Phase.OPENING


@pytest.mark.parametrize("points", [5, 7, 4016])
def test_a_last_game_that_decides_with_impossible_points_gives_the_match_up(points: int) -> None:
    judged = replay(match(ALICE_OPENS + f"  2) 52:                         Wins {points} points", length=5))
    assert kinds(judged)[-1] is Kind.RESIGN_MATCH
    assert judged.complete
    assert judged.match.result is not None
    assert (judged.match.result.winner, judged.match.result.ending) == (Side.BLACK, Ending.RESIGNED)
    assert judged.final_score == (0, 5)


def test_a_stop_that_is_not_named_hits_nothing_if_it_can_be_made_without() -> None:
    """Bob's 24/14 could hit on his 18 or pass by 20."""
    judged = replay(match("  1) 61: 13/7 24/23               64: 24/14"))
    assert judged.match.position.board[25] == 0
    assert judged.match.position.board[7] == 1


def test_a_named_stop_hits() -> None:
    judged = replay(match("  1) 61: 13/7 24/23               64: 24/18*/14"))
    assert judged.match.position.board[25] == 1


def bear_off(result: str, length: int) -> str:
    """A whole game, played by chance, that White wins by bearing off with a gammon."""
    text = _gammon_text()
    return text.replace("1 point match", f"{length} point match").replace("RESULT", result)


@cache
def _gammon_text() -> str:
    for seed in range(200):
        steps = play_match(seed, 1, resign=0)
        last = steps[-1].after.last_game
        if last and last.ending is Ending.BEAR_OFF and last.worth == 2 and last.winner is Side.WHITE:
            rows = [
                (event.side, f"{event.dice.d1}{event.dice.d2}: {event.play}")
                for event in recorded(steps).games[0].events
                if event.dice
            ]
            return _rows(rows)
    raise AssertionError("no gammon among two hundred matches")


def _rows(entries: list[tuple[Side, str]]) -> str:
    lines = ["1 point match", "Game 1", "Alice : 0     Bob : 0"]
    blank = (Side.WHITE, "")
    if entries[0][0] is Side.BLACK:
        entries = [blank, *entries]
    for number, start in enumerate(range(0, len(entries), 2), 1):
        pair = entries[start : start + 2]
        lines.append(f"{number:3}) {pair[0][1]:<40} {pair[1][1] if len(pair) > 1 else ''}")
    return "\n".join([*lines, "RESULT", ""])


@pytest.mark.parametrize(("length", "written"), [(7, 2), (2, 2), (1, 2), (1, 1)])
def test_a_gammon_counts_two_or_what_the_match_still_needed(length: int, written: int) -> None:
    judged = replay(bear_off(f"      Wins {written} points", length))
    assert judged.match.score == (2, 0)


@pytest.mark.parametrize(("length", "written"), [(7, 1), (7, 3), (2, 1), (1, 3)])
def test_other_points_than_the_plays_say_are_refused(length: int, written: int) -> None:
    with pytest.raises(ImportRefused, match=rf"white wins 2, not white {written}"):
        replay(bear_off(f"      Wins {written} points", length))


def test_a_result_on_a_line_of_its_own_belongs_to_the_side_that_won_by_its_plays() -> None:
    assert replay(bear_off(" " * 50 + "Wins 2 points", 7)).match.score == (2, 0)


def test_a_result_in_the_losers_entry_is_refused() -> None:
    text = bear_off("", 7).rstrip()
    head, _, last = text.rpartition("\n")
    with pytest.raises(ImportRefused, match=r"game 1, move \d+: white wins 2, not black 2"):
        replay(f"{head}\n{last:<46} Wins 2 points\n")


def test_a_session_has_as_many_games_as_the_file() -> None:
    text = match(ALICE_OPENS + "      Wins 2 points", length=0, more="""
 Game 2
 Alice : 2                      Bob : 0
  1)                            41: 24/23 13/9
  2) 52: 13/11 13/8
                                  Wins 1 point
""")  # fmt: skip
    judged = replay(text)
    assert judged.complete
    assert judged.match.games == 2
    assert judged.final_score == (2, 1)


TAKEN = ALICE_OPENS + "  2)  Doubles => 2               Takes\n"
WON = ALICE_OPENS + "  2) 52:                         Wins 1 point\n"
CRAWFORD = """
 Game 2
 Alice : 0                      Bob : 1
  1) 31: 8/5 6/5                 Doubles => 2
"""


def game_with(entries: str) -> str:
    """A game to 7 points after Alice's opening turn and Bob's."""
    return match(ALICE_OPENS + entries)


DOUBLE = "  2)  Doubles => 2               "

WRONG: dict[str, tuple[str, str]] = {
    "an illegal play": (game_with("  2) 52: 13/10 6/4"), "game 1, move 2: illegal play '13/10 6/4' with 5-2"),
    "a blocked point": (match("  1) 51: 24/19 24/23"), "game 1, move 1: illegal play '24/19 24/23' with 5-1"),
    "a star without a hit": (match("  1) 31: 8/5* 6/5"), "game 1, move 1: illegal play"),
    "half a play": (match("  1) 31: 8/5"), "game 1, move 1: illegal play '8/5'"),
    "no notation": (match("  1) 31: eight to five"), "game 1, move 1: malformed play"),
    "a dance that is none": (
        match("  1) 31: Cannot Move"),
        "game 1, move 1: with 3-1 something can be played",
    ),
    "a play left out": (
        match("  1) 31:                     64: 24/14"),
        "game 1, move 1: with 3-1 something",
    ),
    "an opening double": (
        match("  1) 33: 8/5(2) 6/3(2)"),
        "game 1, move 1: a game doesn't open with a double",
    ),
    "two turns of one side": (match("  1) 31: 8/5 6/5\n  2) 42: 8/4 6/4"), "game 1, move 2: not your turn"),
    "a double too early": (match("  1)  Doubles => 2               Takes"), "game 1, move 1: wrong phase"),
    "a take of nothing": (game_with("  2)  Takes"), "game 1, move 2: wrong phase"),
    "no answer": (game_with(DOUBLE + "52: 13/8 13/11"), "game 1, move 2: "),
    "the other's cube": (
        match(TAKEN + "  3) 52: 13/8 13/11             52: bar/23 13/8\n  4)  Doubles => 4"),
        "game 1, move 4: cube not yours",
    ),
    "a cube that jumps": (game_with("  2)  Doubles => 8"), "game 1, move 2: the cube goes to 2, not 8"),
    "a cube to one point": (match(TAKEN, length=1), "game 1, move 2: no cube"),
    "a cube in the Crawford game": (match(WON, length=2, more=CRAWFORD), "game 2, move 1: crawford game"),
    "a sum that's wrong": (
        match(WON, more=CRAWFORD.replace(": 1", ": 2")),
        "game 2, move 1: the score is 0-1, not 0-2",
    ),
    "a head start": (match(ALICE_OPENS, score="1 0"), "game 1, move 1: the score is 0-0, not 1-0"),
    "a game after the match": (
        match(WON, length=1, more=CRAWFORD),
        "game 2, move 1: the match is already over",
    ),
    "points beside the cube": (
        match(TAKEN + "  3) 52:                         Wins 3 points"),
        "game 1, move 3: white can't lose 3 with the cube at 2",
    ),
    "four times a game": (
        game_with("  2) 52:                         Wins 4 points"),
        "game 1, move 2: white can't lose 4 with the cube at 1",
    ),
    "a match given up before its end": (
        match(WON.replace("1 point", "9 points"), length=5, more=CRAWFORD.replace(": 1", ": 9")),
        "game 1, move 2: white can't lose 9 with the cube at 1",
    ),
    "a pass for two": (
        game_with(DOUBLE.rstrip() + "\n      Wins 2 points"),
        "game 1, move 2: black can't lose 2",
    ),
}


@pytest.mark.parametrize("fault", WRONG)
def test_what_breaks_the_rules_is_refused_with_game_and_move(fault: str) -> None:
    text, sentence = WRONG[fault]
    with pytest.raises(ImportRefused) as refused:
        replay(text)
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize("length", [2, 16, 64, 99])
def test_any_length_is_taken_whatever_the_club_offers(length: int) -> None:
    assert replay(match(ALICE_OPENS, length=length)).match.length == length
