"""German and Russian in Chromium: chosen by a press, nothing wider than the smallest screen, refusals understood."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from bgmail.service import accounts
from tests.browser.clubroom import Club, Side
from tests.browser.objections import objections_light_and_dark

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

PAGES = (
    "/",
    "/?show=all",
    "/lobby",
    "/invite",
    "/settings",
    "/look",
    "/people",
    "/matches",
    "/u/bob",
    "/rules/",
    "/strategy",
    "/help",
    "/glossary",
)
FOR_STRANGERS = ("/", "/sign-in", "/sign-up", "/reset")
SMALL = {"width": 320, "height": 700}


def speak(club: Club, code: str) -> None:
    for name in ("alice", "bob"):
        accounts.set_language(club.world.store, accounts.by_handle(club.world.store, name).id, code)


def too_wide(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


@pytest.mark.parametrize("code", ["de", "ru"])
def test_long_words_fit_the_smallest_screen(club: Club, code: str) -> None:
    view = club.begin((3, 1))
    speak(club, code)
    page = club.open(Side.WHITE, view, viewport=SMALL)
    wide = [f"/match/{view.id}"] if too_wide(page) else []
    for path in PAGES:
        page.goto(f"{club.url}{path}")
        wide += [path] if too_wide(page) else []
    stranger = club.context(None, view, viewport=SMALL, locale=code).new_page()
    for path in FOR_STRANGERS:
        stranger.goto(f"{club.url}{path}")
        assert stranger.locator("html").get_attribute("lang") == code
        wide += [path] if too_wide(stranger) else []
    assert wide == []


def test_axe_finds_nothing_to_object_to_in_another_language(club: Club) -> None:
    view = club.begin((3, 1))
    speak(club, "ru")
    page = club.open(Side.WHITE, view, bypass_csp=True)
    for path in (f"/match/{view.id}", "/", "/settings"):
        page.goto(f"{club.url}{path}")
        assert objections_light_and_dark(page) == [], path


@pytest.mark.parametrize("script", [True, False])
def test_the_language_is_chosen_in_the_footer_with_and_without_a_script(club: Club, script: bool) -> None:
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view, java_script_enabled=script)
    page.get_by_role("button", name="Русский").click()
    expect(page).to_have_url(f"{club.url}/match/{view.id}")
    expect(page.locator("html")).to_have_attribute("lang", "ru")
    expect(page.get_by_role("heading", name="Твой ход: сыграй 3-1")).to_be_visible()
    assert accounts.by_handle(club.world.store, "alice").locale == "ru"


def test_why_a_written_play_was_refused_is_said_in_the_readers_language(club: Club) -> None:
    view = club.begin((3, 1))
    speak(club, "de")
    page = club.open(Side.WHITE, view)
    page.get_by_role("button", name="Zug schreiben").click()
    page.locator("#written").fill("24/15")
    page.get_by_role("button", name="Spielen, was da steht").click()
    page.get_by_text("Dazu passt kein Würfel von 3-1.").wait_for()
    assert club.load(view).version == view.version
    assert page.locator("#written").input_value() == "24/15", "what was typed is still there"
    page.locator("#written").fill("8/5 6/5")
    page.get_by_role("button", name="Spielen, was da steht").click()
    page.get_by_role("heading", name="bob ist am Zug").wait_for()
