"""Rules that somebody makes: filled in with an invitation, shown value by value before anybody accepts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest
from flask import Flask

from bgmail.phrases import refusal, rules_name
from bgmail.phrases.comparison import LINES
from bgmail.phrases.own_rules import OF_THE_MATCH, WRONG, closest, heading, likeness
from bgmail.phrases.rulebook import rule_facts
from bgmail.rules.ruledata import BadRuleSet, from_data, told
from bgmail.rules.ruleset import CLAIM, CLUB, FEDERATION, HOUSE, PRESETS, RuleSet, Timeout
from bgmail.service import invitations, turns
from bgmail.service.errors import Refused
from bgmail.service.terms import Email, Handle, Terms
from bgmail.web.rule_form import HINTS, NUMBERS, ORDER, Field, OwnRules, settled
from bgmail.world import World
from tests.web.conftest import Auth, Outbox, Visitor
from tests.web.table import Table
from tests.web.test_queue import statements

FRIDAY = replace(FEDERATION, name="Friday night", cube=False, timeout=Timeout.GAMMON, claimed=True)
WISH = {
    "to": "person",
    "opponent": "Bob",
    "length": "5",
    "time": "move-a-day",
    "rules": "federation",
    "rated": "1",
}
CHANGES = {"own-name": "Friday night", "own-cube": "no", "own-timeout": "gammon", "own-claimed": "yes"}


# ---- what is said about them


def test_rules_of_ones_own_are_set_beside_the_closest_known_ones(app: Flask) -> None:
    with app.test_request_context():
        found = likeness(FRIDAY)
        assert found
        assert (found.own, found.like) == ("Friday night", "federation")
        assert [fact.field for fact in found.differs] == ["cube", "timeout", "claimed"]
        assert heading(found) == "Like federation rules, but:"
        shown = {fact.field for fact in (*found.differs, *found.same)}
        assert shown == {fact.field for fact in rule_facts(FRIDAY)} - OF_THE_MATCH
        renamed = likeness(replace(HOUSE, name="Casino"))
        assert renamed
        assert (renamed.differs, heading(renamed)) == ((), "The same as house rules, under another name.")


def test_known_rules_need_no_such_words() -> None:
    assert [likeness(rules) for rules in PRESETS.values()] == [None] * len(PRESETS)


def test_who_plays_without_the_crawford_game_and_without_a_wager_changed_the_usual_rules() -> None:
    """The house's rules have no Crawford game either, and are known for their wager."""
    changed = replace(CLUB, name="Winter rules", crawford=False, cube_limit=8)
    assert closest(changed) is CLUB
    assert closest(replace(changed, most_wager=5)) is HOUSE


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_a_small_change_stays_close_to_its_origin(rules: RuleSet) -> None:
    for change in ({"inactivity": 60}, {"forced_plays": False}):
        made = replace(rules, name="mine", **change)  # type: ignore[arg-type]
        near = closest(made)
        distance = [
            one for one in LINES if one not in OF_THE_MATCH and getattr(near, one) != getattr(made, one)
        ]
        assert distance == list(change)


def test_a_name_of_ones_own_never_looks_like_known_rules(app: Flask) -> None:
    with app.test_request_context():
        assert rules_name("club") == "club rules"
        assert rules_name("club rules") == "own rules “club rules”"


# ---- the form


def test_the_form_asks_for_every_value(app: Flask) -> None:
    assert set(ORDER) == {field.name for field in fields(RuleSet)} - {"name", "time"}
    with app.test_request_context():
        asked = OwnRules().fields()
        assert len({field.label for field in asked}) == len(asked)
        assert all(field.choices or field.most for field in asked)


@pytest.mark.parametrize(
    "rules", [FRIDAY, replace(CLAIM, name="x", lengths=CLUB.lengths, given_back=2), HOUSE]
)
def test_rules_that_are_offered_again_are_the_same(rules: RuleSet) -> None:
    base, own = OwnRules.of(rules)
    offered = own.rules(base, 5)
    assert told(rules) == offered or from_data(offered) == rules


def test_every_value_is_carried_from_the_form_into_the_rules(app: Flask) -> None:
    with app.test_request_context():
        asked = {one.name.removeprefix("own-"): one for one in OwnRules().fields()}
    for field in ORDER:
        all_choices_are_carried(field, asked[field])


def all_choices_are_carried(field: str, asked: Field) -> None:
    """Each choice of a field makes rules that differ from the club's in that value alone."""
    choices = [value for value, _ in asked.choices if value] or [
        str(max(asked.least, 60 if asked.most >= 60 else 2))
    ]
    made = set()
    for text in choices:
        own = OwnRules.posted({"own-name": "mine", asked.name: text})
        rules = Terms(5, rules=own.rules("club", 5)).rule_set()
        assert rules == replace(CLUB, name="mine", **{field: getattr(rules, field)})
        made.add(getattr(rules, field))
    assert len(made) == len(choices)
    assert made - {getattr(CLUB, field)}


def test_what_is_left_empty_stays_as_chosen() -> None:
    assert OwnRules.posted({}).rules("federation", 7) == "federation"
    assert not OwnRules.posted({"own-cube": "", "own-name": " "})
    assert OwnRules.posted(CHANGES).rules("poker", 7) == "poker"
    assert from_data(OwnRules.posted(CHANGES).rules("federation", 7)) == FRIDAY


BAD: list[tuple[dict[str, str], str]] = [
    ({"own-name": ""}, "Name of the rules: 1 to 40 plain characters."),
    ({"own-name": "x" * 41}, "Name of the rules: 1 to 40 plain characters."),
    ({"own-name": "Federation"}, "“Federation” is the name of known rules. Give yours another."),
    ({"own-cube": "perhaps"}, "Doubling cube: that can’t be read."),
    ({"own-cube_limit": "3"}, "Cube limit: one of 2, 4, 8, 16, 32, 64."),
    ({"own-most_wager": "0"}, "Wager: a whole number from 1 to 100."),
    ({"own-most_wager": "-1"}, "Wager: that can’t be read."),
    ({"own-inactivity": "29"}, "Limit for staying away: a whole number from 30 to 7200."),
    ({"own-given_back": "21"}, "Bank given back: a whole number from 0 to 20."),
    ({"own-given_back_percent": "101"}, "Part given back, in per cent: a whole number from 1 to 100."),
    ({"own-timeout": "all"}, "Time over costs: one of match, game, gammon."),
    ({"own-lengths": "even"}, "Lengths: that can’t be read."),
]


def test_values_that_nobody_can_play_by_are_refused_with_a_sentence(app: Flask) -> None:
    with app.test_request_context():
        for change, sentence in BAD:
            own = OwnRules.posted({**CHANGES, **change})
            with pytest.raises(Refused) as refused:
                Terms(7, rules=own.rules("federation", 7)).judged()
            assert refusal(refused.value) == sentence


def test_every_way_to_get_rules_wrong_has_its_sentence(app: Flask) -> None:
    wrong: list[Any] = [
        {"name": "x", "speed": 1},
        {"cube": False},
        {"name": "x", "lengths": []},
        7,
        {"name": 7},
    ]
    with app.test_request_context():
        for data in wrong:
            with pytest.raises(BadRuleSet) as error:
                from_data(data)
            assert error.value.code in WRONG
            assert "%(" not in refusal(error.value)
    assert set(NUMBERS) == set(HINTS) <= set(ORDER)


LENGTHS: list[tuple[str, dict[str, str], int | None, int]] = [
    ("club", {}, None, 7),
    ("federation", {}, None, 7),
    ("five-point", {}, None, 5),
    ("five-point", {}, 7, 7),  # refused where the terms are judged: nobody's length is changed
    ("five-point", {"cube": "no"}, None, 5),
    ("five-point", {"lengths": "any"}, None, 7),
    ("five-point", {"lengths": "odd"}, None, 7),
    ("five-point", {"lengths": "this"}, None, 5),
    ("club", {"lengths": "this"}, None, 7),
    ("club", {"lengths": "this"}, 12, 12),
    ("poker", {}, None, 7),
]


@pytest.mark.parametrize(("chosen", "changes", "named", "length"), LENGTHS)
def test_who_names_no_length_gets_one_that_the_rules_have(
    chosen: str, changes: dict[str, str], named: int | None, length: int
) -> None:
    own = OwnRules("Mine", changes) if changes else OwnRules()
    found, rules = settled(chosen, own, named, 7)
    assert found == length
    if chosen != "poker" and named != 7:
        assert Terms(found, rules=rules).judged()[0].length == length


def test_the_nearest_length_is_the_shorter_of_two_and_no_session() -> None:
    assert [CLUB.nearest_length(wanted) for wanted in (7, 25, 99, 1)] == [7, 25, 25, 1]
    assert [FEDERATION.nearest_length(wanted) for wanted in (7, 8, 12, 25)] == [7, 7, 11, 15]
    assert replace(CLUB, lengths=frozenset({0})).nearest_length(7) == 0


# ---- from the inviter to the opponent


@pytest.fixture
def invited(auth: Auth, visitor: Visitor, world: World) -> Callable[..., str]:
    """Alice invites Bob; the address of the match."""

    def invite(**changes: str) -> str:
        auth.person("Alice")
        auth.person("Bob")
        auth.sign_in("Alice")
        visitor.get("/invite?rules=federation")
        answer = visitor.post("/invite", {**WISH, **CHANGES, **changes})
        assert answer.status_code == 303, visitor.text
        return str(answer.location)

    return invite


def test_the_opponent_sees_what_differs_before_accepting(
    invited: Callable[..., str], auth: Auth, other: Visitor, outbox: Outbox, world: World
) -> None:
    there = invited()
    auth.sign_in("Bob", visitor=other)
    for path in (there, f"{there}/rules"):
        other.get(path)
        assert "Like federation rules, but: Doubling cube There is no doubling cube." in other.text
        assert "Time over The game on the board is lost as a gammon" in other.text
        differs, rest = other.page.split("All other values")
        assert "The opponent has to claim it" in differs
        assert "Resigning a game" in rest
        assert "own rules “Friday night”" in other.text or "Own rules “Friday night”" in other.text
    other.get("/")
    assert "Like federation rules, but: Doubling cube: There is no doubling cube." in other.text
    state = other.client.get(f"/api/v1/matches/{there.split('/')[-1]}").get_json()
    assert state["rules"] == "Friday night"
    assert state["rule_set"]["cube"] is False
    other.get(there)
    assert other.post(f"/invitations/{there.split('/')[-1]}/accept").status_code == 303
    assert turns.load(world.store, there.split("/")[-1]).match.rules == FRIDAY
    other.get(there)
    assert f'href="{there}/rules"' in other.page


def test_other_terms_begin_with_the_rules_that_were_offered(
    invited: Callable[..., str], auth: Auth, other: Visitor
) -> None:
    match_id = invited().split("/")[-1]
    auth.sign_in("Bob", visitor=other)
    other.get(f"/invitations/{match_id}/counter")
    assert 'name="own-name" value="Friday night"' in other.page
    assert '<details class="more own-rules" open>' in other.page
    assert '<option value="gammon" selected>' in other.page


def test_a_refused_form_keeps_what_was_typed(auth: Auth, visitor: Visitor, world: World) -> None:
    account = auth.person("Alice")
    auth.person("Bob")
    auth.sign_in("Alice")
    visitor.get("/invite?rules=claim")
    assert '<option value="five-point" data-lengths="5">five-point rules (5)</option>' in visitor.page
    assert "federation rules (1–15, odd)</option>" in visitor.page
    assert '<option value="house" data-wager>house rules</option>' in visitor.page
    assert '<option value="claim" selected>' in visitor.page
    assert '<option value="live-11-90" selected>' in visitor.page
    assert visitor.post("/invite", {**WISH, **CHANGES, "own-inactivity": "5"}).status_code == 422
    assert "Limit for staying away: a whole number from 30 to 7200." in visitor.text
    assert 'value="5" placeholder="as above"' in visitor.page
    assert '<option value="gammon" selected>' in visitor.page
    assert invitations.sent(world.store, account.id) == []


def test_a_wager_is_asked_for_and_judged_by_the_rules(auth: Auth, visitor: Visitor, world: World) -> None:
    auth.person("Alice")
    auth.person("Bob")
    auth.sign_in("Alice")
    visitor.get("/invite")
    assert visitor.post("/invite", {**WISH, "wager": "3"}).status_code == 422
    assert "By these rules games are played without a wager." in visitor.text
    answer = visitor.post("/invite", {**WISH, "rules": "house", "length": "15", "wager": "3"})
    assert answer.status_code == 303
    view = turns.load(world.store, str(answer.location).split("/")[-1])
    assert (view.match.rules, view.match.wager) == (HOUSE, 3)
    visitor.get(str(answer.location))
    assert "15-point match, 3 points a game" in visitor.text
    rules = visitor.get(f"{answer.location}/rules")
    assert (rules.status_code, rules.location) == (302, "/rules/house")


def test_an_invitation_without_a_length_goes_by_its_rules_and_one_with_a_length_is_never_changed(
    auth: Auth, visitor: Visitor, world: World
) -> None:
    auth.person("Alice")
    auth.person("Bob")
    auth.sign_in("Alice")
    visitor.get("/invite")
    assert (
        '<option value="" data-says="the usual: {match}" selected>the usual: 7-point match, or'
        in visitor.page
    )
    answer = visitor.post("/invite", {**WISH, "rules": "five-point", "length": ""})
    assert turns.load(world.store, str(answer.location).split("/")[-1]).match.length == 5
    assert visitor.post("/invite", {**WISH, "rules": "five-point", "length": "7"}).status_code == 422
    assert "no match of length 7" in visitor.text


def test_the_rules_of_an_invitation_are_for_the_two_alone(
    invited: Callable[..., str], auth: Auth, other: Visitor
) -> None:
    there = invited()
    auth.person("Charlie")
    auth.sign_in("Charlie", visitor=other)
    assert other.get(f"{there}/rules").status_code == 404
    assert other.get("/match/nothing/rules").status_code == 404


def test_somebody_without_an_account_sees_them_by_the_mailed_link(
    auth: Auth, other: Visitor, outbox: Outbox, world: World
) -> None:
    alice = auth.person("Alice")
    terms = Terms(5, rules=told(FRIDAY))
    invitations.invite(
        world.store, alice.id, terms, Email("eve@friends.example"), "", world.now(), world.chance
    )
    other.get(outbox.last().url or "")
    assert "Like federation rules, but: Doubling cube There is no doubling cube." in other.text


def test_a_name_is_shown_as_text(auth: Auth, visitor: Visitor, world: World) -> None:
    alice = auth.person("Alice")
    auth.person("Bob")
    named = replace(FRIDAY, name="<b>&%(x)s\u2067")
    with pytest.raises(Refused):
        Terms(5, rules={**told(named)}).judged()  # type: ignore[dict-item]
    named = replace(FRIDAY, name="<b>&%(x)s")
    to = Handle("Bob")
    view = invitations.invite(
        world.store, alice.id, Terms(5, rules=told(named)), to, "", world.now(), world.chance
    )
    auth.sign_in("Bob", visitor=visitor)
    visitor.get(f"/match/{view.id}")
    assert "own rules “&lt;b&gt;&amp;%(x)s”" in visitor.page


def test_the_form_and_the_rules_of_a_match_ask_the_database_a_bounded_number_of_times(app: Flask) -> None:
    table = Table(app, (3, 1), rules=told(FRIDAY))
    for path, most in (("/invite", 2), ("/invite?rules=five-point", 2), (f"{table.path}/rules", 3)):
        table.alice.get(path)
        with statements(table.world) as seen:
            assert table.alice.get(path).status_code == 200
        assert len(seen) <= most, (path, seen)
    form = table.alice.client.get("/invite?rules=five-point").get_data(as_text=True)
    assert '<option value="5" selected>' in form
