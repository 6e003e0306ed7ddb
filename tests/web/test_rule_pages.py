"""The pages of the rule sets: what they lack on purpose, where their book is silent, the real table, side by side."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, replace
from html import unescape
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from bgmail.phrases.comparison import LINES, comparison, short_lengths
from bgmail.phrases.rule_sets import HANDS, INTRODUCTIONS, NOT_PLAYED, SILENT, filled
from bgmail.phrases.rulebook import rule_facts
from bgmail.rules.ruleset import CLUB, PRESETS, STANDARD, RuleSet, Timeout
from bgmail.web.guide_pages import rules_name
from tests.web.test_guide import ids, section


@pytest.fixture
def text(client: FlaskClient) -> Callable[[str, str], str]:
    """The words of a section of a rule set's page."""
    return lambda name, anchor: section(client.get(f"/rules/{name}").get_data(as_text=True), anchor)


def test_a_page_says_what_is_left_out_on_purpose(client: FlaskClient) -> None:
    for name in PRESETS:
        page = client.get(f"/rules/{name}").get_data(as_text=True)
        assert {"beavers", "automatic-doubles", "jacoby", "settlements"} <= ids(page)
        told = section(page, "not-played")
        assert all(f"{one.name} {one.says}" in told for one in NOT_PLAYED)
        assert str(INTRODUCTIONS[name]) in unescape(page)


def test_who_looks_for_what_is_left_out_finds_it_in_the_glossary(client: FlaskClient) -> None:
    glossary = client.get("/glossary").get_data(as_text=True)
    for anchor in ("beavers", "automatic-doubles", "jacoby", "settlements"):
        assert f'href="/rules/#{anchor}"' in glossary
    assert glossary.count("Not played here.") == 4


def test_where_a_rulebook_is_silent_the_club_rules_hold(text: Callable[[str, str], str]) -> None:
    claim, house, five = text("claim", "silent"), text("house", "silent"), text("five-point", "silent")
    assert "Each side rolls one die to open" in claim
    assert "Lengths: Matches of 1 to 25 points and points sessions" in claim
    assert "Where either die can be played but not both, it is the larger one." in house
    assert "The owner may redouble before any own roll." in house
    assert "Resigning a game: You offer a single game" in five


def test_what_fills_the_gaps_of_a_rulebook_is_what_its_rule_set_does(app: Flask) -> None:
    """A value said to be the club's is the club's."""
    values = {field.name for field in fields(RuleSet)}
    with app.test_request_context():
        for name, gaps in SILENT.items():
            assert len(filled(name)) == len(gaps)
            for gap in values & set(gaps):
                assert getattr(PRESETS[name], gap) == getattr(CLUB, gap), (name, gap)
        assert filled("club") == filled("federation") == []


def test_the_page_of_the_house_rules_tells_what_hands_do_at_a_table(
    client: FlaskClient, text: Callable[[str, str], str]
) -> None:
    told = text("house", "at-the-table")
    assert all(str(one) in told for one in HANDS)
    assert "a gammon at cube 2 counts 20" in text("house", "values")
    assert "at-the-table" not in ids(client.get("/rules/claim").get_data(as_text=True))


def test_the_proposed_time_is_marked_in_the_list(client: FlaskClient) -> None:
    for name, rules in PRESETS.items():
        page = client.get(f"/rules/{name}").get_data(as_text=True)
        line = re.findall(r"<tr>(?:(?!</tr>).)*?>proposed</span>.*?</tr>", page, re.DOTALL)
        assert len(line) == 1
        assert f"<code>{rules.time or 'move-a-day'}</code>" in line[0]


def test_all_values_stand_side_by_side(client: FlaskClient, app: Flask) -> None:
    assert set(LINES) == {field.name for field in fields(RuleSet)} - {"name", "given_back_percent"}
    with app.test_request_context():
        lines = {line.field: line for line in comparison(PRESETS.values(), CLUB)}
        names = [rules_name(name) for name in PRESETS]
        assert [cell[1] for cell in lines["cube"].cells] == [not rules.cube for rules in PRESETS.values()]
        assert lines["timeout"].cells[list(PRESETS).index("claim")] == ("the game, as a gammon", True)
        assert not any(cell[1] for line in comparison([CLUB], CLUB) for cell in line.cells)
    told = section(client.get("/rules/").get_data(as_text=True), "compare")
    assert " ".join(names) in told
    assert all(f"{line.name} {' '.join(said for said, _ in line.cells)}" in told for line in lines.values())


def test_lengths_in_few_signs(app: Flask) -> None:
    with app.test_request_context():
        assert short_lengths(CLUB.lengths) == "1–25, sessions"
        assert short_lengths({1, 3, 5, 7}) == "1–7, odd"
        assert short_lengths({5}) == "5"
        assert short_lengths({0}) == "sessions"
        assert short_lengths({1, 4, 9}) == "1, 4, 9"


TIMES: list[tuple[dict[str, Any], str, str]] = [
    ({"timeout": Timeout.GAME}, "timeout", "The game on the board is lost, and the match goes on."),
    ({"claimed": True}, "claimed", "After 14 days it happens by itself."),
    ({"bank_per_game": True}, "bank_per_game", "Each game starts with a full bank."),
    ({"given_back": 1}, "given_back", "gets a part of the bank back, once a match."),
    ({"given_back": 3}, "given_back", "gets a part of the bank back, 3 times a match."),
    ({"given_back": 3}, "given_back_percent", "50 % of what the bank lost meanwhile."),
    ({"inactivity": 120}, "inactivity", "away on turn for 2 minutes loses the game on the board."),
    ({"most_wager": 9}, "most_wager", "a wager of 1 to 9 points a game"),
    ({"time": "live-11-90"}, "time", "Proposed: 11 seconds a move + 1 minute 30 seconds bank."),
]


def test_every_value_of_time_has_its_words(app: Flask) -> None:
    with app.test_request_context():
        for change, field, says in TIMES:
            told = {fact.field: fact.says for fact in rule_facts(replace(STANDARD, **change))}
            assert says in told[field]
