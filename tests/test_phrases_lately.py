"""Counts in words, spans in one unit, and what a side did last, as lists say them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from flask import Flask
from flask_babel import Babel

from bgmail.ledger.latest import Act, last_act
from bgmail.phrases.lately import act_line, own_line
from bgmail.phrases.numbers import in_words
from bgmail.phrases.profiles import replies, replying
from bgmail.phrases.times import about
from bgmail.phrases.words import Names
from bgmail.rules.side import Side

ALICE = Names("alice", "bob", Side.WHITE)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    app = Flask(__name__)
    Babel(app)
    with app.test_request_context():
        yield


def test_counts_are_words_up_to_twelve_and_figures_above() -> None:
    assert [in_words(count) for count in (0, 1, 12, 13, 60)] == ["none", "one", "twelve", "13", "60"]
    assert in_words(3, first=True) == "Three"
    assert in_words(13, first=True) == "13"


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (Act(Side.BLACK, "play", {"play": "bar/21 24/23"}, (1, 4)), "played 4-1: bar/21 24/23"),
        (Act(Side.BLACK, "play", {"play": ""}, (6, 5)), "had no legal play with 6-5"),
        (Act(Side.BLACK, "double", {"value": 4}), "doubled to 4"),
        (Act(Side.BLACK, "take", {}), "took the cube"),
        (Act(Side.BLACK, "resign", {"value": 2}), "offered to resign a gammon"),
        (Act(Side.BLACK, "decline_resignation", {}), "declined the resignation"),
        (Act(Side.WHITE, "opening_roll", {"dice": [3, 1]}, (3, 1)), "opening: you won it with 3-1"),
        (Act(Side.BLACK, "opening_roll", {"dice": [1, 3]}, (1, 3)), "opening: bob won it with 3-1"),
    ],
)
def test_an_act_in_a_few_words(act: Act, words: str) -> None:
    assert act_line(act, ALICE) == words


def test_the_latest_act_is_the_sides_own_or_an_opening_roll_after_it() -> None:
    played = Act(Side.BLACK, "play", {"play": "8/5 6/5"}, (3, 1))
    mine = Act(Side.WHITE, "play", {"play": "24/18"}, (5, 1))
    opening = Act(Side.WHITE, "opening_roll", {"dice": [3, 1]}, (3, 1))
    assert last_act([played, mine], Side.BLACK) is played
    assert last_act([played, mine, opening], Side.BLACK) is opening
    assert last_act([mine], Side.BLACK) is None
    assert own_line(mine) == "you played 5-1: 24/18"
    assert own_line(opening) == own_line(None) == ""


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "0 s"),
        (59, "59 s"),
        (230, "3 min"),
        (3599, "59 min"),
        (86_399, "23 h"),
        (86_400, "1 d"),
        (600_000, "6 d"),
    ],
)
def test_how_long_ago_is_told_in_one_unit_rounded_down(seconds: int, words: str) -> None:
    assert about(timedelta(seconds=seconds)) == words


@pytest.mark.parametrize(
    ("minutes", "aside", "listed"),
    [
        (None, "", ""),
        (59, "replies within an hour", "within an hour"),
        (60, "replies in about 1 hour", "about 1 hour"),
        (89, "replies in about 1 hour", "about 1 hour"),
        (1500, "replies in about 1 day 1 hour", "about 1 day 1 hour"),
        (5000, "replies in about 3 days", "about 3 days"),
    ],
)
def test_how_soon_somebody_replies_is_told_no_more_exactly_than_it_is_known(
    minutes: int | None, aside: str, listed: str
) -> None:
    taken = None if minutes is None else timedelta(minutes=minutes)
    assert (replying(taken), replies(taken)) == (aside, listed)
