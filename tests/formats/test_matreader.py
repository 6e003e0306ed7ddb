"""Reading .mat: every dialect alike, and a clear sentence with game and move for what can't be read."""

from __future__ import annotations

import pytest

from bgmail.formats.judge import judge
from bgmail.formats.matreader import read_mat
from bgmail.formats.recorded import Event, EventKind, GameEnd
from bgmail.formats.refusal import ImportRefused
from bgmail.rules.dice import Dice
from bgmail.rules.side import Side
from tests.formats.dialects import DIALECTS, Dialect, write
from tests.formats.played import Step, play_match, recorded

SMALL = """
 5 point match

 Game 1
 Alice : 0                      Bob : 0
  1) 31: 8/5 6/5                64: 24/14
  2)  Doubles => 2               Takes
  3) 52: 13/8 13/11             66: Cannot Move
  4) 41: ????                    Wins 2 points

 Game 2
 Alice : 0                      Bob : 2
  1)                            21: 13/11 6/5
  2) 33:
"""


def outcome(data: bytes | str) -> tuple[object, ...]:
    """What a file comes to, whatever the spelling."""
    recorded_match = read_mat(data)
    judged = judge(recorded_match)
    match = judged.match
    plays = [[str(action.play) for action in game if action.play] for game in judged.games]
    return (
        recorded_match.white,
        recorded_match.black,
        match.score,
        match.position,
        match.turn,
        match.result,
        plays,
    )


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
@pytest.mark.parametrize("seed", range(6))
def test_a_match_is_the_same_in_every_dialect(dialect: Dialect, seed: int) -> None:
    steps = _steps(seed)
    plain = judge(recorded(steps))
    data = write(dialect, steps)
    judged = judge(read_mat(data))
    assert judged.final_score == plain.final_score
    assert judged.match.position == plain.match.position
    assert judged.match.phase == plain.match.phase
    assert [[a.play for a in game if a.play] for game in judged.games] == [
        [_high_first(a.play, b.play) for a, b in zip(game, twin, strict=True) if a.play]
        for game, twin in zip(plain.games, judged.games, strict=True)
    ]


def _high_first(play: object, twin: object) -> object:
    """The twin, if it leads to the same position: the order of the dice is the dialect's own."""
    return twin if getattr(play, "position", None) == getattr(twin, "position", None) else play


def _steps(seed: int) -> list[Step]:
    length = (1, 3, 0, 7, 5, 9)[seed]
    return play_match(seed, length, 0 if length else 2, resign=0.03, most=5000 if seed % 2 else 150)


def test_left_is_white_and_every_entry_keeps_its_line() -> None:
    match = read_mat(SMALL)
    assert (match.length, match.white, match.black) == (5, "Alice", "Bob")
    first, second = match.games
    assert first.events == (
        Event(EventKind.PLAY, Side.WHITE, 1, Dice(3, 1), "8/5 6/5"),
        Event(EventKind.PLAY, Side.BLACK, 1, Dice(6, 4), "24/14"),
        Event(EventKind.DOUBLE, Side.WHITE, 2, value=2),
        Event(EventKind.TAKE, Side.BLACK, 2),
        Event(EventKind.PLAY, Side.WHITE, 3, Dice(5, 2), "13/8 13/11"),
        Event(EventKind.PLAY, Side.BLACK, 3, Dice(6, 6), ""),
        Event(EventKind.PLAY, Side.WHITE, 4, Dice(4, 1), None),
    )
    assert first.end == GameEnd(Side.BLACK, 2, 4)
    assert second.score == (0, 2)
    assert second.events[-1] == Event(EventKind.PLAY, Side.WHITE, 2, Dice(3, 3), None)
    assert second.end is None
    assert match.final_score is None
    assert not match.complete


VARIANTS: dict[str, bytes] = {
    "as it is": SMALL.encode(),
    "Windows line ends": SMALL.replace("\n", "\r\n").encode(),
    "old Macintosh line ends": SMALL.replace("\n", "\r").encode(),
    "trailing blanks": SMALL.replace("\n", "   \n").encode(),
    "trailing tabs": SMALL.replace("\n", "\t\n").encode(),
    "blank lines between all": SMALL.replace("\n", "\n\n").encode(),
    "no final newline": SMALL.rstrip().encode(),
    "byte order mark": b"\xef\xbb\xbf" + SMALL.encode(),
    "UTF-16": SMALL.encode("utf-16"),
    "comments": ('; [Site "X"]\n; Game 9\n' + SMALL).encode(),
    "capitals": SMALL.replace("Doubles", "DOUBLES").replace("Takes", "takes").encode(),
    "empty lines at the end": (SMALL + "  3)                 \n  \n").encode(),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_odd_line_ends_and_marks_are_read_alike(variant: str) -> None:
    assert read_mat(VARIANTS[variant]) == read_mat(SMALL)


def test_a_text_may_be_given_as_text() -> None:
    assert read_mat("\ufeff" + SMALL) == read_mat(SMALL.encode())


@pytest.mark.parametrize(
    ("encoding", "name"),
    [("utf-8", "Zoë Ångström"), ("cp1252", "Zoë Ångström"), ("utf-16", "山田"), ("utf-8", "")],
)
def test_names_keep_their_accents_and_may_be_empty(encoding: str, name: str) -> None:
    assert read_mat(SMALL.replace("Alice", name).encode(encoding)).white == name


UNFINISHED, _, _ = SMALL.partition("\n  4)")


@pytest.mark.parametrize(
    ("line", "winner"),
    [
        ("      Wins 2 points", Side.WHITE),
        ("  4)  Wins 2 points and the match", Side.WHITE),
        ("  4)  Wins 2 point", Side.WHITE),
        ("  4)                            Wins 2 point", Side.BLACK),
        ("  4)  Losses 2 point            Wins 2 point", Side.BLACK),
        ("  4)                            Losses 2 point\n\n      Wins 2 point", Side.WHITE),
        ("                                  Wins 2 points", Side.BLACK),
    ],
)
def test_a_result_may_stand_in_either_column_alone_or_beside_the_loss(line: str, winner: Side) -> None:
    end = read_mat(f"{UNFINISHED}\n{line}\n").games[0].end
    assert end is not None
    assert (end.winner, end.points) == (winner, 2)


def test_a_result_on_a_line_of_its_own_says_so() -> None:
    end = read_mat(f"{UNFINISHED}\n      Wins 2 points\n").games[0].end
    assert end == GameEnd(Side.WHITE, 2, 3, alone=True)


def with_line(old: str, new: str) -> str:
    assert SMALL.count(old) == 1
    return SMALL.replace(old, new)


def ended(line: str) -> str:
    """The last game with a result, and one more line."""
    return with_line("  2) 33:\n", f"  2) 33:                         Wins 1 point\n{line}\n")


HEADING = " Alice : 0                      Bob : 0\n"

FAULTS: dict[str, tuple[str, str]] = {
    "nothing": ("", "line 1: no line like '7 point match'"),
    "a letter": ("Dear Bob,\n13/7 please", "line 1: can't read 'Dear Bob,'"),
    "no length": (with_line(" 5 point match\n", ""), "line 3: no line like '7 point match' before the first"),
    "no game": (" 5 point match\n", "line 2: there is no game in it"),
    "a long match": (with_line("5 point", "500 point"), "line 2: a match to 500 points is too long"),
    "two matches": (SMALL + SMALL, "game 2, move 2: a second match begins here"),
    "a row before the game": (" 5 point match\n  1) 31: 8/5", "line 2: this stands before the first game"),
    "a game left out": (with_line("Game 2", "Game 3"), "game 1, move 4: game 3 follows game 1"),
    "no result": (with_line("Wins 2 points", ""), "game 1, move 4: the game has no result"),
    "no heading": (with_line(HEADING, ""), "game 1, move 1: the score before the game is missing"),
    "two headings": (with_line("  2) 33:\n", HEADING), "game 2, move 1: the names and the score stand here"),
    "a row left out": (with_line("  3) 52", "  4) 52"), "game 1, move 4: it follows move 2"),
    "three entries": (with_line("24/14", "24/14    31: 8/5 6/5"), "game 1, move 1: can't read"),
    "a word before the roll": (with_line("31: 8/5", "maybe 31: 8/5"), "game 1, move 1: can't read"),
    "no roll": (with_line("31: 8/5 6/5  ", "8/5 6/5      "), "game 1, move 1: can't read '8/5 6/5 "),
    "a die of seven": (with_line("31: 8/5", "71: 8/5"), "game 1, move 1: 71 is no roll"),
    "a die of nothing": (with_line("31: 8/5", "30: 8/5"), "game 1, move 1: 30 is no roll"),
    "a word after the take": (with_line("Takes", "Takes it"), "game 1, move 2: can't read 'Takes it'"),
    "a cube in words": (with_line("=> 2", "=> two"), "game 1, move 2: can't read 'Doubles => two'"),
    "a play after the end": (ended("  3) 31: 8/5 6/5"), "game 2, move 3: '31: 8/5 6/5' stands after"),
    "two results": (ended("      Wins 2 points"), "game 2, move 2: the game has two results"),
    "a line without end": (" 5 point match\n" + "x" * 500, "line 2: a line has more than 400 characters"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_cannot_be_read_is_refused_with_its_place(fault: str) -> None:
    text, sentence = FAULTS[fault]
    with pytest.raises(ImportRefused) as refused:
        read_mat(text)
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize("data", [b"\x00\x01\x02\xff", b"\xff\xfe", b"\x89PNG\r\n\x1a\n", b"\xff\xfe\xd8"])
def test_bytes_that_are_no_text_are_refused(data: bytes) -> None:
    with pytest.raises(ImportRefused):
        read_mat(data)


def test_digits_of_other_scripts_are_not_taken_for_dice() -> None:
    with pytest.raises(ImportRefused, match="game 1, move 1: can't read"):
        read_mat(with_line("31: 8/5", "٣١: 8/5"))
