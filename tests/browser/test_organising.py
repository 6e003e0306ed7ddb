"""Somebody who has never organised gets a tournament running: clicks counted, seeds dragged, and without a script."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from bgmail.service import logins
from bgmail.service.tournaments import views
from tests.browser.clubroom import Club, Side
from tests.browser.objections import objections
from tests.browser.test_tournaments import Hall, out_of_reach

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.slow
MOST_CLICKS = 25


class Mouse:
    """A hand that is counted."""

    def __init__(self) -> None:
        self.clicks = 0

    def click(self, there: Locator) -> None:
        self.clicks += 1
        there.click()


def enter_by_api(page: Page, hall: Hall, tournament_url: str, name: str) -> None:
    """Somebody reads the conditions and enters, by a program of their own."""
    token = logins.create_token(hall.store, hall.person(name), "test", hall.now)
    there = tournament_url.replace("/tournaments/", "/api/v1/tournaments/")
    headers = {"Authorization": f"Bearer {token}"}
    digest = page.request.get(there, headers=headers).json()["digest"]
    wish = {"conditions": digest, "fair_play": True}
    answer = page.request.post(f"{there}/enter", headers=headers, data=wish)
    assert answer.ok, answer.text()


def test_eight_play_a_knockout_after_fewer_than_25_clicks(club: Club) -> None:
    view = club.begin((3, 1))
    hall, mouse = Hall(club), Mouse()
    page = club.context(Side.WHITE, view, bypass_csp=True).new_page()
    page.goto(club.url)
    mouse.click(page.get_by_role("link", name="Tournaments", exact=True).first)
    mouse.click(page.get_by_role("link", name="New tournament"))
    assert objections(page) == []
    mouse.click(page.get_by_label("Name", exact=True))
    page.keyboard.type("Autumn")
    page.get_by_role("radio", name="Swiss system Some rounds").check()
    expect(page.locator("#swiss_rounds")).to_be_visible()  # each format has its own options
    expect(page.get_by_label("a match for the third place")).to_be_hidden()
    mouse.click(page.get_by_role("radio", name="Knockout Who loses"))
    expect(page.get_by_label("a match for the third place")).to_be_visible()
    expect(page.locator("#swiss_rounds")).to_be_hidden()
    mouse.click(page.get_by_role("button", name="Create and open to enter"))
    expect(page.get_by_text("It is open: people can enter.")).to_be_visible()
    there = page.url.removesuffix("/organise")
    for number in range(1, 9):
        enter_by_api(page, hall, there, f"player{number}")
    page.reload()
    assert objections(page) == []
    mouse.click(page.get_by_role("button", name="Start the tournament"))
    expect(page.get_by_text("It has started")).to_be_visible()
    hall.now = club.now()
    hall.job()
    assert mouse.clicks < MOST_CLICKS
    [running] = views.listed(hall.store, (views.State.RUNNING,))
    assert len([one for one in views.pairings(hall.store, running.id) if one.match_id]) == 4
    expect(page.get_by_role("link", name="Decide")).to_have_count(4)  # without a new visit
    expect(page.get_by_text("No match is running.")).to_have_count(0)
    mouse.click(page.get_by_role("link", name="Decide").first)
    assert objections(page) == []
    mouse.click(page.get_by_label("wins without play").first)
    page.get_by_label("Reason", exact=True).first.fill("Did not come.")
    mouse.click(page.get_by_role("button", name="Decide"))
    expect(page.get_by_text("The result is decided.")).to_be_visible()
    expect(page.get_by_text("(Did not come.)")).to_be_visible()


def test_seeds_are_dragged_where_scripts_run(club: Club) -> None:
    view = club.begin((3, 1))
    hall = Hall(club)
    hall.dana = hall.people["alice"]
    tournament = hall.enter(hall.open(), "Anna", "Bert", "Cleo")
    page = club.context(Side.WHITE, view).new_page()
    page.goto(f"{club.url}/tournaments/{tournament.id}/organise")
    lines = page.locator(".seed")
    grip, over = lines.nth(2).locator(".grip").bounding_box(), lines.nth(0).bounding_box()
    assert grip
    assert over
    page.mouse.move(grip["x"] + 8, grip["y"] + 8)
    page.mouse.down()
    page.mouse.move(over["x"] + 40, over["y"] + 6, steps=6)
    page.mouse.up()
    expect(lines.first).to_contain_text("Cleo")
    expect(lines.first.locator("input")).to_have_value("1")
    page.get_by_role("button", name="Save these seeds").press("Enter")
    expect(page.get_by_text("The seeds are set.")).to_be_visible()
    seeds = {one.handle: one.seed for one in views.entrants(hall.store, tournament.id)}
    assert seeds == {"Cleo": 1, "Anna": 2, "Bert": 3}


def test_on_a_dark_phone_without_a_script_rounds_are_drawn_by_hand(club: Club) -> None:
    view = club.begin((3, 1))
    hall = Hall(club)
    hall.dana = hall.people["alice"]
    plan = {"stages": [{"format": "swiss", "rounds": 2}]}
    tournament = hall.begin(5, plan, {"length": 1, "rounds": "hand"}, name="Tuesday")
    path = f"{club.url}/tournaments/{tournament.id}/organise"
    phone = {"viewport": {"width": 320, "height": 800}, "color_scheme": "dark", "bypass_csp": True}
    bare = club.context(Side.WHITE, view, java_script_enabled=False, **phone).new_page()
    bare.goto(path)
    for button, says in (
        ("Draw the next round", "The round is drawn"),
        ("Begin the round", "The round begins."),
    ):
        bare.get_by_role("button", name=button).press("Enter")
        expect(bare.get_by_text(says).first).to_be_visible()
    hall.now = club.now()
    hall.job()
    page = club.context(Side.WHITE, view, **phone).new_page()
    pairing = next(one for one in hall.pairings(tournament).values() if one.match_id)
    change = f"{club.url}/tournaments/{hall.create(plan, name='Draft').id}/change"
    for there in (path, f"{path}?pairing={pairing.key}", f"{club.url}/tournaments/new", change):
        page.goto(there)
        page.evaluate("for (const fold of document.querySelectorAll('details.more')) fold.open = true")
        assert objections(page) == [], there
        assert out_of_reach(page) == [], there
