"""The check of dice in the reader's own browser: what our checker refuses, this one refuses too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.clubroom import Club, Side
from tests.test_dice import FORGED, RESTORED, WHOLE, Told, log

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

VERIFY = "async ([script, file]) => (await (await import(script)).verify(file)).faults.map(({what}) => what)"


def faults(page: Page, told: tuple[Told, ...]) -> list[str]:
    """What the page's own script finds wrong with a log."""
    script = page.locator("script[type=module][src*='verify.js']").get_attribute("src")
    file = {"entries": [{"text": entry.text, "hash": entry.hash} for entry in log(*told)]}
    found: list[str] = page.evaluate(VERIFY, [script, file])
    return found


def test_the_page_accepts_good_logs_and_refuses_every_forged_one(club: Club) -> None:
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view)
    page.goto(f"{club.url}/match/{view.id}/dice")
    assert (faults(page, WHOLE), faults(page, RESTORED)) == ([], [])
    assert [name for name, told in FORGED.items() if not faults(page, told)] == []
    page.get_by_role("button", name="Check all rolls").click()
    page.get_by_text("follow each other without a gap").wait_for()
