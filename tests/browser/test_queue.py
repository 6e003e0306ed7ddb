"""The queue in a browser: ten answers in 21 clicks or keys, and how it looks and reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import invitations, turns
from bgmail.service.terms import Handle, Terms
from bgmail.service.turns import Request
from bgmail.service.views import MatchView
from tests.browser.clubroom import Club
from tests.browser.objections import objections_light_and_dark
from tests.browser.test_match_play import click, rest
from tests.service.matchmaking import ScriptedChance

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

MOST_INPUTS = 21
COUNTER = """
window.__count = () => Number(sessionStorage.getItem('count') || 0);
for (const kind of ['pointerdown', 'keydown'])
  addEventListener(kind, () => sessionStorage.setItem('count', window.__count() + 1), true);
"""
"""Counts every press of a button or key, from page to page."""


def more(club: Club, first: MatchView, count: int) -> list[MatchView]:
    """More matches between Alice and Bob in which Alice has the first play."""
    assert first.white
    assert first.black
    made = []
    for _ in range(count):
        chance, store, now = ScriptedChance([(3, 1)]), club.world.store, club.now()
        view = invitations.invite(store, first.white.id, Terms(7), Handle("bob"), "", now, chance)
        made.append(invitations.accept(store, view.id, first.black.id, now, chance))
    return made


def doubled(club: Club, view: MatchView) -> MatchView:
    """Alice played, and Bob doubles."""
    for side, action, play in ((Side.WHITE, "play", "8/5 6/5"), (Side.BLACK, "double", None)):
        request = Request(action, club.load(view).version, play=play)
        turns.act(club.world.store, view.id, side, request, club.now(), club.world.chance)
    return club.load(view)


def queue(club: Club, view: MatchView, **options: object) -> Page:
    """Alice's queue."""
    page = club.context(Side.WHITE, view, **options).new_page()
    page.add_init_script(COUNTER)
    page.goto(club.url)
    return page


def ten_doubles(club: Club) -> list[MatchView]:
    first = club.begin((3, 1))
    return [doubled(club, view) for view in (first, *more(club, first, 9))]


def test_ten_takes_need_21_clicks_from_the_queue_on(club: Club) -> None:
    views = ten_doubles(club)
    page = queue(club, views[0])
    assert page.title() == "(10) My turn · bgmail"
    assert page.get_by_role("heading", name="Ten matches wait for you").count() == 1
    page.get_by_role("link", name="Take or pass").first.click()
    page.wait_for_load_state()
    for _ in views:
        address = page.url
        page.get_by_role("button", name="Take", exact=True).click()
        page.get_by_role("dialog").get_by_role("button", name="Take").click()
        expect(page).not_to_have_url(address)
        page.wait_for_load_state()  # the scripts of the next page have run
    page.get_by_text("That was all.").wait_for()
    assert page.evaluate("__count()") <= MOST_INPUTS
    assert all(club.load(view).match.cube.owner is Side.WHITE for view in views)


def test_the_way_through_the_queue_by_keys_alone(club: Club) -> None:
    first = club.begin((3, 1))
    views = [doubled(club, view) for view in (first, *more(club, first, 2))]
    page = queue(club, first)
    page.get_by_role("link", name="Take or pass").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/match/**")
    page.wait_for_load_state()
    for _ in views:
        address = page.url
        page.get_by_role("button", name="Take", exact=True).focus()
        page.keyboard.press("Enter")
        page.get_by_role("dialog").get_by_role("button", name="Take").focus()
        page.keyboard.press("Enter")
        expect(page).not_to_have_url(address)
        page.wait_for_load_state()  # the scripts of the next page have run
    page.get_by_text("That was all.").wait_for()


def test_submit_and_next_plays_and_says_so_on_the_next_board(club: Club) -> None:
    first = club.begin((3, 1))
    (second,) = more(club, first, 1)
    page = queue(club, first)
    page.get_by_role("link", name="Play 3-1").first.click()
    page.get_by_text("Then on to the match with bob.").wait_for()
    page.wait_for_load_state()  # the board's script has run
    for point in (8, 5, 6, 5):
        click(page, point)
    rest(page)
    page.get_by_role("button", name="Submit and next").click()
    page.wait_for_url(f"**/match/{second.id}?**")
    page.get_by_text("Sent to bob.").wait_for()
    assert club.load(first).match.phase is Phase.ROLL_OR_DOUBLE
    page.go_back()
    page.get_by_role("heading", name="It is bob's turn").wait_for()


def test_a_roll_that_lets_nothing_be_played_is_shown_before_the_next_match(club: Club) -> None:
    first = club.begin((3, 1), (5, 4))
    more(club, first, 1)
    first = club.stage(first, Side.WHITE, {25: 1, 6: 3}, {20: 2, 21: 2, 22: 2, 23: 2, 24: 2})
    page = club.open(Side.WHITE, first)
    page.get_by_role("button", name="Roll", exact=True).click()
    page.get_by_text("no legal play, passed").wait_for()
    page.get_by_role("link", name="Next match that waits for you").wait_for()


def test_skip_leads_past_a_match_and_at_the_end_to_the_queue(club: Club) -> None:
    first = club.begin((3, 1))
    (second,) = more(club, first, 1)
    page = club.open(Side.WHITE, first)
    page.get_by_role("link", name="Skip", exact=True).click()
    page.wait_for_url(f"**/match/{second.id}?**")
    page.get_by_role("link", name="Skip", exact=True).click()
    page.get_by_text("That was all.").wait_for()
    expect(page.locator(".queue > li")).to_have_count(2)
    assert club.load(first).version == first.version


@pytest.mark.parametrize("width", [320, 1280])
def test_without_a_script_skip_is_there_and_dead_buttons_are_not(club: Club, width: int) -> None:
    first = club.begin((3, 1))
    (second,) = more(club, first, 1)
    size = {"width": width, "height": 760}
    page = club.open(Side.WHITE, first, viewport=size, java_script_enabled=False)
    assert not page.get_by_role("button", name="Submit and next").is_visible()
    page.get_by_role("link", name="Skip", exact=True).click()
    page.wait_for_url(f"**/match/{second.id}?**")


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_the_queue_and_its_boards_fit_and_axe_finds_nothing(club: Club, width: int) -> None:
    first = club.begin((3, 1))
    second, third = more(club, first, 2)
    doubled(club, second)
    club.act(third, Side.WHITE, "play", play="8/5 6/5")
    page = queue(club, first, viewport={"width": width, "height": 760})
    for address in ("/", "/?order=bank", f"/match/{first.id}", f"/match/{second.id}?order=reply&walk="):
        page.goto(club.url + address)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
        ends = page.locator(".actions .button:visible").evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect().right)"
        )
        assert max(ends, default=0) <= width, address
        assert objections_light_and_dark(page) == [], address
