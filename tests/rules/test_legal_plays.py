"""Legal plays against what is known: listed results, edge cases, golden counts, the oracle, random games."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bgmail.rules import PRESETS, STANDARD, Dice, Position, RuleSet, find_play, legal_plays
from bgmail.rules.dice import ROLLS
from bgmail.rules.notation import PlayError
from tests.rules import oracle
from tests.rules.boards import board, random_game, signs
from tests.rules.conftest import rows

LEAST_WASTE = replace(STANDARD, least_waste=True)


def results(position: Position, dice: Dice, rules: RuleSet = STANDARD) -> list[str]:
    """The distinct results in the order of the data files; a roll that can't be played leaves the position."""
    return sorted(signs(play.position) for play in legal_plays(position, dice, rules)) or [signs(position)]


def test_all_known_positions_give_exactly_their_results(plays_file: Path) -> None:
    wrong = [
        row["id"]
        for row in rows(plays_file)
        if results(Position.from_board(row["board"]), Dice(*row["dice"])) != row["results"]
    ]
    assert wrong == []


def test_the_order_of_the_dice_makes_no_difference(sample: list[dict[str, Any]]) -> None:
    for row in sample:
        high, low = row["dice"]
        assert results(Position.from_board(row["board"]), Dice(low, high)) == row["results"], row["id"]


def test_the_sample_has_every_kind_of_position(sample: list[dict[str, Any]]) -> None:
    tags = {tag for row in sample for tag in row["tags"]}
    assert len(sample) == 2000
    assert len(tags) == 25
    assert {tuple(row["dice"]) for row in sample} == {(dice.high, dice.low) for dice in ROLLS}


def test_ids_of_known_positions_are_those_of_gnu_backgammon(sample: list[dict[str, Any]]) -> None:
    for row in sample:
        assert Position.from_board(row["board"]).id == row["gnu"]


def test_edge_cases_give_exactly_their_results(edge_cases: dict[str, Any]) -> None:
    for case in edge_cases["plays"]:
        position = Position.from_board(case["board"])
        assert results(position, Dice(*case["dice"])) == sorted(case["results"]), case["why"]
        assert (
            max((len(p.moves) for p in legal_plays(position, Dice(*case["dice"]), STANDARD)), default=0)
            == (case["dice_used"])
        ), case["why"]


def test_edge_cases_refuse_what_a_referee_must_refuse(edge_cases: dict[str, Any]) -> None:
    refused = [
        (Position.from_board(case["board"]), Dice(*case["dice"]), text)
        for case in edge_cases["plays"]
        for text in case["must_reject"]
    ]
    assert len(refused) == 25
    for position, dice, text in refused:
        with pytest.raises(PlayError):
            find_play(position, dice, text, STANDARD)


def test_edge_cases_accept_each_listed_play(edge_cases: dict[str, Any]) -> None:
    for case in edge_cases["plays"]:
        position, dice = Position.from_board(case["board"]), Dice(*case["dice"])
        found = {signs(find_play(position, dice, text, STANDARD).position) for text in case["legal_plays"]}
        assert found == (set(case["results"]) if case["legal_plays"] else set()), case["why"]


def test_the_least_waste_rule_leaves_only_the_plays_that_waste_least(edge_cases: dict[str, Any]) -> None:
    cases = edge_cases["min_waste_variant"]["cases"]
    assert len(cases) == 13
    for case in cases:
        position, dice = Position.from_board(case["board"]), Dice(*case["dice"])
        assert results(position, dice) == sorted(case["standard_results"]), case["why"]
        assert results(position, dice, LEAST_WASTE) == sorted(case["variant_results"]), case["why"]


def test_the_rule_sets_on_offer_agree_about_plays(sample: list[dict[str, Any]]) -> None:
    for row in sample[::10]:
        position, dice = Position.from_board(row["board"]), Dice(*row["dice"])
        for rules in PRESETS.values():
            if not rules.least_waste:
                assert results(position, dice, rules) == row["results"]


def test_the_start_has_the_known_number_of_plays(perft: dict[str, Any]) -> None:
    for dice in ROLLS:
        found = len(legal_plays(Position.start(), dice, STANDARD))
        assert found == perft["depth1"]["per_roll_paths"][f"{dice.high}{dice.low}"], dice


def test_the_known_number_of_positions_is_reached_after_two_plays(perft: dict[str, Any]) -> None:
    replies = [
        play.position.mirrored() for dice in ROLLS for play in legal_plays(Position.start(), dice, STANDARD)
    ]
    reached = set()
    for dice in ROLLS:
        plays = [legal_plays(position, dice, STANDARD) for position in replies]
        counted = sum(len(found) or 1 for found in plays)
        assert counted == perft["depth2"]["per_roll_paths"][f"{dice.high}{dice.low}"], dice
        reached |= {play.position.mirrored() for found in plays for play in found}
        reached |= {position.mirrored() for position, found in zip(replies, plays, strict=True) if not found}
    assert len(reached) == perft["depth2"]["distinct_positions"]


def test_no_legal_play_is_no_play_at_all() -> None:
    shut_out = board({25: 1, 6: 5}, dict.fromkeys(range(19, 25), 2))
    assert legal_plays(shut_out, Dice(6, 1), STANDARD) == ()


@pytest.mark.parametrize("seed", range(4))
def test_random_games_give_the_plays_of_the_slow_oracle(seed: int) -> None:
    chance = Random(seed)
    for _ in range(10):
        for position, dice in random_game(chance):
            expected = oracle.results(position.board, dice.d1, dice.d2)
            plays = legal_plays(position, dice, STANDARD)
            assert {play.position.board for play in plays} == expected, (position.id, str(dice))
            assert len(plays) == len(expected), (position.id, str(dice))


@pytest.mark.parametrize("seed", range(4))
def test_random_bear_offs_give_the_plays_of_the_slow_oracle_under_both_rules(seed: int) -> None:
    chance = Random(seed)
    for _ in range(500):
        points = [0] * 26
        for _ in range(chance.randint(1, 8)):
            points[chance.choice([*range(1, 7), *range(1, 7), chance.randint(1, 12)])] += 1
        for _ in range(chance.randint(0, 4)):
            point = chance.randint(0, 24)
            points[point] -= points[point] <= 0
        points[24] = min(points[24], 0) - 1
        position, dice = Position.from_board(points), Dice(chance.randint(1, 6), chance.randint(1, 6))
        for rules, expected in (
            (STANDARD, oracle.results(position.board, dice.d1, dice.d2)),
            (LEAST_WASTE, oracle.least_waste(position.board, dice.d1, dice.d2)),
        ):
            found = [play.position.board for play in legal_plays(position, dice, rules)]
            assert sorted(found) == sorted(expected), (position.id, str(dice), rules.least_waste)


def test_the_tables_forget_when_they_are_full_and_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bgmail.rules.lanes._KEPT", 3)
    for position, dice in random_game(Random(5)):
        expected = oracle.results(position.board, dice.d1, dice.d2)
        assert {play.position.board for play in legal_plays(position, dice, STANDARD)} == expected
