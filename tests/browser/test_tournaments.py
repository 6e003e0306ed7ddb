"""Tournaments in a browser: asked by axe at every width, light and dark; entered by keyboard; live."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import pytest
from playwright.sync_api import expect

from bgmail.service import accounts
from bgmail.store import tournaments as rows
from tests.browser.clubroom import Club, Side
from tests.browser.objections import objections
from tests.service.tournaments import club as tournaments

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

KNOCKOUT = {"stages": [{"format": "knockout", "third_place": True}]}
DOUBLE = {"stages": [{"format": "double_elimination"}]}
SWISS = {"stages": [{"format": "swiss", "rounds": 2}], "tie_breaks": ["buchholz", "head_to_head"]}
GROUPS = {"stages": [{"format": "round_robin", "groups": 2}], "tie_breaks": ["sonneborn_berger"]}
LOOKS: tuple[tuple[int, Literal["light", "dark"]], ...] = ((320, "light"), (1280, "dark"))
OUT_OF_REACH = """() => [...document.querySelectorAll('main a,main button,main input,main summary')]
  .filter((one) => one.checkVisibility() && !one.closest('.scroll'))
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.innerText)"""


class Hall(tournaments.Club):
    """Tournaments on the running app; Alice is one of its people already."""

    def __init__(self, club: Club) -> None:
        super().__init__(club.world.store, club.now())
        self.people["alice"] = accounts.by_handle(self.store, "alice").id
        self.chance = club.world.chance


def out_of_reach(page: Page) -> list[Any]:
    """What sticks out sideways, and what can be pressed but not reached."""
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return ["too wide"] * wide + page.evaluate(OUT_OF_REACH)


def test_every_page_is_readable_at_every_width_light_and_dark(club: Club) -> None:
    view = club.begin((3, 1))
    hall = Hall(club)
    double = hall.begin(7, DOUBLE, {"length": 3}, name="Double Trouble")
    open_one = hall.open(KNOCKOUT, {"length": 5, "text": "Bring honey."}, name="Winter Open", places=8)
    hall.enter(open_one, "player1", "player2")
    swiss = hall.begin(5, SWISS, {"length": 3}, name="Swiss Days")
    groups = hall.begin(6, GROUPS, {"length": 3}, name="Two Groups")
    paths = ["/tournaments?show=open", f"/tournaments/{open_one.id}"]
    paths += [f"/tournaments/{double.id}{page}" for page in ("", "/bracket", "/pairings", "/players")]
    paths += [
        f"/tournaments/{one.id}{page}" for one in (swiss, groups) for page in ("/standings", "/cross-table")
    ]
    page = club.context(Side.WHITE, view).new_page()
    page.emulate_media(reduced_motion="reduce")
    for path in paths:
        assert page.goto(club.url + path)
        page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
        for width, scheme in LOOKS:
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=scheme)
            assert objections(page) == [], (path, width)
            assert out_of_reach(page) == [], (path, width)
        page.set_viewport_size({"width": 700, "height": 800})
        assert out_of_reach(page) == [], path


def test_somebody_enters_by_keyboard_and_without_a_script(club: Club) -> None:
    view = club.begin((3, 1))
    hall = Hall(club)
    for script in (True, False):
        tournament = hall.open(KNOCKOUT, name=f"Cup {script}")
        page = club.context(Side.WHITE, view, java_script_enabled=script).new_page()
        page.goto(f"{club.url}/tournaments/{tournament.id}")
        for label in ("I have read the conditions", "I play fair"):
            page.get_by_label(label).focus()
            page.keyboard.press("Space")
        page.get_by_role("button", name="Enter the tournament").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_text("You are in. A letter tells you when it begins.").first).to_be_visible()
        with club.world.store.read() as connection:
            [row] = rows.entries(connection, tournament.id)
        assert row.server_nonce is not script, "a browser with a script brings a number of its own"


def test_an_open_bracket_shows_a_result_by_itself_and_stays_where_it_was_scrolled(club: Club) -> None:
    view = club.begin((3, 1))
    hall = Hall(club)
    tournament = hall.begin(8, KNOCKOUT, {"length": 1})
    page = club.context(None, view, viewport={"width": 390, "height": 844}).new_page()
    page.goto(f"{club.url}/tournaments/{tournament.id}/bracket")
    page.evaluate("window.same = true; document.querySelector('.bracket .scroll').scrollLeft = 120")
    expect(page.locator(".br-won")).to_have_count(0)
    pairing = hall.pairings(tournament)["w1.1"]
    hall.wins(pairing, pairing.first.handle)
    hall.job()
    expect(page.locator(".br-won")).to_have_count(1)
    assert page.evaluate("window.same")
    assert page.evaluate("document.querySelector('.bracket .scroll').scrollLeft") == 120
