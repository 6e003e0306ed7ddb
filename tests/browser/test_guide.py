"""The guide in Chromium: asked by axe, narrow and wide, light and dark, without a script, and by its anchors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.clubroom import Club, Side
from tests.browser.objections import objections

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
PAGES = (
    "/rules/",
    "/rules/federation",
    "/rules/house",
    "/help",
    "/help/tournaments",
    "/strategy",
    "/glossary",
)


def opened(club: Club, path: str, **look: object) -> Page:
    """A page of the guide as a stranger's browser shows it."""
    page = club.context(None, club.begin((3, 1)), bypass_csp=True, **look).new_page()
    page.goto(club.url + path)
    return page


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (1280, "dark")])
def test_axe_finds_nothing_to_object_to_on_a_phone_and_on_a_desk(club: Club, width: int, scheme: str) -> None:
    view = club.begin((3, 1))
    looks = {"color_scheme": scheme, "viewport": {"width": width, "height": 800}, "bypass_csp": True}
    page = club.context(None, view, **looks).new_page()
    for path in PAGES:
        page.goto(club.url + path)
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        assert objections(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_all_is_there_without_a_script(club: Club) -> None:
    page = opened(club, "/rules/", java_script_enabled=False, viewport={"width": 320, "height": 700})
    assert page.locator("figure svg").count() >= 14
    page.get_by_role("navigation", name="On this page").get_by_role(
        "link", name="Else the larger die"
    ).click()
    expect(page).to_have_url(f"{club.url}/rules/#larger-die")
    expect(page.locator("#larger-die h2")).to_be_in_viewport()
    page.get_by_role("navigation", name="Guide").get_by_role("link", name="Help").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("How this site works")


def test_a_screen_reader_is_told_every_board(club: Club) -> None:
    page = opened(club, "/rules/")
    tree = page.locator("#bar figure").aria_snapshot()
    assert 'img "Board"' in tree
    described = page.locator("#bar svg desc").text_content() or ""
    assert "13 point, 5 of yours" in described
    assert "Bar, 1 of yours" in described


def test_a_refusal_on_the_board_links_to_its_rule(club: Club) -> None:
    view = club.begin((5, 4))
    page = club.open(Side.WHITE, view)
    page.get_by_role("button", name="Write the play").click()
    page.get_by_label("Your play, written").fill("24/19")
    page.get_by_role("button", name="Play what is written").click()
    link = page.locator("[data-say]").get_by_role("link", name="Explained in the guide")
    link.wait_for()
    assert "The 19 point is blocked." in page.locator("[data-say]").inner_text()
    link.click()
    page.wait_for_url("**/rules/#blocked")
    assert club.load(view).version == view.version
