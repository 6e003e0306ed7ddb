"""Rules that somebody makes, in Chromium: folded out on a phone, asked by axe, read in the dark before accepting."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.clubroom import Club, Side
from tests.browser.objections import objections

pytestmark = pytest.mark.slow
PHONE = {"viewport": {"width": 320, "height": 800}, "bypass_csp": True}


def test_rules_are_changed_on_a_phone_and_read_by_the_opponent_before_accepting(club: Club) -> None:
    view = club.begin((3, 1))
    alice = club.context(Side.WHITE, view, **PHONE).new_page()
    alice.goto(f"{club.url}/rules/federation")
    alice.get_by_role("link", name="Invite by these rules").click()
    expect(alice.get_by_label("Doubling cube")).to_be_hidden()
    alice.get_by_text("Change the rules").press("Enter")
    alice.get_by_label("Doubling cube").select_option(label="no")
    assert objections(alice) == []
    assert alice.evaluate("document.documentElement.scrollWidth") <= 320
    alice.get_by_label("anyone, in the lobby").check()
    alice.get_by_role("button", name="Send the invitation").click()
    expect(alice.get_by_role("alert")).to_contain_text("Name of the rules: 1 to 40 plain characters.")
    expect(alice.get_by_label("Doubling cube")).to_have_value("no")
    alice.get_by_label("Name of the rules").fill("Friday night")
    alice.get_by_role("button", name="Send the invitation").click()
    expect(alice.get_by_role("button", name="Take it back")).to_be_visible()
    there = alice.url

    bob = club.context(Side.BLACK, view, color_scheme="dark", java_script_enabled=False, **PHONE).new_page()
    for path in ("/lobby", there.removeprefix(club.url), there.removeprefix(club.url) + "/rules"):
        bob.goto(club.url + path)
        expect(bob.get_by_text("Like federation rules, but:")).to_be_visible()
        expect(bob.get_by_text("There is no doubling cube.")).to_be_visible()
    expect(bob.get_by_text("Resigning a game")).to_be_hidden()
    bob.get_by_text("All other values").click()
    expect(bob.get_by_text("Resigning a game")).to_be_visible()
    looks = club.context(Side.BLACK, view, color_scheme="dark", **PHONE).new_page()
    for path in (there, f"{there}/rules"):
        looks.goto(path)
        looks.get_by_text("All other values").click()
        assert objections(looks) == [], path
        assert looks.evaluate("document.documentElement.scrollWidth") <= 320, path


def test_the_length_goes_with_the_rules_until_somebody_names_one(club: Club) -> None:
    view = club.begin((3, 1))
    alice = club.context(Side.WHITE, view, **PHONE).new_page()
    alice.goto(f"{club.url}/leagues/new")
    length, rules = alice.get_by_label("Points a match"), alice.get_by_label("Rules", exact=True)
    expect(length).to_have_attribute("placeholder", "7")
    rules.select_option("five-point")
    expect(length).to_have_attribute("placeholder", "5")
    alice.get_by_text("Change the rules").click()
    alice.get_by_label("For matches of").select_option("any")
    expect(length).to_have_attribute("placeholder", "7")
    length.fill("9")
    alice.get_by_label("For matches of").select_option("odd")
    rules.select_option("federation")
    expect(length).to_have_value("9")
    assert objections(alice) == []
    assert alice.evaluate("document.documentElement.scrollWidth") <= 320

    alice.goto(f"{club.url}/invite")
    length, rules = alice.get_by_label("Length"), alice.get_by_label("Rules", exact=True)
    rules.select_option("five-point")
    assert offered(length) == ["the usual: 5-point match", "5-point match"]
    rules.select_option("club")
    length.select_option("11")
    rules.select_option("five-point")
    assert offered(length) == ["the usual: 5-point match", "5-point match", "11-point match"]
    expect(length).to_have_value("11")
    length.select_option("5")
    assert offered(length) == ["the usual: 5-point match", "5-point match"]
    alice.get_by_label("anyone, in the lobby").check()
    length.select_option("")
    alice.get_by_role("button", name="Send the invitation").click()
    expect(alice.get_by_role("heading", level=1)).to_be_visible()
    expect(alice.get_by_text("5-point match").first).to_be_visible()


def offered(length: Locator) -> list[str]:
    shown: list[str] = length.evaluate(
        "(list) => [...list.options].filter((one) => !one.disabled).map((one) => one.text)"
    )
    return shown
