"""Looked through without being judged, a log shows what judging it again would show."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from bgmail.board.staged import staged
from bgmail.ledger.entry import Entry
from bgmail.ledger.film import START, Frame, film
from bgmail.ledger.replay import fold
from bgmail.rules.match import Match
from bgmail.rules.ruleset import PRESETS
from bgmail.rules.side import Side
from tests.ledger.matchplay import invited, play_out

SKELETON = {"invite", "opening_roll", "double", "take", "game_over"}


def random_log(seed: int, length: int, rules: str = "club", lapsing: float = 0.0) -> list[Entry]:
    games = 0 if length else 4
    preset = PRESETS[rules]
    draft = invited(length, games, preset, wager=min(3, preset.most_wager))
    return play_out(draft, random.Random(seed), lapsing=lapsing).entries


def judged(entries: list[Entry]) -> list[Match]:
    """The match after each entry, every one judged."""
    found: list[Match] = []
    match: Match | None = None
    for entry in entries:
        match = fold(match, entry)
        found.append(match)
    return found


@pytest.mark.parametrize(
    ("length", "rules"),
    [(5, "club"), (3, "federation"), (0, "club"), (1, "club"), (5, "claim"), (9, "house")],
)
def test_a_frame_is_what_the_judged_match_shows(length: int, rules: str) -> None:
    compared = 0
    for entries in (random_log(seed, length, rules, 0.01) for seed in range(6)):
        for frame, match in zip(film(entries), judged(entries), strict=True):
            if match.game != frame.game or match.phase == "over":
                continue  # the next game's board is up by then: the frame still shows the last position
            mine = frame.match()
            for side in Side:
                assert staged(mine, side) == staged(match, side), (frame, match)
            assert (mine.score, mine.crawford, mine.cube) == (match.score, match.crawford, match.cube)
            compared += 1
    assert compared > 40


def test_the_last_position_of_a_game_stays_until_the_next_begins() -> None:
    entries = random_log(5, 5)
    frames = film(entries)
    ends = [i for i, frame in enumerate(frames) if frame.kind == "game_over"]
    assert ends
    for i in ends:
        assert frames[i].position_id == frames[i - 1].position_id
        assert sum(frames[i].score) > sum(frames[i - 1].score)
    openings = [frame for frame in frames if frame.kind == "opening_roll"]
    assert {frame.position_id for frame in openings} == {START}


def test_the_dice_of_a_play_lie_beside_it_and_are_gone_afterwards() -> None:
    frames = film(random_log(6, 3))
    for last, frame in pairwise(frames):
        if frame.kind == "play":
            assert frame.dice == last.dice is not None
            assert frame.roller is frame.side is frame.on_roll.other
        if last.kind == "play":
            assert frame.dice is None or frame.kind in ("roll", "opening_roll")


@pytest.mark.parametrize("cut", [0, 10, 47, 120])
def test_a_log_cut_before_tells_the_same_once_a_position_is_known(cut: int) -> None:
    entries = random_log(7, 7)
    cut_log = [entry for entry in entries if entry.seq > cut or entry.kind in SKELETON]
    whole = {frame.seq: frame for frame in film(entries)}
    for frame in film(cut_log, cut):
        if frame.seq <= cut:
            assert not frame.position_id
            continue
        expected = whole[frame.seq]
        if not frame.position_id:
            frame = replace(frame, position_id=expected.position_id, on_roll=expected.on_roll)  # noqa: PLW2901
        assert without_dice(frame) == without_dice(expected)


def without_dice(frame: Frame) -> Frame:
    """Dice rolled before the cut aren't known either."""
    return replace(frame, dice=None, roller=None)
