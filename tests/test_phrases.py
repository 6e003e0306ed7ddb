"""Sentences for people: short, exact, and one for everything that can be refused."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bgmail import phrases
from bgmail.ledger.entry import GENESIS, Entry
from bgmail.phrases import Names, refusals
from bgmail.phrases.decisions import decision, score_after, stakes
from bgmail.phrases.orders import ORDERS
from bgmail.phrases.people import PEOPLE
from bgmail.phrases.tournaments import TOURNAMENTS, full_name
from bgmail.phrases.vacations import VACATIONS
from bgmail.phrases.webhooks import WEBHOOKS
from bgmail.rules.action import Action, ActionRefused, Kind
from bgmail.rules.dice import Dice
from bgmail.rules.match import GameResult, Match, Offer, Phase, Result, apply, new_match
from bgmail.rules.notation import PlayError, find_play
from bgmail.rules.options import why_no_double
from bgmail.rules.play_errors import Illegal, Malformed
from bgmail.rules.position import Position
from bgmail.rules.ruleset import CLUB
from bgmail.rules.score import Crawford, Cube, Ending
from bgmail.rules.side import Side
from bgmail.service.errors import Refused
from bgmail.timing import BadTimeControl, resolve

CODE = Path(__file__).parents[1] / "bgmail"
RAISED = {"ActionRefused", "BadDestination", "Refused", "NotFound", "Forbidden", "KeyReused", "ServiceError"}
OWN_WORDS = {"resign_value", "too_often", "vacation_too_long"}
NOW = datetime(2026, 12, 9, 12, 0, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")
ALICE, BOB, SPECTATOR = (
    Names("alice", "bob", Side.WHITE),
    Names("alice", "bob", Side.BLACK),
    Names("alice", "bob"),
)


def codes_raised() -> Iterator[tuple[str, str]]:
    """Every code that an error in our code is raised with, and where."""
    for path in CODE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and node.args and getattr(node.func, "id", "") in RAISED:
                for part in ast.walk(node.args[0]):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield part.value, f"{path.relative_to(CODE)}:{node.lineno}"


def test_every_refusal_in_the_code_has_its_sentence() -> None:
    known = {*refusals.GENERAL, *PEOPLE, *WEBHOOKS, *VACATIONS, *ORDERS, *TOURNAMENTS, *OWN_WORDS}
    missing = {code: where for code, where in codes_raised() if code not in known and code.isidentifier()}
    assert missing == {}
    assert len(dict(codes_raised())) > 20


def test_every_reason_of_the_notation_and_of_time_has_its_sentence() -> None:
    assert set(refusals.MALFORMED) == {reason.value for reason in Malformed}
    assert set(refusals.ILLEGAL) == {reason.value for reason in Illegal}


def test_every_reason_against_a_double_has_its_sentence() -> None:
    source = ast.parse((CODE / "rules/options.py").read_text())
    found = next(
        one for one in source.body if isinstance(one, ast.FunctionDef) and one.name == why_no_double.__name__
    )
    reasons = {
        node.value.value for node in ast.walk(found) if isinstance(node, ast.Return) and node.value.value
    }
    assert "dead_cube" in reasons
    assert reasons <= set(refusals.GENERAL)


def test_a_refused_play_says_why() -> None:
    position, dice = Position.start(), Dice(6, 5)
    with pytest.raises(PlayError) as caught:
        find_play(position, dice, "24/13 6/1", CLUB)
    assert phrases.refusal(caught.value).endswith(".")
    wrapped = Refused(caught.value.code)
    wrapped.__cause__ = caught.value
    assert phrases.refusal(wrapped) == phrases.refusal(caught.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Write a play first, like 13/7 8/7."),
        ("hello", "“hello” can't be read. Write a play like 13/7 8/7, bar/22 or 6/off(2)."),
        ("24/19", "The 19 point is blocked."),
    ],
)
def test_sentences_for_plays(text: str, sentence: str) -> None:
    with pytest.raises(PlayError) as caught:
        find_play(Position.start(), Dice(6, 5), text, CLUB)
    assert phrases.refusal(caught.value) == sentence


def test_an_ambiguous_play_names_its_readings() -> None:
    position = Position.from_board(
        [0, 0, 0, 0, 0, 0, 5, -1, 4, 0, 0, 0, -5, 3, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 3, 0]
    )
    with pytest.raises(PlayError) as caught:
        find_play(position, Dice(6, 2), "13/5", CLUB)
    sentence = phrases.refusal(caught.value)
    assert "“13/7*/5”" in sentence
    assert sentence.startswith("That can mean two things: ")


def test_a_refused_resignation_says_what_is_possible() -> None:
    error = ActionRefused("resign_value", value=1, allowed=(2, 3))
    assert (
        phrases.refusal(error) == "That offer isn't possible here. You may resign: a gammon or a backgammon."
    )


def test_a_bad_time_control_says_why_through_the_service() -> None:
    with pytest.raises(BadTimeControl) as caught:
        resolve({"per_turn": 60, "bank": -1}, 7)
    error = Refused("time", reason="?")
    error.__cause__ = caught.value
    assert phrases.refusal(error) == "A duration can't be negative (bank)."


def test_an_unknown_code_is_still_a_sentence() -> None:
    assert phrases.refusal(Refused("surprise")) == "That isn't possible (surprise)."


def test_what_was_typed_is_shown_as_it_is() -> None:
    assert "100%(x)s" in phrases.refusal(Refused("unknown_action", action="100%(x)s"))


@pytest.mark.parametrize(
    ("name", "season", "division", "told"),
    [
        ("Winter league 3/1", 3, 1, "Winter league, season 3, division 1"),
        ("Blitz 4", 4, 0, "Blitz 4"),
        ("Club cup 2026/1", 0, 0, "Club cup 2026/1"),
    ],
)
def test_a_division_of_a_league_is_called_by_its_season_and_number(
    name: str, season: int, division: int, told: str
) -> None:
    assert full_name(name, season, division) == told


# what is to be done


def playing(**changes: object) -> Match:
    started = apply(new_match(CLUB, 7), Action(Kind.ACCEPT, Side.BLACK))
    opened = apply(started, Action(Kind.OPENING_ROLL, None, dice=Dice(5, 2)))
    return replace(opened, **changes)  # type: ignore[arg-type]


def test_the_heading_says_what_the_reader_has_to_do() -> None:
    own = playing()
    assert phrases.heading(own, ALICE) == "Your turn: 5-2 to play"
    assert phrases.heading(own, BOB) == "alice has 5-2 to play"
    assert phrases.heading(own, SPECTATOR) == "alice has 5-2 to play"
    rolling = playing(phase=Phase.ROLL_OR_DOUBLE, dice=None, opening=False)
    assert phrases.heading(rolling, ALICE) == "Your turn: roll or double"
    crawford = replace(rolling, crawford=Crawford.ACTIVE)
    assert phrases.heading(crawford, ALICE) == "Your turn: roll"
    doubled = apply(rolling, Action(Kind.DOUBLE, Side.WHITE))
    assert phrases.heading(doubled, BOB) == "Take or pass at 2?"
    assert phrases.heading(doubled, ALICE) == "bob is doubled to 2"
    resigned = apply(own, Action(Kind.RESIGN, Side.WHITE, value=2))
    assert phrases.heading(resigned, BOB) == "alice offers to resign a gammon"


def test_a_button_says_the_decision() -> None:
    own = playing()
    assert phrases.button(own, Side.WHITE) == "Play 5-2"
    assert phrases.button(own, Side.BLACK) == "Look"
    off_turn = apply(own, Action(Kind.RESIGN, Side.BLACK, value=1))
    assert phrases.button(replace(own, phase=Phase.TAKE_OR_PASS), Side.BLACK) == "Take or pass"
    assert off_turn.offer == Offer(Side.BLACK, 1)


def test_a_double_says_what_passing_costs() -> None:
    match = playing(
        phase=Phase.TAKE_OR_PASS, dice=None, opening=False, score=(3, 5), cube=Cube(2, Side.WHITE)
    )
    assert stakes(match, BOB) == "Passing costs 2 points. The score would be 5–5."
    assert stakes(match, ALICE) == ""
    assert stakes(replace(match, score=(5, 5)), BOB) == "Passing costs 2 points. That loses you the match."
    assert decision(Kind.TAKE, match) == "Take at 4"
    assert score_after(match, Side.WHITE, 2, SPECTATOR) == "The score would be 5–5."


def test_where_the_match_stands_in_a_line() -> None:
    match = playing(game=4, cube=Cube(2, Side.WHITE))
    assert phrases.subtitle(match, ALICE) == "7-point match, game 4, cube at 2 is yours."
    assert phrases.subtitle(match, BOB) == "7-point match, game 4, cube at 2 is with alice."
    crawford = replace(match, cube=Cube(), crawford=Crawford.ACTIVE)
    assert phrases.subtitle(crawford, BOB) == "7-point match, game 4, the Crawford game."
    assert phrases.match_terms(new_match(CLUB, 1)) == "1-point match"
    assert phrases.match_terms(new_match(CLUB, 0, 5)) == "points session of 5 games"


def test_on_the_bar_it_says_which_die_is_blocked() -> None:
    bar = Position.from_board(
        [0, 2, 2, 2, 2, 0, 5, 0, 0, 0, 0, 0, -5, 1, 0, 0, 0, -3, 0, -2, -2, 0, 0, 0, 0, 1]
    )
    match = playing(position=bar, dice=Dice(5, 3), opening=False)
    assert phrases.why_stuck(match) == "You are on the bar: the 5 is blocked (20 point), enter with the 3."
    shut = replace(match, dice=Dice(6, 5))
    assert phrases.why_stuck(shut) == (
        "You are on the bar and can't enter: the 6 is blocked (19 point) and the 5 is blocked (20 point)."
    )
    free = replace(match, dice=Dice(4, 3))
    assert phrases.why_stuck(free) == "You are on the bar: enter with the 4 or the 3 first."
    assert phrases.why_stuck(playing()) == ""


# results


def over(
    ending: Ending, winner: Side | None, score: tuple[int, int], awarded: tuple[int, int] | None = None
) -> Match:
    return playing(phase=Phase.OVER, score=score, result=Result(winner, ending, awarded))


def test_a_match_lost_on_time_keeps_its_score_and_says_what_was_awarded() -> None:
    match = over(Ending.TIMEOUT, Side.WHITE, (2, 3), (5, 0))
    award = "The score stays as played; the 5 missing points are awarded."
    assert phrases.match_result(match, ALICE) == f"bob ran out of time. You won the match, 2–3. {award}"
    assert phrases.outcome(match, BOB) == "Your time ran out. alice won the match, 2–3."


def test_a_match_ends_in_a_sentence() -> None:
    last = GameResult(1, Side.WHITE, 4, Ending.RESIGNED, 2)
    by_game = replace(over(Ending.RESIGNED, Side.WHITE, (8, 3)), last_game=last)
    assert phrases.match_result(by_game, SPECTATOR) == "alice won the match, 8–3."
    given_up = over(Ending.RESIGNED, Side.BLACK, (6, 6), (0, 1))
    assert phrases.match_result(given_up, ALICE) == (
        "You resigned the match. bob won the match, 6–6. "
        "The score stays as played; the missing point is awarded."
    )
    assert phrases.match_result(over(Ending.BEAR_OFF, None, (3, 3)), BOB) == "The match ended level, 3–3."
    assert (
        phrases.match_result(over(Ending.EXPIRED, None, (0, 0)), BOB) == "The invitation expired unanswered."
    )


@pytest.mark.parametrize(
    ("last", "words"),
    [
        (GameResult(3, Side.WHITE, 2, Ending.PASS, 1), "You won game 3: bob passed, 2 points."),
        (GameResult(1, Side.BLACK, 1, Ending.BEAR_OFF, 1), "bob won game 1: 1 point."),
        (GameResult(1, Side.BLACK, 4, Ending.BEAR_OFF, 2), "bob won game 1: a gammon, 4 points."),
        (
            GameResult(2, Side.BLACK, 3, Ending.RESIGNED, 3),
            "bob won game 2: you resigned a backgammon, 3 points.",
        ),
    ],
)
def test_a_game_ends_in_a_sentence(last: GameResult, words: str) -> None:
    assert phrases.game_result(last, ALICE) == words


# the story


def entry(seq: int, kind: str, seat: str | None, data: dict[str, object], via: str = "page") -> Entry:
    return Entry("m", seq, seq, seq, seat, via, kind, data, None, GENESIS)


LOG = [
    entry(1, "roll", "white", {"game": 1, "roll": 1, "dice": [6, 4]}, "auto"),
    entry(2, "play", "white", {"play": "24/14*", "position_id": "x"}),
    entry(3, "roll", "black", {"game": 1, "roll": 2, "dice": [3, 3]}, "auto"),
    entry(4, "play", "black", {"play": "", "position_id": "x"}, "auto"),
    entry(5, "roll", "white", {"game": 1, "roll": 3, "dice": [6, 1]}, "auto"),
    entry(6, "play", "white", {"play": "13/7 8/7", "position_id": "x"}, "auto"),
    entry(7, "double", "black", {"value": 2}),
    entry(8, "pass", "white", {}, "clock"),
    entry(9, "game_over", None, {"game": 1, "winner": "black", "points": 1, "ending": "pass"}, "server"),
    entry(10, "reveal", None, {"game": 1, "secret": "00"}, "server"),
    entry(11, "opening_roll", None, {"game": 2, "roll": 1, "dice": [2, 2]}, "server"),
    entry(12, "opening_roll", None, {"game": 2, "roll": 2, "dice": [2, 5]}, "server"),
]


def test_the_story_has_a_line_for_each_turn() -> None:
    told = [(line.who, line.dice, line.text, line.note) for line in phrases.story(LOG, ALICE)]
    assert told == [
        ("you", "6-4", "24/14*", ""),
        ("bob", "3-3", "no legal play, passed", ""),
        ("you", "6-1", "13/7 8/7", "played for you"),
        ("bob", "", "doubled to 2", ""),
        ("you", "", "passed", "out of time"),
        ("bob", "", "won game 1, 1 point", ""),
        ("", "2-2", "opening roll: a tie, rolled again", ""),
        ("bob", "5-2", "starts the game", ""),
    ]


def test_the_story_since_a_visit_keeps_the_dice_of_a_play_whose_roll_was_seen() -> None:
    told = [(line.who, line.dice, line.text) for line in phrases.story(LOG, BOB, after=1)]
    assert told[0] == ("alice", "6-4", "24/14*")
    assert phrases.story(LOG, BOB, after=5)[0].note == "the only play"


def test_sealed_dice_are_told_one_by_one_and_left_out_of_the_story() -> None:
    line = phrases.entry_line(LOG[9], SPECTATOR)
    assert line.text == "The secret of game 1: 00"
    assert all(line.seq != 10 for line in phrases.story(LOG, SPECTATOR))
