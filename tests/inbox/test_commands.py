"""What a line says: one command, whole and alone, in the languages of pages and letters."""

from __future__ import annotations

import pytest

from bgmail.inbox.commands import command
from bgmail.inbox.words import MEANINGS
from bgmail.service.turns import ACTIONS

YES = ("accept", "take", "accept_resignation")
NO = ("decline", "pass", "decline_resignation")


@pytest.mark.parametrize(
    ("line", "actions"),
    [
        ("roll", ("roll",)),
        ("  Roll! ", ("roll",)),
        ("*take*", ("take",)),
        ("Würfeln", ("roll",)),
        ("WÜRFELN.", ("roll",)),
        ("verdoppeln", ("double",)),
        ("Annehmen", YES),
        ("ablehnen", NO),
        ("Passe.", ("pass",)),
        ("aufgeben", ("resign",)),
        ("Match aufgeben", ("resign_match",)),
        ("бросить кости", ("roll",)),
        ("Удваиваю", ("double",)),
        ("принять", YES),
        ("отклонить", NO),
        ("Пас", ("pass",)),
        ("сдаться", ("resign",)),
        ("сдать матч", ("resign_match",)),
        ("accept", YES),
        ("decline", NO),
        ("drop", ("pass",)),
    ],
)
def test_words_in_three_languages(line: str, actions: tuple[str, ...]) -> None:
    found = command(line)
    assert found is not None
    assert found.actions == actions


def test_every_word_means_something_that_can_be_done() -> None:
    meant = {action for actions in MEANINGS.values() for action in actions}
    assert meant <= {str(action) for action in ACTIONS} | {"accept", "decline"}


@pytest.mark.parametrize(
    ("line", "play"),
    [
        ("13/7 8/7", "13/7 8/7"),
        ("8/5, 6/5.", "8/5, 6/5"),
        ("bar/20* 6/off(2)", "bar/20* 6/off(2)"),
        ("24–13", "24–13"),
        ("play 13/7", "13/7"),
        ("Zug: 13/7 8/7", "13/7 8/7"),
        ("ход 13/7", "13/7"),
        ("бар/20", "bar/20"),
        ("6/aus", "6/off"),
    ],
)
def test_plays_in_the_usual_notation(line: str, play: str) -> None:
    found = command(line)
    assert found is not None
    assert (found.actions, found.play) == (("play",), play)


@pytest.mark.parametrize(("line", "value"), [("resign 1", 1), ("Resign (gammon)", 2), ("сдаюсь кокс", 3)])
def test_what_a_game_is_given_up_for(line: str, value: int) -> None:
    found = command(line)
    assert found is not None
    assert (found.actions, found.value) == (("resign",), value)


@pytest.mark.parametrize("line", ["61: 13/7 8/7", "6-1: 13/7 8/7", "(6,1): 13/7 8/7"])
def test_a_roll_before_its_play(line: str) -> None:
    found = command(line)
    assert found is not None
    assert (found.play, found.dice) == ("13/7 8/7", (6, 1))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "hello",
        "take or pass",
        "don't take",
        "nicht annehmen",
        "resign a backgammon match",
        "13/7 nice",
        "1",
        "24",
        "13/27",
        "roll 13/7",
        "I would take if I were you",
        "take " * 40,
        "2026-12-01 12:30",
        "http://club.example/13/7",
    ],
)
def test_what_is_no_command(line: str) -> None:
    assert command(line) is None
