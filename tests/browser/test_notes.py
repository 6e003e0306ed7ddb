"""Notes of one's own, written beside a match that goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bgmail.service import notes
from tests.browser.clubroom import Club, Side
from tests.browser.test_match_actions import click
from tests.browser.test_replay import met, rolled
from tests.browser.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow


def write(page: Page, label: str, text: str) -> None:
    """Writes a page's first note, once the script that keeps it has come and run."""
    with page.expect_response("**/notes.js?*") as script:
        page.get_by_label(label).focus()
    page.evaluate("(address) => import(address).then(() => null)", script.value.url)
    page.get_by_label(label).fill(text)


def test_a_note_is_kept_without_leaving_the_page_or_the_play_in_the_making(club: Club) -> None:
    view = rolled(club)
    page = club.open(Side.WHITE, view, reduced_motion="reduce")
    click(page, 6)
    click(page, 4)
    page.get_by_text("My notes").click()
    write(page, "On bob", "Runs early.")
    form = page.locator("[data-note]", has=page.get_by_label("On bob"))
    form.get_by_role("button", name="Keep").click()
    form.get_by_text("Kept.").wait_for()
    assert page.locator('[data-point="4"]').get_attribute("aria-label") == "4 point, 1 of yours"
    assert view.white
    assert view.black
    assert notes.read(club.world.store, view.white.id, view.id, view.black.id).person == "Runs early."
    page.reload()
    assert page.get_by_label("On bob").input_value() == "Runs early."


def test_a_note_half_written_is_kept_when_one_goes_on(club: Club) -> None:
    view = met(club)
    page = club.open(Side.WHITE, view, reduced_motion="reduce")
    page.get_by_text("My notes").click()
    write(page, "On this match", "His anchor holds.")
    page.get_by_role("link", name="All matches").click()
    page.wait_for_url("**/?show=all")
    assert view.white
    until(page, lambda: notes.read(club.world.store, view.white.id, view.id, view.black.id).match)
    page.goto(f"{club.url}/match/{view.id}")
    assert page.get_by_label("On this match").input_value() == "His anchor holds."
