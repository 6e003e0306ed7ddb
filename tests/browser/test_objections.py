"""What looks for faults in all our pages finds them where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.objections import objections

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGE = "<html lang='en'><title>Club</title><main><h1>Club</h1>{}</main>"


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("<p>Nothing is wrong</p>", []),
        ("<p style='color: #999; background: #fff'>Pale</p>", ["color-contrast"]),
        ("<img src='data:'><button></button>", ["button-name", "image-alt"]),
    ],
)
def test_faults_are_found_with_their_places(page: Page, content: str, found: list[str]) -> None:
    page.set_content(PAGE.format(content))
    assert sorted(one.partition(":")[0] for one in objections(page)) == found
    assert objections(page) == objections(page), "asked twice it says the same"
