"""What axe objects to in a page: and nothing else, since the rest of its answer takes longer."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from axe_playwright_python.sync_playwright import Axe

if TYPE_CHECKING:
    from playwright.sync_api import Page

ASK = {
    "resultTypes": ["violations"],
    "iframes": False,
    "preload": {"assets": ["media"]},  # style sheets are loaded again only for a rule that axe leaves off
}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
IS_THERE = "typeof axe !== 'undefined'"
RUN = """async (options) => (await axe.run(document, options)).violations
  .map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html).join(' ')}`)"""


def objections(page: Page) -> list[str]:
    """The rules that axe finds broken, each with its places, once the page is there with all that it loads."""
    page.wait_for_load_state()
    if not page.evaluate(IS_THERE):
        page.evaluate(script())
    found: list[str] = page.evaluate(RUN, ASK)
    return found


@cache
def script() -> Any:
    """All of axe, as a script."""
    return Axe().axe_script


def objections_light_and_dark(page: Page) -> list[str]:
    """The same for both colour schemes: the page is the same, only its colours change."""
    found = []
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # the colours change at once
        found += [f"{scheme}: {one}" for one in objections(page)]
    return found
