"""What an open page of a match learns of the other side: plays, words and offers, and what they leave alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.clubroom import Club, Side
from tests.browser.test_match_play import click, place, said, sent, submit
from tests.browser.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import APIResponse, Route

pytestmark = pytest.mark.slow


def test_an_open_page_follows_the_opponents_play_and_both_clocks(club: Club) -> None:
    # With the game left open, the opponent's clock was not set back after a move.
    view = club.begin((3, 1), (6, 5))
    page = club.open(Side.BLACK, view)
    assert "on" in (page.locator("[data-part=strip-opponent] .clock").get_attribute("class") or "")
    club.act(view, Side.WHITE, "play", play="8/5 6/5")
    page.get_by_role("heading", name="Your turn: roll or double").wait_for()
    assert page.locator("[data-part=strip-opponent] .clock").inner_text() == "bank 3 d"
    assert page.locator("[data-part=strip-viewer] .clock.on").inner_text() == "23 h 59 min, then bank"
    page.get_by_role("button", name="Roll").click()
    page.get_by_role("heading", name="Your turn: 6-5 to play").wait_for()
    click(page, 24)
    click(page, 18)
    assert "Still to play: 5" in said(page)


@pytest.mark.parametrize("watcher", [Side.BLACK, None])
def test_an_open_page_is_told_and_needs_not_ask(club: Club, watcher: Side | None) -> None:
    view = club.begin((3, 1), (6, 5))
    page = club.open(watcher, view)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    club.act(view, Side.WHITE, "play", play="8/5 6/5")
    page.locator("[data-part=news]").get_by_text("8/5 6/5").wait_for()
    assert len([url for url in asked if "?seen=" in url and "/news" not in url]) == 1


def test_news_leaves_an_unsent_play_and_a_line_being_written_alone(club: Club) -> None:
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view)
    click(page, 8)
    click(page, 5)
    page.get_by_label("Say something").fill("Just a mo")
    bob = club.open(Side.BLACK, view)
    bob.get_by_label("Say something").fill("<img src=x onerror=alert(1)> {{7*7}}")
    bob.get_by_role("button", name="Send").click()
    bob.get_by_text("<img src=x").wait_for()
    page.evaluate("dispatchEvent(new Event('online'))")
    page.get_by_text("<img src=x onerror=alert(1)> {{7*7}}").wait_for()
    assert page.get_by_label("Say something").input_value() == "Just a mo"
    assert place(page, 5).get_attribute("aria-label") == "5 point, 1 of yours"


def test_news_that_was_overtaken_on_its_way_does_not_bring_the_past_back(club: Club) -> None:
    view = club.begin((3, 1), (6, 5), (4, 2))
    page = club.open(Side.BLACK, view)
    held: list[tuple[Route, APIResponse]] = []

    first: list[Route] = []

    def hold(route: Route) -> None:
        if first:
            route.continue_()
        else:
            first.append(route)
            held.append((route, route.fetch()))  # answered by now, but slow on its way

    page.route("**/match/*?seen=*", hold)
    club.act(view, Side.WHITE, "play", play="8/5 6/5")
    page.evaluate("dispatchEvent(new Event('online'))")
    until(page, lambda: held)
    club.act(view, Side.BLACK, "double")
    club.act(view, Side.WHITE, "take")
    page.evaluate("dispatchEvent(new Event('online'))")
    submit(page).wait_for()
    click(page, 13)
    assert place(page, 13).get_attribute("aria-pressed") == "true"
    route, old = held[0]
    with page.expect_response("**/match/*?seen=*"):
        route.fulfill(response=old)
    page.wait_for_function("() => true")
    assert place(page, 13).get_attribute("aria-pressed") == "true"


def test_an_offer_that_arrives_leaves_a_half_written_play_and_an_open_question_alone(club: Club) -> None:
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view)
    page.get_by_role("button", name="Write the play").click()
    page.get_by_label("Your play, written").fill("8/5 6")
    club.act(view, Side.BLACK, "resign", value=1)
    page.evaluate("dispatchEvent(new Event('online'))")
    page.get_by_role("region", name="Since your last visit").get_by_text("bob").first.wait_for()
    page.keyboard.type("/5")
    page.keyboard.press("Enter")
    sent(page)
    assert club.plays(view, Side.WHITE) == ["8/5 6/5"]
