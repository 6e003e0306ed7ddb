"""Waiting for what a page brings about, and how that page stands when it doesn't."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fixtures import patience

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

LOOK_AGAIN = 40  # milliseconds
STANDING = """() => JSON.stringify({
  address: location.href,
  headings: [...document.querySelectorAll('h1,h2')].map((one) => one.innerText),
  said: document.querySelector('[data-say]')?.innerText,
  toast: document.querySelector('.toast')?.innerText,
  asked: document.querySelector('dialog[open]')?.innerText,
  root: {...document.documentElement.dataset},
  state: {...document.querySelector('[data-part=state]')?.dataset},
  film: document.querySelectorAll('.film').length,
  buttons: [...document.querySelectorAll('main button')].filter((one) => one.checkVisibility())
    .map((one) => one.innerText + (one.disabled || one.ariaDisabled === 'true' ? ' (off)' : '')),
}, null, 1)"""


def until(page: Page, found: Callable[[], patience.Found]) -> patience.Found:
    """Waits and lets the page go on meanwhile: whatever it asks for passes through this process."""
    return patience.until(
        found, lambda: page.evaluate(STANDING), pause=lambda: page.wait_for_timeout(LOOK_AGAIN)
    )
