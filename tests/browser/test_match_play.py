"""A play on the board: by click, drag, key, touch and without a script. Nothing is sent before Submit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.clubroom import Club, Side

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.slow
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def place(page: Page, point: int | str) -> Locator:
    return page.locator(f'[data-point="{point}"]')


def click(page: Page, point: int) -> None:
    """In the middle of a point's column, near its base, where its checkers are."""
    box = place(page, point).locator(".bd-hit").bounding_box()
    assert box
    low = point <= 12
    y = box["y"] + box["height"] * (0.8 if low else 0.2)
    page.mouse.click(box["x"] + box["width"] / 2, y)


def middle(page: Page, point: int) -> tuple[float, float]:
    box = place(page, point).locator(".bd-hit").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] * (0.8 if point <= 12 else 0.2)


def said(page: Page) -> str:
    return page.locator("[data-say]").inner_text()


def submit(page: Page) -> Locator:
    return page.get_by_role("button", name="Submit", exact=True)


def rest(page: Page) -> None:
    """Longer than the moment in which a new Submit ignores a tap."""
    page.wait_for_timeout(450)


def sent(page: Page) -> None:
    page.get_by_text("Sent.").wait_for()


def test_a_play_is_clicked_together_and_sent_by_submit_alone(club: Club) -> None:
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view)
    click(page, 8)
    assert page.locator(".bd-ring").count() == 1
    assert page.locator(".bd-target").count() == 3  # 5, 7 and 4
    click(page, 5)
    assert "Still to play: 1" in said(page)
    click(page, 6)
    click(page, 5)
    assert said(page) == "8/5 6/5: not sent yet. Submit it, or undo."
    assert club.load(view).version == view.version
    rest(page)
    submit(page).click()
    sent(page)
    assert club.plays(view, Side.WHITE) == ["8/5 6/5"]
    page.get_by_role("heading", name="It is bob's turn").wait_for()


def test_dice_are_played_in_any_order_and_one_checker_may_use_both(club: Club) -> None:
    view = club.begin((6, 5))
    page = club.open(Side.WHITE, view)
    click(page, 24)
    click(page, 13)
    rest(page)
    page.keyboard.press("Enter")
    sent(page)
    assert club.plays(view, Side.WHITE) == ["24/13"]


def test_a_second_click_uses_the_first_die_and_swap_changes_which_that_is(club: Club) -> None:
    page = club.open(Side.WHITE, club.begin((5, 2)))
    page.get_by_role("button", name="Swap").click()
    assert said(page) == "The 2 is played first now."
    click(page, 13)
    click(page, 13)
    assert said(page) == "13/11. Still to play: 5."


def test_a_checker_is_dragged_to_its_point_and_dropped_elsewhere_goes_back(club: Club) -> None:
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view)
    drag(page, 13, 10)
    assert "Still to play" in said(page)
    page.keyboard.press("u")
    drag(page, 13, 2)
    assert place(page, 13).locator("use").count() == 5
    drag(page, 8, 5)
    drag(page, 6, 5)
    rest(page)
    submit(page).click()
    sent(page)
    assert club.plays(view, Side.WHITE) == ["8/5 6/5"]


def drag(page: Page, start: int, end: int) -> None:
    page.mouse.move(*middle(page, start))
    page.mouse.down()
    page.mouse.move(*middle(page, end), steps=6)
    page.mouse.up()


def test_a_whole_turn_is_played_by_keys_alone_and_each_step_is_told(club: Club) -> None:
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view)
    assert place(page, 13).get_attribute("aria-label") == "13 point, 5 of yours"
    focus_board(page, "24")
    for key in ("ArrowDown", *["ArrowLeft"] * 8):  # from the 24 point to the 1, then along, over the bar
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.dataset.point") == "8"
    page.keyboard.press("Enter")
    assert said(page).startswith("From 8: it can go to")
    assert place(page, 5).get_attribute("aria-label") == "5 point, empty, may go here"
    for key in ["ArrowRight"] * 4:
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.dataset.point") == "5"
    page.keyboard.press("Space")
    assert said(page) == "8/5. Still to play: 1."
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert place(page, 5).get_attribute("aria-label") == "5 point, 2 of yours"
    rest(page)
    page.keyboard.press("Enter")  # the finished play moved the focus to Submit
    sent(page)
    assert club.plays(view, Side.WHITE) == ["8/5 6/5"]


def focus_board(page: Page, point: str) -> None:
    """Tabs until the place has the focus."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset?.point") == point:
            return
    raise AssertionError(f"the {point} point can't be reached by Tab")


def test_a_finger_drags_without_scrolling_and_taps_without_dragging(club: Club) -> None:
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view, viewport={"width": 390, "height": 500}, has_touch=True, is_mobile=True)
    page.evaluate("scrollTo(0, 40)")
    swipe_up(page, *middle(page, 8))
    assert page.evaluate("scrollY") == 40
    assert place(page, 8).locator("use").count() == 3
    page.clock.set_fixed_time(NOON)
    page.touchscreen.tap(*middle(page, 8))
    page.touchscreen.tap(*middle(page, 5))
    page.touchscreen.tap(*middle(page, 6))
    page.touchscreen.tap(*middle(page, 5))
    page.touchscreen.tap(*centre(submit(page)))
    assert club.load(view).version == view.version, "a tap within 400 ms was not meant for Submit"
    page.clock.set_fixed_time(NOON + timedelta(milliseconds=400))
    page.touchscreen.tap(*centre(submit(page)))
    sent(page)
    assert club.plays(view, Side.WHITE) == ["8/5 6/5"]


def centre(item: Locator) -> tuple[float, float]:
    box = item.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def swipe_up(page: Page, x: float, y: float) -> None:
    """A finger goes up by 300 pixels."""
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *spots: tuple[float, float]) -> None:
        points = [{"x": x, "y": y} for x, y in spots]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", (x, y))
    for step in range(1, 11):
        touch("touchMove", (x, y - 30 * step))
    touch("touchEnd")


def test_a_swipe_outside_the_board_scrolls(club: Club) -> None:
    phone = {"viewport": {"width": 390, "height": 500}, "has_touch": True, "is_mobile": True}
    page = club.open(Side.WHITE, club.begin((3, 1)), **phone)
    swipe_up(page, 195, 420)
    page.wait_for_function("scrollY > 100")


def test_an_undone_hit_leaves_fifteen_checkers_a_side(club: Club) -> None:
    # Previewed and undone hits once left a checker both on its point and on the bar.
    view = club.begin((4, 2))
    view = club.stage(view, Side.WHITE, {24: 2, 13: 5, 8: 3, 6: 5}, {4: 1, 12: 5, 17: 3, 19: 5, 1: 1}, 4, 2)
    page = club.open(Side.WHITE, view)
    click(page, 8)
    click(page, 4)
    click(page, 6)
    click(page, 4)
    assert place(page, "opponent-bar").get_attribute("aria-label") == "Bar, 1 of bob"
    undo = page.get_by_role("button", name="Undo")
    undo.click()
    undo.click()
    assert place(page, "opponent-bar").get_attribute("aria-label") == "Bar, none of bob"
    assert page.locator('[data-side="viewer"]').count() == 15
    assert page.locator('[data-side="opponent"]').count() == 15
    click(page, 24)
    click(page, 20)
    click(page, 13)
    click(page, 11)
    rest(page)
    submit(page).click()
    sent(page)
    assert club.plays(view, Side.WHITE) == ["24/20 13/11"]


def test_undo_while_a_checker_is_held_leaves_no_ghost(club: Club) -> None:
    page = club.open(Side.WHITE, club.begin((3, 1)))
    page.mouse.move(*middle(page, 8))
    page.mouse.down()
    page.mouse.move(*middle(page, 5), steps=4)
    page.keyboard.press("u")
    page.mouse.up()
    assert page.locator(".ghost").count() == 0
    assert place(page, 8).locator("use").count() == 3


def test_on_the_bar_it_is_said_which_die_is_blocked_and_where_to_enter(club: Club) -> None:
    # "No legal move but one" was taken for a fault, because nobody saw the checker on the bar.
    view = club.begin((5, 3))
    view = club.stage(
        view, Side.WHITE, {25: 1, 24: 1, 13: 5, 8: 3, 6: 5}, {20: 2, 1: 1, 12: 4, 17: 3, 19: 5}, 5, 3
    )
    page = club.open(Side.WHITE, view)
    reason = "You are on the bar: the 5 is blocked (20 point), enter with the 3."
    assert said(page) == reason
    assert place(page, 22).get_attribute("aria-label") == "22 point, empty, may go here"
    assert float(place(page, 13).locator("use").first.evaluate("e => getComputedStyle(e).opacity")) < 1
    click(page, 13)
    assert said(page) == reason
    place(page, 25).focus()
    page.keyboard.press("Enter")
    assert said(page) == "bar/22. Still to play: 5."


def test_a_checker_that_cant_move_says_why(club: Club) -> None:
    # Only 20/15/11 uses both dice: 10/5 would leave no 4.
    view = club.begin((5, 4))
    view = club.stage(view, Side.WHITE, {20: 2, 10: 1}, {16: 2, 6: 2, 1: 2}, 5, 4)
    page = club.open(Side.WHITE, view)
    click(page, 10)
    five = "From 10 the 5 isn't legal now: more of the roll can be played, as by 20/11."
    assert said(page) == f"{five} From 10 the 4 is blocked (6 point)."
    click(page, 20)
    click(page, 15)
    assert said(page) == "20/15. Still to play: 4."
    click(page, 20)
    assert said(page) == "From 20 the 4 is blocked (16 point)."


def test_without_a_script_a_play_is_chosen_from_the_list_or_written(club: Club) -> None:
    view = club.begin((3, 1), (6, 5))
    page = club.open(Side.WHITE, view, java_script_enabled=False)
    page.get_by_label("8/5 6/5", exact=True).check()
    page.get_by_role("button", name="Play the chosen one").click()
    assert club.plays(view, Side.WHITE) == ["8/5 6/5"]
    club.act(view, Side.BLACK, "roll")
    page = club.open(Side.BLACK, view, java_script_enabled=False)
    page.get_by_label("Your play, written").fill("24/12")
    page.get_by_role("button", name="Play what is written").click()
    expect(page.locator("main")).to_contain_text("No die of 6-5 fits that.")
    page.get_by_label("Your play, written").fill("24/18 13/8")
    page.get_by_role("button", name="Play what is written").click()
    assert club.plays(view, Side.BLACK) == ["24/18 13/8"]


def test_the_notation_box_serves_readers_of_the_board_too(club: Club) -> None:
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view)
    page.get_by_role("button", name="Write the play").press("Enter")
    page.keyboard.type("8/5, 6/5 please")  # the box has the focus
    page.keyboard.press("Enter")
    page.get_by_text("can't be read").wait_for()
    page.get_by_label("Your play, written").fill("8/5 6/5")
    page.keyboard.press("Enter")
    sent(page)
    assert club.plays(view, Side.WHITE) == ["8/5 6/5"]
