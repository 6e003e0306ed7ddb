"""GNU Backgammon reads the .mat files written here: the same plays, scores and winners."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bgmail.formats.mat import write_mat
from bgmail.formats.recorded import Event, EventKind, RecordedGame, RecordedMatch
from bgmail.rules.action import Action, Kind
from bgmail.rules.match import apply
from bgmail.rules.side import Side
from tests.formats.played import Step, play_match, recorded
from tests.formats.sgf import Moves, SavedGame, read_sgf

pytestmark = pytest.mark.gnubg

WORDS = {EventKind.DOUBLE: "double", EventKind.TAKE: "take", EventKind.PASS: "drop"}


def saved_by_gnubg(gnubg: Path, folder: Path, texts: list[str]) -> list[list[SavedGame]]:
    """What GNU Backgammon has read from each text, as it saves it."""
    lines = [
        "set confirm new off",
        "set confirm save off",
        "set automatic game off",
        "set automatic roll off",
    ]
    for number, text in enumerate(texts):
        (folder / f"{number}.mat").write_text(text, encoding="utf-8")
        lines += [f"import mat {number}.mat", f"save match {number}.sgf"]
    answer = subprocess.run(
        [gnubg, "-t", "-q"],
        input="\n".join([*lines, "quit", "y", ""]),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert "WARNING" not in answer.stdout + answer.stderr
    return [read_sgf((folder / f"{number}.sgf").read_text(encoding="utf-8")) for number in range(len(texts))]


def expected(match: RecordedMatch) -> list[SavedGame]:
    return [_expected_game(match, game) for game in match.games]


def _expected_game(match: RecordedMatch, game: RecordedGame) -> SavedGame:
    result = ("WB"[game.end.winner], game.end.points) if game.end else None
    return SavedGame(match.length, game.score, tuple(_expected(event) for event in game.events), result)


def _expected(event: Event) -> tuple[str, str, Moves]:
    side = "WB"[event.side]
    if event.dice is None:
        return side, WORDS[event.kind], ()
    parts = (event.play or "").replace("*", "").replace("bar", "25").replace("off", "0").split()
    moves = [tuple(int(point) for point in part.split("/")) for part in parts]
    return side, f"{event.dice.d1}{event.dice.d2}", tuple(sorted((start, end) for start, end in moves))


def without_a_forced_end(match: RecordedMatch, saved: list[SavedGame]) -> list[SavedGame]:
    """GNU Backgammon plays a last roll by itself where only one play is legal; a file leaves it unplayed."""
    return [_unplayed(ours, theirs) for ours, theirs in zip(match.games, saved, strict=True)]


def _unplayed(ours: RecordedGame, theirs: SavedGame) -> SavedGame:
    if ours.events and theirs.events and ours.events[-1].dice and not ours.events[-1].play:
        *events, (side, dice, _) = theirs.events
        return SavedGame(theirs.length, theirs.score, (*events, (side, dice, ())), theirs.result)
    return theirs


def test_matches_sessions_and_broken_off_matches_are_read_as_they_were_played(
    gnubg_path: Path, tmp_path: Path
) -> None:
    lengths = (1, 3, 5, 7, 0, 9)
    matches = [
        recorded(play_match(seed, length, 0 if length else 3, resign=0.05, most=120 if seed % 3 else 5000))
        for seed, length in enumerate(lengths * 4)
    ]
    saved = saved_by_gnubg(gnubg_path, tmp_path, [write_mat(match, {"Site": "bgmail"}) for match in matches])
    for match, theirs in zip(matches, saved, strict=True):
        assert without_a_forced_end(match, theirs) == expected(match)


@pytest.mark.parametrize("loser", Side)
def test_a_match_lost_on_time_ends_with_the_points_awarded(
    gnubg_path: Path, tmp_path: Path, loser: Side
) -> None:
    steps = play_match(3, 7, resign=0, most=40)
    lost = Action(Kind.TIMEOUT, loser)
    match = recorded([*steps, Step(steps[-1].after, lost, apply(steps[-1].after, lost))])
    assert match.final_score is not None
    assert match.final_score[loser.other] == 7
    (saved,) = saved_by_gnubg(gnubg_path, tmp_path, [write_mat(match)])
    assert saved[-1].score == match.games[-1].score
    assert saved[-1].result is not None
    assert saved[-1].result[0] == "WB"[loser.other]


def test_a_double_that_waits_for_its_answer_is_read_as_one(gnubg_path: Path, tmp_path: Path) -> None:
    match = recorded(_until_a_double())
    (saved,) = saved_by_gnubg(gnubg_path, tmp_path, [write_mat(match)])
    assert saved == expected(match)
    assert saved[-1].events[-1][1] == "double"


def _until_a_double() -> list[Step]:
    steps = play_match(11, 9, resign=0)
    last = next(place for place, step in enumerate(steps) if step.action.kind is Kind.DOUBLE)
    return steps[: last + 1]


def test_a_deleted_players_name_with_its_blank_is_no_obstacle(gnubg_path: Path, tmp_path: Path) -> None:
    match = recorded(play_match(2, 1), "Zoë Ångström", "closed account")
    (saved,) = saved_by_gnubg(gnubg_path, tmp_path, [write_mat(match)])
    assert saved == expected(match)
    text = (tmp_path / "0.sgf").read_text(encoding="utf-8")
    assert "PW[Zoë Ångström]PB[closed account]" in text
