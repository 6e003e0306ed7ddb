"""Rules, help, strategy and glossary: whatever they state is what the code does, and every link leads somewhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from datetime import timedelta
from html import unescape
from urllib.parse import urldefrag

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event
from werkzeug.test import TestResponse

from bgmail import house, timing
from bgmail.phrases import lasting, time_control
from bgmail.phrases.glossary import GROUPS
from bgmail.phrases.machines import plays_by
from bgmail.phrases.rulebook import lengths_line, rule_facts
from bgmail.rules import Dice, Position, find_play, legal_plays, ruleset
from bgmail.rules.action import Action, Kind
from bgmail.rules.dice import ROLLS
from bgmail.rules.match import Phase, apply, new_match
from bgmail.rules.notation import PlayError
from bgmail.rules.ruleset import CLUB, FEDERATION, STANDARD, Resignation, RuleSet, Timeout
from bgmail.rules.side import Side
from bgmail.service import entrance, invitations, logins, matches, proofs
from bgmail.service.terms import MOST_MESSAGE
from bgmail.web import guide_pages
from bgmail.web.addresses import STATIC
from bgmail.web.guide_race import Thumb
from bgmail.web.guide_studies import LOSERS, OPENINGS, RACE, STUDIES
from bgmail.world import World
from tests.web.conftest import Auth, Visitor

SETS = tuple(f"/rules/{name}" for name in ruleset.PRESETS)
PAGES = ("/rules/", *SETS, "/help", "/help/tournaments", "/strategy", "/glossary")
WORDS = """checker point bar off pip-count blot hit enter bear-off dice roll doubles double move play turn dance on-roll
position cube owner centred take pass single gammon backgammon match length score away crawford resign side ending
outcome deadline reminder bank timeout invitation open-challenge notice delivery bounce claim visit""".split()
REFUSED = {
    "movement": ["backwards"],
    "blocked": ["blocked"],
    "bar": ["bar_first", "blocked"],
    "both-dice": ["use_both_dice"],
    "larger-die": ["use_larger_die"],
    "doubles": ["use_more_dice"],
    "straggler": ["straggler"],
    "higher-checker": ["higher_checker"],
}
EVENING = replace(
    STANDARD,
    name="evening",
    lengths=frozenset({5}),
    triple=False,
    cube=False,
    least_waste=True,
    forced_plays=False,
    most_wager=10,
    timeout=Timeout.GAME,
    claimed=True,
    bank_per_game=True,
    inactivity=120,
    given_back=1,
)


def ids(page: str) -> set[str]:
    """The ids on a page."""
    return set(re.findall(r'\bid="([^"]+)"', page))


def links(page: str) -> set[str]:
    """The addresses on this site that a page leads to."""
    found = {unescape(url) for url in re.findall(r'<a\b[^>]*?href="([^"]+)"', page)}
    return {url for url in found if url.startswith(("/", "#"))}


def section(page: str, anchor: str) -> str:
    """The words of one section."""
    inside = page.split(f' id="{anchor}"', 1)[1].split(">", 1)[1].split("</section>", 1)[0]
    bare = re.sub(r"<svg.*?</svg>", " ", inside, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", bare)).split())


@pytest.fixture
def text(client: FlaskClient) -> Callable[..., str]:
    """The words of a section of a page."""

    def read(path: str, anchor: str) -> str:
        return section(client.get(path).get_data(as_text=True), anchor)

    return read


@pytest.fixture
def evening_rules(monkeypatch: pytest.MonkeyPatch) -> RuleSet:
    """A rule set that differs in everything, as if somebody had added it."""
    monkeypatch.setitem(ruleset.PRESETS, "evening", EVENING)
    return EVENING


# ---- links


@pytest.mark.parametrize("path", PAGES)
def test_every_link_leads_to_a_page_and_to_one_place_on_it(client: FlaskClient, path: str) -> None:
    page = client.get(path).get_data(as_text=True)
    found = re.findall(r'\bid="([^"]+)"', page)
    assert len(found) == len(set(found))
    assert links(page) > {"/rules/", "/help", "/strategy", "/glossary"}
    answers: dict[str, TestResponse] = {}
    for url in links(page):
        address, anchor = urldefrag(url)
        address = address or path
        answer = answers[address] = answers.get(address) or client.get(address)
        assert answer.status_code in (200, 302, 303), url
        if anchor and answer.status_code == 200 and anchor != "main":
            assert anchor in ids(answer.get_data(as_text=True)), url


def test_the_guide_is_linked_from_every_page(client: FlaskClient) -> None:
    for path in ("/", "/sign-in", "/lobby", "/nothing"):
        assert links(client.get(path).get_data(as_text=True)) > {"/rules/", "/help", "/strategy", "/glossary"}


def test_rules_that_are_not_there_are_not_found(client: FlaskClient) -> None:
    answer = client.get("/rules/poker")
    assert answer.status_code == 404
    assert "There are no such rules here." in answer.get_data(as_text=True)


# ---- the rules


def test_the_start_is_drawn_counted_and_its_pips_are_summed(text: Callable[..., str]) -> None:
    told = text("/rules/", "setup")
    assert f"{Position.start().pip_count()} pips" in told
    assert "167 pips" in told
    assert re.findall(r"(\d+) checkers on the (\d+) point", told) == [
        ("2", "24"),
        ("5", "13"),
        ("3", "8"),
        ("5", "6"),
    ]


@pytest.mark.parametrize("name", STUDIES)
def test_an_example_shows_what_is_legal_and_why_the_rest_is_not(client: FlaskClient, name: str) -> None:
    study, page = STUDIES[name], client.get("/rules/").get_data(as_text=True)
    legal = [str(play) for play in legal_plays(study.position, study.dice, CLUB)]
    told = " ".join(section(page, anchor) for anchor in ids(page) if f' id="{anchor}"><h2>' in page)
    if study.tries and name != "movement":
        assert all(play in told for play in legal)
    for tried, code in zip(study.tries, REFUSED.get(name, []), strict=True):
        with pytest.raises(PlayError) as refused:
            find_play(study.position, study.dice, tried, CLUB)
        assert refused.value.code == code
    if study.shown:
        assert str(find_play(study.position, study.dice, study.shown, CLUB)) == study.shown


def test_the_examples_of_both_dice_and_of_the_larger_die_say_the_one_legal_play(
    text: Callable[..., str],
) -> None:
    assert "The only legal play with 6-4: 13/3" in text("/rules/", "both-dice")
    larger = text("/rules/", "larger-die")
    assert "The only legal play with 6-5: 13/7" in larger
    assert "13/8 Only one of the dice can be used, and it must be the 6." in larger
    assert "With 6-6 no play is legal." in text("/rules/", "dance")


def test_every_value_of_a_rule_set_is_told(evening_rules: RuleSet) -> None:
    told = {fact.field for fact in rule_facts(FEDERATION)}
    assert told == {field.name for field in fields(RuleSet)} - {"name"}
    assert {fact.field for fact in rule_facts(evening_rules)} == told - {
        "cube_limit",
        "dead_cube_refused",
        "crawford",
    }
    assert told - {fact.field for fact in rule_facts(CLUB)} == {"given_back_percent"}


@pytest.mark.parametrize("way", Resignation)
def test_each_way_to_resign_has_its_words(app: Flask, way: Resignation) -> None:
    with app.test_request_context():
        said = {fact.field: fact.says for fact in rule_facts(replace(CLUB, resignation=way))}
    assert ("accepts" in said["resignation"]) == (way is Resignation.OFFER)


@pytest.mark.parametrize("rules", [*ruleset.PRESETS.values(), EVENING], ids=lambda rules: rules.name)
def test_the_page_of_a_rule_set_says_what_it_is(
    text: Callable[..., str], app: Flask, evening_rules: RuleSet, rules: RuleSet
) -> None:
    told = text(f"/rules/{rules.name}", "facts")
    with app.test_request_context():
        assert all(f"{fact.name} {fact.says}" in told for fact in rule_facts(rules))
    assert ("Different from club rules" in told) == (rules is not CLUB)
    values = text(f"/rules/{rules.name}", "values")
    assert ("Gammon 2 4 8 16 32 64 128" in values) == rules.cube
    assert ("Backgammon 3" in values) == rules.triple


def test_a_rule_set_that_is_added_appears_by_itself(text: Callable[..., str], evening_rules: RuleSet) -> None:
    assert "own rules “evening” : matches of 5 points" in text("/rules/", "rule-sets")
    assert "Here it is so in: rules with claimed timeouts, own rules “evening”." in text(
        "/rules/", "least-waste"
    )
    assert "By own rules “evening”: 1 to 10 points." in text("/rules/", "wager")
    assert "Own rules “evening”" in text("/rules/club", "others")
    assert "There is no doubling cube." in text("/rules/evening", "facts")


def test_lengths_in_words(app: Flask) -> None:
    with app.test_request_context():
        assert lengths_line(CLUB.lengths) == "matches of 1 to 25 points and points sessions of 1 to 99 games"
        assert lengths_line(FEDERATION.lengths) == "matches of odd lengths from 1 to 15 points"
        assert lengths_line({5}) == "matches of 5 points"
        assert lengths_line({1, 3, 7}) == "matches of 1, 3 and 7 points"


def test_the_three_ends_of_a_game_are_what_they_are_called(text: Callable[..., str]) -> None:
    told = text("/rules/", "gammon")
    for name, value in (("Single game", 1), ("Gammon", 2), ("Backgammon", 3)):
        assert f"{name}: {value}" in told
        assert f"{name} {' '.join(str(value * 2**n) for n in range(7))}" in told
    assert [loser.off for loser in LOSERS.values()] == [1, 0, 0]


def test_the_crawford_game_is_the_first_within_a_point(text: Callable[..., str]) -> None:
    told = text("/rules/", "crawford")
    assert "4–3 with the cube 6–3 without the cube: the Crawford game 6–5 with the cube" in told
    assert guide_pages.crawford(replace(CLUB, crawford=False)) == [
        ("4–3", True),
        ("6–3", True),
        ("6–5", True),
    ]


def test_a_lapse_costs_the_match_and_both_pages_say_so(text: Callable[..., str]) -> None:
    running = replace(new_match(CLUB, 7), phase=Phase.PLAY, dice=Dice(3, 1), score=(2, 4))
    over = apply(running, Action(Kind.TIMEOUT, Side.WHITE))
    assert over.phase is Phase.OVER
    assert over.result
    assert over.result.awarded == (0, 3)
    assert over.score == (2, 4)
    lost = "The match is lost; the opponent is awarded the missing points."
    assert f"club rules: {lost} It happens by itself" in text("/rules/", "time")
    assert lost in text("/rules/federation", "facts")


# ---- help


def test_every_time_control_is_told_in_the_words_of_the_invitation(
    text: Callable[..., str], app: Flask
) -> None:
    with app.test_request_context():
        words = [time_control(timing.resolve(name, guide_pages.LENGTH)) for name in timing.PRESETS]
    for told in (text("/help", "clocks"), text("/rules/club", "times")):
        assert all(one in told for one in words)
        assert all(name in told for name in timing.PRESETS)
    assert "starts after 1 day; while it is full, your time is over 4 days after" in text("/help", "clocks")


def test_the_figures_of_the_help_are_those_of_the_code(text: Callable[..., str], app: Flask) -> None:
    choice, day = timing.DEFAULT_CHOICE, timedelta(days=1)
    clocks = text("/help", "clocks")
    assert f"{choice.turn} % of the turn" in clocks
    assert f"{choice.bank} % of the bank" in clocks
    with app.test_request_context():
        assert f"{lasting(timedelta(seconds=choice.left[0]))} before the end" in clocks
        assert f"within {lasting(entrance.LINK_LIFETIME)}" in text("/help", "account")
    assert f"open for {invitations.LIFETIME // day} days" in text("/help", "invitations")
    assert f"at most {MOST_MESSAGE} characters" in text("/help", "invitations")
    assert f"at most {matches.MOST_CHAT} characters" in text("/help", "chat")
    assert f"for {proofs.PROOF_LIFETIME // day} days" in text("/help", "account")
    assert f"for {logins.IDLE // day} days" in text("/help", "account")
    assert f"have {logins.MOST_TOKENS}" in text("/help", "programs")


def test_the_keys_of_the_help_are_those_of_the_board(app: Flask) -> None:
    script = (STATIC / "board.js").read_text()
    with app.test_request_context():
        named = [name for names, _ in guide_pages.board_keys() for name in names]
    known = {word.lower() for word in re.findall(r"'(\w+)'|(Arrow\w+):", script) for word in word}
    assert {name.lower() for name in named} <= known


@pytest.mark.parametrize("play", ["8/5 6/5", "24/13"])
def test_the_plays_that_explain_the_notation_can_be_played(text: Callable[..., str], play: str) -> None:
    dice = Dice(3, 1) if play == "8/5 6/5" else Dice(6, 5)
    assert str(find_play(Position.start(), dice, play, CLUB)) == play
    assert play in text("/help", "notation")


def test_the_help_says_what_plays_under_the_name_of_the_house(text: Callable[..., str], app: Flask) -> None:
    with app.test_request_context():
        assert plays_by(house.engine()) in text("/help", "house")


# ---- strategy and glossary


def test_all_opening_rolls_have_a_legal_play(text: Callable[..., str]) -> None:
    assert set(OPENINGS) == {dice for dice in ROLLS if not dice.is_double}
    told = text("/strategy", "openings")
    for dice, play in OPENINGS.items():
        assert str(find_play(Position.start(), dice, play, CLUB)) == play
        assert re.search(rf"{dice}:? {re.escape(play)}", told), dice


def test_the_rule_for_races_is_reckoned_from_the_position_shown(text: Callable[..., str]) -> None:
    assert Thumb.of(100) == Thumb(100, double=108, redouble=109, take=112)
    assert (RACE.pip_count(), RACE.opponent_pip_count()) == (72, 80)
    assert Thumb.of(72) == Thumb(72, double=78, redouble=79, take=80)
    assert "with 72 pips to go against 80" in text("/strategy", "race")
    assert "That is a double and a take." in text("/strategy", "thumb")
    assert "100 108 109 112" in text("/strategy", "thumb")


def test_chances_are_told_as_counted(text: Callable[..., str]) -> None:
    assert "Rolls that hit 11 12 14 15 15 17 6 6 5 3 2 3" in text("/strategy", "safety")
    assert "at 7 only 6 rolls hit" in text("/strategy", "safety")
    assert "5 and 2 leave with 19 rolls, 4 and 3 with only 17" in text("/strategy", "bearing-off")


def test_an_average_roll_is_a_little_over_eight_pips() -> None:
    pips = sum(sum(Dice(one, other).numbers) for one in range(1, 7) for other in range(1, 7))
    assert 8 < pips / 36 < 8.2


def test_every_word_of_ours_is_in_the_glossary_once(client: FlaskClient) -> None:
    anchors = [term.anchor for _, _, terms in GROUPS for term in terms]
    assert set(WORDS) <= set(anchors)
    assert len(anchors) == len(set(anchors))
    assert set(anchors) <= ids(client.get("/glossary").get_data(as_text=True))


def test_a_match_at_a_score_is_away_as_the_strategy_says(text: Callable[..., str]) -> None:
    match = replace(new_match(CLUB, 7), score=(4, 2))
    assert (match.away(Side.WHITE), match.away(Side.BLACK)) == (3, 5)
    assert "one is 3-away, the other 5-away" in text("/strategy", "score")


# ---- the operator, and what the pages cost


def test_the_operator_can_be_written_to_if_an_address_is_set(
    make_app: Callable[..., Flask], client: FlaskClient
) -> None:
    assert "mailto:" not in client.get("/help").get_data(as_text=True)
    named = make_app(operator_email="stella@bgmail.example").test_client()
    for path in ("/help", "/", "/nothing"):
        assert 'href="mailto:stella@bgmail.example"' in named.get(path).get_data(as_text=True), path


@pytest.fixture
def queries(world: World) -> Iterator[list[str]]:
    """The statements that the database is asked."""
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        asked.append(statement)

    engine = world.store.engine
    event.listen(engine, "before_cursor_execute", note)
    yield asked
    event.remove(engine, "before_cursor_execute", note)


def test_a_page_of_the_guide_asks_the_database_twice_at_most(
    auth: Auth, visitor: Visitor, queries: list[str]
) -> None:
    auth.person("Alice")
    auth.sign_in("Alice")
    for path in PAGES:
        queries.clear()
        assert visitor.get(path).status_code == 200
        assert len([one for one in queries if one.lstrip().upper().startswith("SELECT")]) <= 2, path
        assert all(one.lstrip().upper().startswith(("SELECT", "BEGIN", "PRAGMA")) for one in queries)


def test_the_anchors_that_others_link_to_stay(client: FlaskClient) -> None:
    rules, helped = (ids(client.get(path).get_data(as_text=True)) for path in ("/rules/", "/help"))
    assert {"movement", "blocked", "hit", "bar", "dance", "both-dice", "larger-die", "doubles"} <= rules
    assert {"bear-off", "gammon", "cube", "dead-cube", "crawford", "resigning", "time"} <= rules
    assert {"clocks", "letters", "links", "dice", "notation", "keys", "operator"} <= helped
