"""The addresses of calendar and feed in a real browser: made, read, renewed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.clubroom import Club, Side
from tests.browser.objections import objections

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow


def addresses(page: Page) -> list[str]:
    """Those of the calendar and of the feed, as the page shows them."""
    labels = ("Calendar of my deadlines", "Feed of my turns")
    return [page.get_by_label(label).input_value() for label in labels]


@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), (1280, "light")])
def test_addresses_are_made_read_and_renewed(club: Club, width: int, scheme: str) -> None:
    view = club.begin((3, 1))
    options = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    page = club.context(Side.WHITE, view, **options).new_page()
    page.goto(f"{club.url}/settings")
    page.get_by_role("link", name="Addresses for programs").click()
    page.get_by_role("button", name="Make my addresses").click()
    expect(page.get_by_text("Your addresses are ready.")).to_be_visible()
    assert objections(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    old = addresses(page)
    stranger = club.context(None, view).request
    paths = [url.partition("/feed/")[2] for url in old]
    answers = [stranger.get(f"{club.url}/feed/{path}") for path in paths]
    assert [answer.status for answer in answers] == [200, 200]
    assert f"UID:{view.id}.white@bgmail" in answers[0].text()
    assert f"/match/{view.id}" in answers[1].text()
    page.get_by_role("button", name="Get new addresses").click()
    expect(page.get_by_label("Calendar of my deadlines")).not_to_have_value(old[0])
    expect(page.get_by_text("No program has read them yet.")).to_be_visible()
    assert not set(addresses(page)) & set(old)
    assert [stranger.get(f"{club.url}/feed/{path}").status for path in paths] == [404, 404]
