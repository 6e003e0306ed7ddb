"""Rules that somebody makes, in Chromium: folded out on a phone, asked by axe, read in the dark before accepting."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.clubroom import Club, Side
from tests.browser.test_match_access import faults

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
    assert faults(alice) == []
    assert alice.evaluate("document.documentElement.scrollWidth") <= 320
    alice.get_by_label("anyone, in the lobby").check()
    alice.get_by_role("button", name="Send the invitation").click()
    expect(alice.get_by_role("alert")).to_contain_text("Name of the rules: 1 to 40 plain signs.")
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
        assert faults(looks) == [], path
        assert looks.evaluate("document.documentElement.scrollWidth") <= 320, path
