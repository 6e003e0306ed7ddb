"""The picture of a match in the README, taken from the demo: `python -m tests.browser.screenshot`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, ViewportSize, sync_playwright

from tests.browser.demo import play, sign_in, start
from tests.browser.test_match_play import click, place
from tests.fixtures.browsers import FLAGS
from tests.fixtures.programs import PROJECT, find

PICTURE = PROJECT / "docs" / "match.png"
COLOURS = 128  # as good to the eye, at a third of the bytes
SIZE: ViewportSize = {"width": 1280, "height": 800}


def take(folder: Path) -> None:
    """Takes the picture of the liveliest match, with a checker chosen and its targets shown."""
    play(folder / "demo", folder / "demo.db")
    server = start(folder / "instance", folder / "demo.db")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find("chromium"), args=FLAGS)
            demo = sign_in(browser, server, "alice")
            context = browser.new_context(storage_state=demo.cookies, viewport=SIZE, color_scheme="light")
            page = context.new_page()
            best = max(demo.waiting, key=lambda path: liveliness(page, demo.url + path))
            page.goto(demo.url + best)
            click(page, int(page.locator(".bd-place.can").last.get_attribute("data-point") or 0))
            page.screenshot(path=folder / "match.png")
            browser.close()
    finally:
        server.end()
    Image.open(folder / "match.png").quantize(COLOURS).save(PICTURE, optimize=True)


def liveliness(page: Page, url: str) -> int:
    """On how many points there is something to see, where there is a play to make."""
    page.goto(url)
    if not page.get_by_role("button", name="Submit").count():
        return 0
    return sum(place(page, point).locator("use").count() > 0 for point in range(1, 25))


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        take(Path(folder))
