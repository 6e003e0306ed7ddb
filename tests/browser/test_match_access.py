"""The pages of a match for everybody: checked by axe in light and dark, at every width, and by name of each place."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.clubroom import Club, Side
from tests.browser.objections import objections_light_and_dark

pytestmark = pytest.mark.slow


def test_axe_finds_nothing_to_object_to_light_or_dark(club: Club) -> None:
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view, bypass_csp=True)
    assert objections_light_and_dark(page) == []
    page.get_by_role("button", name="Write the play").click()
    page.get_by_role("link", name="Resign").click()
    assert objections_light_and_dark(page) == []
    for path in ("/log", "/log/5", "/dice", "/confirm/resign"):
        page.goto(f"{club.url}/match/{view.id}{path}")
        assert objections_light_and_dark(page) == [], path
    page.goto(club.link(view, Side.WHITE))
    assert objections_light_and_dark(page) == []
    club.act(view, Side.WHITE, "play", play="8/5 6/5")
    for path in ("/orders", "/prepare", "/prepare?step=roll+6-4", "/prepare?step=roll+6-4&step=play+24/14"):
        page.goto(f"{club.url}/match/{view.id}{path}")
        assert objections_light_and_dark(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    club.act(view, Side.BLACK, "double")
    page.goto(f"{club.url}/match/{view.id}")
    assert objections_light_and_dark(page) == []


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_nothing_is_wider_than_the_screen_and_targets_are_big_enough(club: Club, width: int) -> None:
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view, viewport={"width": width, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = page.evaluate(
        """[...document.querySelectorAll('button,.button,.links a,.top a,summary,input:not([type=hidden])')]
           .filter((one) => one.checkVisibility())
           .map((one) => [one.textContent || one.name, one.getBoundingClientRect()])
           .filter(([, box]) => box.height && box.height < 40)
           .map(([name]) => name.trim())"""
    )
    assert small == []


def test_the_longest_play_fits_the_smallest_screen(club: Club) -> None:
    view = club.begin((3, 1))
    own, other = {25: 1, 24: 6, 8: 3, 6: 5}, {21: 1, 17: 1, 13: 1, 9: 1, 1: 2, 12: 5, 19: 4}
    view = club.stage(view, Side.BLACK, own, other, 4, 4)
    club.act(view, Side.BLACK, "play", play="bar/21*/17*/13*/9*")
    page = club.open(None, view, viewport={"width": 320, "height": 700})
    for path in ("", "/log", "/replay"):
        page.goto(f"{club.url}/match/{view.id}{path}")
        assert page.get_by_text("bar/21*/17*/13*/9*").first.is_visible(), path
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path


def test_on_a_phone_the_actions_stand_still_at_the_lower_edge(club: Club) -> None:
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view, viewport={"width": 390, "height": 700}, has_touch=True)
    bar = page.locator("form[data-play]")
    before = bar.bounding_box()
    page.evaluate("scrollTo(0, 500)")
    assert bar.bounding_box() == before
    page.evaluate("scrollTo(0, 0)")
    for point in (8, 5, 6, 5):
        page.locator(f'[data-point="{point}"] .bd-hit').click(position={"x": 5, "y": 60}, force=True)
    assert bar.bounding_box() == before


def test_the_accessibility_tree_names_every_place_of_the_board(club: Club) -> None:
    page = club.open(Side.WHITE, club.begin((3, 1)))
    tree = page.locator("svg.bd[role=group]").aria_snapshot()
    for name in ("13 point, 5 of yours", "12 point, 5 of bob", "7 point, empty", "Bar, none of yours"):
        assert f'button "{name}"' in tree
    assert tree.count("button ") == 28


def test_signed_out_meanwhile_nothing_is_sent_and_the_way_back_is_shown(club: Club) -> None:
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view)
    for point in (8, 5, 6, 5):
        page.locator(f'[data-point="{point}"] .bd-hit').click(position={"x": 5, "y": 60}, force=True)
    page.wait_for_timeout(450)
    page.context.clear_cookies()
    page.get_by_role("button", name="Submit", exact=True).click()
    page.get_by_role("link", name="Sign in").wait_for()
    assert "You are signed out here, so nothing was sent." in page.locator("[data-say]").inner_text()
    assert club.load(view).version == view.version


def test_dark_is_chosen_at_once_kept_and_works_without_a_script(club: Club) -> None:
    view = club.begin((3, 1))
    page = club.open(None, view)
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    assert page.get_by_role("button", name="Dark").get_attribute("aria-pressed") == "true"
    felt = "getComputedStyle(document.querySelector('.bd-felt')).fill"
    assert page.evaluate(felt) == "rgb(43, 42, 40)"
    plain = club.open(None, view, java_script_enabled=False)
    plain.get_by_role("button", name="Light").click()
    expect(plain).to_have_url(f"{club.url}/match/{view.id}")
    expect(plain.locator("html")).to_have_attribute("data-theme", "light")
