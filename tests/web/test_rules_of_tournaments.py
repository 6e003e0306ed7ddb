"""Organisers choose rules and length of their matches, also rules of their own; who enters reads them before."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from flask import Flask

from bgmail.rules.ruledata import told
from bgmail.rules.ruleset import CLUB, FEDERATION, Timeout
from bgmail.service.tournaments import series, views
from bgmail.world import World
from tests.service.tournaments.club import Club
from tests.web.conftest import Visitor
from tests.web.test_changing_drafts import sent
from tests.web.test_queue import statements
from tests.web.test_tournament_pages import browser_of, path

FRIDAY = replace(FEDERATION, name="Friday night", cube=False, timeout=Timeout.GAMMON, claimed=True)
CHANGES = {"own-name": "Friday night", "own-cube": "no", "own-timeout": "gammon", "own-claimed": "yes"}
LEAGUE = {
    "kind": "league",
    "name": "Club league",
    "time": "three-days",
    "size": "8",
    "moves": "2",
    "least": "4",
}
FORMS = {"/tournaments/new": {"name": "Autumn", "open": "1"}, "/leagues/new": LEAGUE}


@pytest.fixture
def dana(app: Flask, club: Club) -> Visitor:
    return browser_of(app, club, "dana")


@pytest.mark.parametrize("there", FORMS)
def test_what_is_changed_in_the_rules_is_read_before_anybody_enters(
    dana: Visitor, app: Flask, club: Club, there: str
) -> None:
    dana.open(there)
    assert "Everybody sees what differs before entering." in dana.text
    wish = {**FORMS[there], "rules": "federation", "rated": "1", "key": "one"}
    for wrong, says in (
        ({"own-name": ""}, "Name of the rules: 1 to 40 plain characters."),
        ({"own-inactivity": "5"}, "Limit for staying away: a whole number from 30 to 7200."),
        ({"length": "8"}, "no match of length 8"),
        ({"rules": "kept"}, "There is no rule set called “kept”"),
    ):
        assert dana.post(there, {**wish, **CHANGES, **wrong}).status_code == 422, wrong
        assert says in dana.text
        assert '<details class="more own-rules" open>' in dana.page
        assert re.search(r'name="own-cube">.*?<option value="no" selected>', dana.page)
    assert dana.post(there, {**wish, **CHANGES}).status_code == 303
    if there == "/leagues/new":
        (league,) = series.listed(club.store, 2)
        page, conditions, length = f"/leagues/{league.id}", league.conditions, 7
    else:
        (made,) = views.listed(club.store, tuple(views.State), account_id=club.dana)
        page, conditions, length = path(made), made.conditions, 5
    assert (conditions.rules, conditions.length) == (told(FRIDAY), length)
    charlie = browser_of(app, club, "Charlie")
    charlie.open(page)
    before, _, after = charlie.text.partition("I have read the conditions above")
    assert after
    assert "own rules “Friday night”" in before
    assert "Like federation rules, but: Doubling cube There is no doubling cube." in before
    assert "Time over The game on the board is lost as a gammon" in before.split("All other values")[0]


@pytest.mark.parametrize("there", FORMS)
def test_a_length_that_nobody_typed_goes_by_the_rules_and_one_that_was_typed_stays(
    dana: Visitor, club: Club, there: str
) -> None:
    dana.open(there)
    assert dana.post(there, {**FORMS[there], "rules": "five-point", "length": "7"}).status_code == 422
    assert "no match of length 7" in dana.text
    assert 'name="length" type="number" inputmode="numeric" min="1" max="99" value="7"' in dana.page
    assert (
        dana.post(there, {**FORMS[there], "rules": "five-point", "length": "", "key": "two"}).status_code
        == 303
    )
    found = (*series.listed(club.store, 2), *views.listed(club.store, (views.State.OPEN,)))
    assert [one.conditions.length for one in found] == [5]


def test_a_draft_by_rules_of_ones_own_is_changed_with_them(dana: Visitor, club: Club, world: World) -> None:
    draft = club.create(conditions={"length": 5, "rules": told(replace(FRIDAY, lengths=CLUB.lengths))})
    here = path(draft, "/change")
    dana.open(here)
    as_it_is = sent(dana.page)
    assert {name: as_it_is.get(name) for name in CHANGES} == CHANGES
    assert (as_it_is["rules"], as_it_is["own-lengths"], as_it_is["length"]) == ("federation", "any", "5")
    assert dana.post(here, as_it_is).status_code == 303
    assert club.load(draft) == draft, "nothing was touched, so nothing changed"
    assert (
        dana.post(here, as_it_is | {"own-timeout": "", "own-lengths": "this", "key": "k"}).status_code == 303
    )
    assert club.load(draft).conditions.rules == told(
        replace(FRIDAY, timeout=Timeout.MATCH, lengths=frozenset({5}))
    )
    with statements(world) as seen:
        dana.open(here)
    assert len(seen) <= 7
