"""What happened since the last visit, shown on the board of a running match."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.clubroom import Club, Side
from tests.browser.objections import objections_light_and_dark
from tests.browser.test_match_actions import click
from tests.browser.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from bgmail.service.views import MatchView

pytestmark = pytest.mark.slow

DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 780}


def met(club: Club) -> MatchView:
    """31: 8/5 6/5, then Bob's 65: 24/13 and Alice's roll to come: Alice has one thing to look back on."""
    view = club.begin((3, 1), (6, 5), (2, 1))
    club.act(view, Side.WHITE, "play", play="8/5 6/5")
    club.act(view, Side.BLACK, "roll")
    return club.act(view, Side.BLACK, "play", play="24/13")


def doubled(club: Club) -> MatchView:
    """The same with Bob's double after it, which Alice has to answer."""
    view = club.begin((3, 1), (6, 5), (2, 1))
    club.act(view, Side.WHITE, "play", play="8/5 6/5")
    return club.act(view, Side.BLACK, "double")


def player(page: Page) -> Any:
    """The replay's buttons; what they do is fetched once the page stands."""
    page.locator(":root[data-came=here]").wait_for()
    return page.get_by_role("group", name="Replay")


def said(page: Page) -> str:
    return str(page.locator("[data-said]").inner_text())


def frozen(club: Club, view: MatchView, **options: Any) -> Page:
    """Alice's page; its timers stand still until the test moves them, so that a film rests where it is."""
    context = club.context(Side.WHITE, view, **options)
    context.clock.install()
    context.clock.pause_at(datetime.now(UTC) + timedelta(seconds=1))
    page = context.new_page()
    page.goto(f"{club.url}/match/{view.id}")
    return page


def calm(page: Page) -> None:
    """Lets the rests of a film pass until nothing plays by itself any more."""

    def is_over() -> bool:
        page.clock.run_for(1000)
        return page.locator(".film").count() == 0

    until(page, is_over)


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_on_opening_a_match_what_is_new_is_shown_once_and_ends_at_the_present(
    club: Club, size: dict[str, int]
) -> None:
    page = frozen(club, met(club), viewport=size)
    page.locator(".film .bd-arrow").first.wait_for()
    assert page.locator(".film .bd-die").count() == 2
    assert page.locator(".news .now").inner_text().split() == ["bob", "6-5", "24/13"]
    calm(page)
    assert said(page) == "The board shows the position now."
    assert page.get_by_role("button", name="Roll", exact=True).is_enabled()
    page.reload()
    player(page).get_by_role("button", name="Play").wait_for()
    page.locator("[data-to=back][aria-disabled=false]").wait_for()
    page.wait_for_timeout(300)
    assert page.locator(".film").count() == 0, "it was seen already"


def test_steps_are_gone_through_with_buttons_and_arrow_keys_and_announced(club: Club) -> None:
    view = met(club)
    page = club.open(Side.WHITE, view, reduced_motion="reduce")
    first = player(page).get_by_role("button", name="First step")
    first.click()
    assert said(page) == "Step 1 of 1: bob 6-5: 24/13"
    assert page.locator("[data-said]").get_attribute("aria-live") == "polite"
    assert page.locator(".film use").count() == 29, "six on the midpoint are five and a number"
    page.keyboard.press("ArrowRight")
    assert page.locator(".film").count() == 0
    page.keyboard.press("ArrowLeft")
    assert said(page) == "Step 1 of 1: bob 6-5: 24/13"
    page.keyboard.press("End")
    assert page.locator(".film").count() == 0
    page.keyboard.press("Home")
    page.keyboard.press("Escape")
    assert page.locator(".film").count() == 0
    page.locator(".news").get_by_role("link", name="24/13").click()
    assert said(page) == "Step 1 of 1: bob 6-5: 24/13"
    assert "/log/" not in page.url


@pytest.mark.parametrize("late", ["replay.js", "replay.css"])
def test_a_press_before_the_replay_has_come_is_done_once_it_is_there(club: Club, late: str) -> None:
    view = met(club)
    page = club.context(Side.WHITE, view, reduced_motion="reduce").new_page()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(f"**/{late}*", hold)
    page.goto(f"{club.url}/match/{view.id}")
    page.get_by_role("button", name="First step").click()
    until(page, lambda: held)
    assert page.locator(".film").count() == 0
    held[0].continue_()
    page.locator(".film").wait_for()
    assert said(page) == "Step 1 of 1: bob 6-5: 24/13"
    lies_over = "getComputedStyle(document.querySelector('.film')).position"
    assert page.evaluate(lies_over) == "absolute", "it comes with its looks"


def test_a_double_is_shown_with_its_cube_before_it_is_answered(club: Club) -> None:
    page = club.open(Side.WHITE, doubled(club), reduced_motion="reduce")
    player(page).get_by_role("button", name="First step").click()
    assert page.locator(".film .bd-offer").text_content() == "2"
    assert said(page) == "Step 1 of 1: bob doubled to 2"
    page.get_by_role("button", name="Take").click()
    assert page.locator(".film").count() == 0
    assert page.get_by_role("dialog").is_visible(), "the first press does what it is for"


def test_who_wants_no_motion_gets_none(club: Club) -> None:
    page = club.open(Side.WHITE, met(club), reduced_motion="reduce")
    player(page).get_by_role("button", name="Play").wait_for()
    page.wait_for_timeout(400)
    assert page.locator(".film").count() == 0
    player(page).get_by_role("button", name="First step").click()
    assert page.evaluate("document.getAnimations().length") == 0
    assert page.locator(".film .bd-arrow").count() == 1


def rolled(club: Club) -> MatchView:
    """Alice has a 2-1 to play after Bob's 24/13."""
    view = met(club)
    return club.act(view, Side.WHITE, "roll")


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_a_click_on_the_board_ends_the_replay_and_plays(club: Club, size: dict[str, int]) -> None:
    view = rolled(club)
    page = frozen(club, view, viewport=size)
    page.locator(".film").wait_for()
    click(page, 6)
    assert page.locator(".film").count() == 0
    click(page, 4)
    click(page, 6)
    click(page, 5)
    page.clock.run_for(400)
    page.get_by_role("button", name="Submit", exact=True).click()
    page.get_by_text("Sent.").wait_for()
    assert club.plays(view, Side.WHITE)[-1] == "6/5 6/4"


def test_a_key_for_the_board_ends_the_replay_and_counts(club: Club) -> None:
    page = frozen(club, rolled(club))
    page.locator(".film").wait_for()
    page.keyboard.press("s")
    assert page.locator(".film").count() == 0
    assert "The 1 is played first now." in page.locator("[data-say]").inner_text()


def test_a_look_back_leaves_a_half_made_play_alone(club: Club) -> None:
    page = club.open(Side.WHITE, rolled(club), reduced_motion="reduce")
    click(page, 6)
    click(page, 4)
    player(page).get_by_role("button", name="First step").click()
    assert page.locator(".film").count() == 1
    page.get_by_role("button", name="The position now").click()
    assert page.locator('[data-point="4"]').get_attribute("aria-label") == "4 point, 1 of yours"
    page.get_by_role("button", name="Undo").click()
    assert page.locator('[data-point="4"]').get_attribute("aria-label") == "4 point, empty"


def test_a_play_not_sent_yet_does_not_look_sent_after_a_look_back(club: Club) -> None:
    # Stepping through the history once made an unsent move look sent.
    view = club.begin((3, 1), (6, 5), (6, 5))
    club.act(view, Side.WHITE, "play", play="8/5 6/5")
    club.act(view, Side.BLACK, "roll")
    club.act(view, Side.BLACK, "play", play="24/13")
    club.act(view, Side.WHITE, "roll")
    page = club.open(Side.WHITE, view, reduced_motion="reduce")
    click(page, 24)
    click(page, 13)
    assert "24/13: not sent yet." in page.locator("[data-say]").inner_text()
    page.get_by_role("button", name="Step back").click()
    assert "24/13: not sent yet." in page.locator("[data-say]").inner_text()
    page.get_by_role("button", name="Next step").click()
    assert "24/13: not sent yet." in page.locator("[data-say]").inner_text()
    assert page.get_by_role("button", name="Submit", exact=True).get_attribute("aria-disabled") == "false"
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.get_by_role("link", name="All plays").click()
    until(page, lambda: asked)
    assert asked == ["beforeunload"]
    assert club.load(view).match.on_turn is Side.WHITE


def test_news_that_arrive_are_played_unless_a_play_is_in_the_making(club: Club) -> None:
    view = club.begin((3, 1), (6, 5), (2, 1), (4, 3))
    page = frozen(club, view)
    club.act(view, Side.WHITE, "play", play="8/5 6/5")
    club.act(view, Side.BLACK, "roll")
    club.act(view, Side.BLACK, "play", play="24/13")
    page.locator(".film .bd-arrow").first.wait_for()
    calm(page)
    club.act(view, Side.WHITE, "roll")
    page.get_by_role("button", name="Submit", exact=True).wait_for()
    click(page, 6)
    click(page, 4)
    club.act(view, Side.BLACK, "resign", value=1)
    page.get_by_text("offered to resign").first.wait_for()
    assert page.locator(".film").count() == 0
    assert page.locator('[data-point="4"]').get_attribute("aria-label") == "4 point, 1 of yours"


def test_where_the_board_is_out_of_sight_the_picture_comes_along(club: Club) -> None:
    page = club.open(Side.WHITE, met(club), viewport={"width": 320, "height": 480}, reduced_motion="reduce")
    page.locator(".news").evaluate("(list) => scrollTo(0, list.getBoundingClientRect().top - 300)")
    before = player(page).get_by_role("button", name="First step").bounding_box()
    page.get_by_role("button", name="First step").click()
    picture = page.locator(".film.afloat").bounding_box()
    assert picture
    assert before
    assert picture["y"] >= 0
    assert picture["y"] + picture["height"] <= before["y"], "it doesn't lie over the buttons"
    assert picture["x"] >= 0
    assert picture["x"] + picture["width"] <= 320
    assert page.get_by_role("button", name="First step").bounding_box() == before, "no control has moved"
    page.evaluate("scrollTo(0, 0)")
    page.locator(".film:not(.afloat)").wait_for()


def test_axe_finds_nothing_to_object_to_light_or_dark(club: Club) -> None:
    view = met(club)
    page = club.open(Side.WHITE, view, bypass_csp=True, reduced_motion="reduce")
    player(page).get_by_role("button", name="First step").click()
    page.get_by_text("My notes").click()
    assert objections_light_and_dark(page) == []
    for path in ("/replay", "/log/6", "/print?game=1"):
        page.goto(f"{club.url}/match/{view.id}{path}")
        assert objections_light_and_dark(page) == [], path
    page.goto(f"{club.url}/u/bob")
    assert objections_light_and_dark(page) == []


def test_without_a_script_each_line_leads_to_its_position_and_on(club: Club) -> None:
    page = club.open(Side.WHITE, met(club), java_script_enabled=False)
    assert not page.get_by_role("button", name="First step").is_visible()
    page.locator(".news").get_by_role("link", name="24/13").click()
    expect(page.locator("[data-said]")).to_have_text("bob 6-5: 24/13")
    page.get_by_role("link", name="Step back").click()
    expect(page.locator("[data-said]")).to_have_text("you 3-1: 8/5 6/5")
    page.get_by_role("link", name="To the match").click()
    page.get_by_role("link", name="A board for each step, to print").click()
    expect(page.locator("figure")).to_have_count(1)
