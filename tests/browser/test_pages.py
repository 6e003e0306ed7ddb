"""Every page as a stranger sees it: wide and narrow, light and dark, asked by axe, and nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

import pytest
from playwright.sync_api import expect

from tests.browser.clubroom import Club, Side
from tests.browser.demo import Demo, database, sign_in, start
from tests.browser.objections import objections
from tests.fixtures.browsers import weight

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, ConsoleMessage, Page, Response

    from tests.fixtures.browsers import NewContext

pytestmark = pytest.mark.slow

WIDTHS = (320, 768, 1280)
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
FIRST_LOAD = 100_000  # bytes of all answers together, as sent
SITUATIONS = 6  # a double to answer, a dance on the bar, a bear-off, a Crawford game, an hour left, the cup

# What can be pressed but lies beyond an edge, in a bar that stays in place, too; tables may scroll by themselves.
OUT_OF_REACH = """() => [...document.querySelectorAll('a,button,input,select,textarea,summary')]
  .filter((one) => one.checkVisibility() && !one.closest('.scroll,.hide,.skip'))
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 || one.getBoundingClientRect().left < -1)
  .map((one) => one.innerText || one.name)"""

OWN = {
    "my turn": "/",
    "all matches": "/?show=all",
    "resigning several": "/resign",
    "lobby": "/lobby",
    "invitation form": "/invite",
    "settings": "/settings",
    "calendar and feed": "/settings/feeds",
    "answers by mail": "/settings/senders",
    "weekend and night": "/settings/rest",
    "vacation": "/settings/vacation?look=yes",
    "standing orders": "/settings/orders",
    "notices": "/settings/notices",
    "what was sent": "/settings/notices/sent",
    "webhooks": "/settings/webhooks",
    "notices in the browser": "/settings/push",
    "profile": "/u/bob",
    "finished matches of somebody": "/u/bob?show=finished",
    "people": "/people?q=b",
    "matches to watch": "/matches",
    "all my data": "/settings/export",
    "closing the account": "/settings/close",
    "mailbox": "/dev/mail",
    "letter": "/dev/mail/1",
    "boards": "/look",
}
OF_A_MATCH = {
    "all plays": "/log",
    "dice proof": "/dice",
    "confirmation": "/confirm/resign",
    "orders and replies": "/orders",
}
FOR_STRANGERS = {
    "front": "/",
    "sign up": "/sign-up",
    "sign in": "/sign-in",
    "link by mail": "/sign-in-link",
    "forgotten password": "/reset",
    "open lobby": "/lobby",
    "people": "/people?q=al",
    "nobody found": "/people?q=zz",
    "matches to watch": "/matches?show=finished",
    "profile": "/u/alice",
    "a closed account": "/u/closed%20account",
}
DEAD = {
    "nothing here": "/nothing",
    "reply link": "/r/cut-short",
    "invitation": "/invitation/cut-short",
    "sign-in link": "/sign-in-link/cut-short",
}


@pytest.fixture(scope="module")
def demo(browser: Browser, run_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    server = start(tmp_path_factory.mktemp("demo") / "instance", database(run_folder))
    try:
        yield sign_in(browser, server, "alice")
    finally:
        server.end()


class Look:
    """One page under the eyes: what it complained of, and what it weighs."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.answers: list[Response] = []
        page.on("console", self._heard)
        page.on("response", self._got)

    def _heard(self, message: ConsoleMessage) -> None:
        # Chromium itself remarks that a page answers 404: that is what some pages are for.
        own_status = message.location.get("url") == self.page.url and "status of 4" in message.text
        if message.type in ("error", "warning") and not own_status:
            self.complaints.append(message.text)

    def _got(self, answer: Response) -> None:
        self.answers.append(answer)

    def open(self, url: str, status: int = 200) -> None:
        self.page.emulate_media(reduced_motion="reduce")  # colours change at once, not while axe looks
        answer = self.page.goto(url)
        assert answer
        assert answer.status == status

    def faults(self) -> list[str]:
        """What sticks out sideways or what axe finds, at each width, light and dark; and what the console said."""
        self.page.wait_for_load_state()
        found = []
        for theme in THEMES:
            self.page.emulate_media(color_scheme=theme)
            for width in WIDTHS:
                self.page.set_viewport_size({"width": width, "height": 800})
                wide = self.page.evaluate("document.documentElement.scrollWidth")
                beyond = self.page.evaluate(OUT_OF_REACH) + (
                    [f"it is {wide} px wide"] if wide > width else []
                )
                asked = objections(self.page) if (width, theme) in ((320, "dark"), (1280, "light")) else []
                found += [f"{width} px, {theme}: {fault}" for fault in (*beyond, *asked)]
        return found + self.complaints

    def weight(self) -> int:
        """Bytes of all answers so far."""
        self.page.wait_for_load_state()
        return weight(self.answers)


@pytest.mark.parametrize("name", OWN)
def test_a_page_of_ones_own_is_sound(demo: Demo, new_context: NewContext, name: str) -> None:
    look = Look(new_context(storage_state=demo.cookies).new_page())
    look.open(demo.url + OWN[name])
    assert look.faults() == []


@pytest.mark.parametrize("name", FOR_STRANGERS)
def test_a_page_for_strangers_is_sound(demo: Demo, new_context: NewContext, name: str) -> None:
    look = Look(new_context().new_page())
    look.open(demo.url + FOR_STRANGERS[name])
    assert look.faults() == []


@pytest.mark.parametrize("name", DEAD)
def test_a_page_that_says_that_there_is_nothing_is_sound(
    demo: Demo, new_context: NewContext, name: str
) -> None:
    look = Look(new_context().new_page())
    look.open(demo.url + DEAD[name], status=404)
    assert look.faults() == []


@pytest.mark.parametrize("which", range(SITUATIONS))
def test_a_match_is_sound_in_each_situation_of_the_demo_and_light_on_first_load(
    demo: Demo, new_context: NewContext, which: int
) -> None:
    look = Look(new_context(storage_state=demo.cookies).new_page())
    assert len(demo.waiting) == SITUATIONS
    look.open(demo.url + demo.waiting[which])
    assert look.weight() < FIRST_LOAD
    assert look.faults() == []


@pytest.mark.parametrize("name", OF_A_MATCH)
def test_a_page_behind_a_match_is_sound(demo: Demo, new_context: NewContext, name: str) -> None:
    look = Look(new_context(storage_state=demo.cookies).new_page())
    look.open(demo.url + demo.waiting[0] + OF_A_MATCH[name])
    assert look.faults() == []


def test_a_match_is_open_to_spectators_without_its_chat(demo: Demo, new_context: NewContext) -> None:
    look = Look(new_context().new_page())
    look.open(demo.url + demo.waiting[0])
    assert look.page.get_by_role("heading", name="Chat").count() == 0
    assert look.weight() < FIRST_LOAD
    assert look.faults() == []


def test_a_challenge_in_the_lobby_is_taken_by_a_stranger_and_a_rematch_is_offered(club: Club) -> None:
    view = club.begin((3, 1))
    alice = club.context(Side.WHITE, view).new_page()
    alice.goto(f"{club.url}/lobby")
    alice.get_by_role("link", name="Put up a challenge").click()
    expect(alice.get_by_label("anyone, in the lobby")).to_be_checked()
    alice.get_by_label("Length").select_option("1")
    alice.get_by_label("A word with it").fill("Who dares?")
    alice.get_by_role("button", name="Send the invitation").click()
    bob = club.context(Side.BLACK, view).new_page()
    bob.goto(f"{club.url}/lobby")
    expect(bob.get_by_text("Who dares?")).to_be_visible()
    with bob.expect_event("load"):  # the scripts of the match's page have run
        bob.get_by_role("button", name="Accept").click()
    bob.get_by_role("link", name="Resign").click()
    bob.get_by_role("dialog").get_by_role("link", name="Resign the whole match instead").click()
    bob.get_by_role("dialog").get_by_role("button", name="Resign the match").click()
    expect(bob.get_by_role("heading", name="alice won the match")).to_be_visible()
    bob.get_by_role("button", name="Offer a rematch").click()
    alice.goto(f"{club.url}/")
    expect(alice.get_by_role("heading", name="An invitation for you")).to_be_visible()
    alice.get_by_role("button", name="Accept").click()
    expect(alice.get_by_text("1-point match, game 1")).to_be_visible()


def test_the_invitation_form_asks_only_for_what_the_terms_need(club: Club) -> None:
    view = club.begin((3, 1))
    page = club.context(Side.WHITE, view).new_page()
    page.goto(f"{club.url}/invite")
    expect(page.get_by_label("Number of games")).to_be_hidden()
    page.get_by_label("Length").select_option("0")
    expect(page.get_by_label("Number of games")).to_be_visible()
    expect(page.get_by_label("Wager, points a game")).to_be_hidden()
    page.get_by_label("Rules", exact=True).select_option("house")
    expect(page.get_by_label("Wager, points a game")).to_be_visible()
    page.get_by_label("anyone, in the lobby").check()
    expect(page.get_by_label("Handle or e-mail address")).to_be_hidden()
    page.get_by_label("somebody I name").check()
    page.get_by_label("Handle or e-mail address").fill("nobody-of-that-name")
    page.get_by_role("button", name="Send the invitation").click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_label("Handle or e-mail address")).to_have_value("nobody-of-that-name")
    expect(page.get_by_label("Length")).to_have_value("0")


def test_a_play_of_the_log_leads_to_its_position(demo: Demo, new_context: NewContext) -> None:
    look = Look(new_context(storage_state=demo.cookies).new_page())
    look.open(demo.url + demo.waiting[0] + "/log")
    look.page.locator(".sheet a").last.click()
    expect(look.page.get_by_role("link", name="To the match")).to_be_visible()
    assert look.faults() == []
