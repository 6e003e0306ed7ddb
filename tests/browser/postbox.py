"""The mailbox of a development server as somebody uses it: letters are waited for, opened and clicked in Chromium."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING

from bgmail.devmail import Mail, Mailbox
from tests.browser.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page

    from tests.fixtures.servers import Server

LINK = "[...document.links].find((one) => one.innerText.trim().startsWith(words))"
MIDDLE = f"""(words) => {{
  const box = {LINK}?.getBoundingClientRect();
  return box && [box.left + box.width / 2, box.top + box.height / 2];
}}"""
HOVERED = f"(words) => {LINK}.matches(':hover')"
CENTRE = "(frame, y) => scrollBy(0, frame.getBoundingClientRect().top + y - innerHeight / 2)"


class Postbox:
    """One person's letters, in the order in which they came."""

    def __init__(self, server: Server, address: str) -> None:
        self.url, self.address = f"{server.url}/dev/mail", address
        self._box = Mailbox(server.folder / "mail")
        self._read = 0

    def mails(self) -> list[Mail]:
        """All letters of this person, oldest first."""
        found = [mail for number in reversed(self._box.numbers()) if (mail := self._box.read(number))]
        return [mail for mail in found if mail.recipients == self.address]

    def wait(self, page: Page, wanted: Callable[[Mail], bool] | None = None) -> Mail:
        """The next letter for this person, or the next that is wanted; those before it count as read."""
        mail = until(page, lambda: self._next(wanted))
        assert mail
        return mail

    def find(self, page: Page) -> Mail:
        """Waits for the next letter, and opens it from the list of all letters."""
        mail = self.wait(page)
        page.goto(self.url)
        page.locator(".offer", has_text=self.address).get_by_role("link", name=mail.subject).first.click()
        page.wait_for_url(f"{self.url}/{mail.number}")
        return mail

    def open(self, page: Page, mail: Mail) -> None:
        """Opens a letter by its address."""
        page.goto(f"{self.url}/{mail.number}")

    def _next(self, wanted: Callable[[Mail], bool] | None) -> Mail | None:
        for mail in self._new():
            self._read = mail.number
            if wanted is None or wanted(mail):
                return mail
        return None

    def _new(self) -> Iterator[Mail]:
        numbers = [number for number in self._box.numbers() if number > self._read]
        found = [mail for number in reversed(numbers) if (mail := self._box.read(number))]
        yield from (mail for mail in found if mail.recipients == self.address)


def follow(page: Page, words: str) -> None:
    """Clicks the link that begins with these words in the HTML of the letter on the page.

    The letter lies in a frame without scripts, where Playwright's own locators don't reach.
    """
    page.wait_for_load_state()
    frame = page.locator("iframe").element_handle()
    letter = frame.content_frame()
    assert letter
    spot = letter.evaluate(MIDDLE, words)
    assert spot, f"the letter has no link {words!r}"
    frame.evaluate(CENTRE, spot[1])
    corner = frame.bounding_box()
    assert corner
    nudges = cycle((0, 1))

    def is_reached() -> bool:
        page.mouse.move(corner["x"] + spot[0] + next(nudges), corner["y"] + spot[1])
        return bool(letter.evaluate(HOVERED, words))

    until(page, is_reached)  # the frame learns a moment after the scroll that the pointer is there
    with page.expect_navigation():
        page.mouse.down()
        page.mouse.up()
