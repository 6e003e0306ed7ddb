"""The board under a player's hands: one click a die, taps, keys, and why a checker stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.clubroom import Club, Side
from tests.browser.test_match_play import centre, drag, place, rest, said, sent, submit

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SMALL: dict[str, Any] = {"viewport": {"width": 320, "height": 568}, "has_touch": True, "is_mobile": True}
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
LEFT, RIGHT = -0.3, 0.3
"""How far from the middle of a checker, in its widths."""


def on(page: Page, point: int, aside: float) -> tuple[float, float]:
    """Where the outermost checker of a point is, as far aside of its middle."""
    box = place(page, point).locator("use").last.bounding_box()
    assert box
    return box["x"] + box["width"] * (0.5 + aside), box["y"] + box["height"] / 2


def press(page: Page, point: int, aside: float = LEFT, button: Any = "left") -> None:
    page.mouse.click(*on(page, point, aside), button=button)


def tap(page: Page, point: int) -> None:
    page.touchscreen.tap(*centre(place(page, point).locator(".bd-hit")))


@pytest.mark.parametrize("look", [DESK, {"viewport": {"width": 390, "height": 844}}])
def test_one_click_plays_the_first_die_and_the_right_half_the_other(club: Club, look: dict[str, Any]) -> None:
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view, boards="", **look)
    assert said(page) == "Press a checker to play the 3, its right half to play the 1. Or drag it."
    press(page, 8, LEFT)
    assert said(page) == "8/5. Still to play: 1."
    page.keyboard.press("u")
    press(page, 6, RIGHT)
    assert said(page) == "6/5. Still to play: 3."
    press(page, 8, RIGHT)  # one die is left: both halves play it
    assert said(page) == "8/5 6/5: not sent yet. Submit it, or undo."
    assert club.load(view).version == view.version
    rest(page)
    page.keyboard.press("Enter")
    sent(page)
    assert club.plays(view, Side.WHITE) == ["8/5 6/5"]


def test_whoever_is_quick_with_a_mouse_is_not_held_up(club: Club) -> None:
    """A tap within 400 ms was not meant for Submit; a mouse is never on a checker and on Submit at once."""
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view, boards="", **DESK)
    there = centre(submit(page))
    press(page, 8, LEFT)
    press(page, 6, LEFT)
    page.mouse.click(*there)
    sent(page)
    assert club.plays(view, Side.WHITE) == ["8/5 6/5"]


def test_the_right_button_plays_the_other_die_and_opens_no_menu(club: Club) -> None:
    page = club.open(Side.WHITE, club.begin((3, 1)), boards="")
    page.evaluate("addEventListener('contextmenu', (event) => { window.kept = event.defaultPrevented; })")
    press(page, 6, LEFT, "right")
    assert said(page) == "6/5. Still to play: 3."
    assert page.evaluate("window.kept")
    page.mouse.click(*centre(page.get_by_role("heading", name="Chat")), button="right")
    assert not page.evaluate("window.kept")


def test_a_click_that_cannot_play_the_first_die_plays_the_other(club: Club) -> None:
    view = club.begin((6, 4))
    view = club.stage(view, Side.WHITE, {13: 5, 8: 3, 6: 5, 24: 2}, {7: 2, 12: 5, 17: 3, 19: 5}, 6, 4)
    page = club.open(Side.WHITE, view, boards="")
    press(page, 13, LEFT)
    assert said(page) == "13/9. Still to play: 6."


def test_a_click_on_a_die_swaps_which_is_played_first(club: Club) -> None:
    page = club.open(Side.WHITE, club.begin((5, 2)), boards="")
    page.mouse.click(*centre(page.locator("[data-die]").first))
    assert said(page) == "The 2 is played first now."
    press(page, 13, LEFT)
    assert said(page) == "13/11. Still to play: 5."


def test_a_double_is_said_once_and_clicked_four_times(club: Club) -> None:
    view = club.begin((3, 1))
    own, other = {24: 2, 13: 5, 8: 3, 6: 5}, {1: 2, 12: 5, 17: 3, 19: 5}
    view = club.stage(view, Side.WHITE, own, other, 2, 2)
    page = club.open(Side.WHITE, view, boards="")
    assert said(page) == "A press on a checker plays a 2. Or drag it."
    for point in (13, 13, 6, 6):
        press(page, point, RIGHT)
    assert said(page) == "13/11(2) 6/4(2): not sent yet. Submit it, or undo."


def test_a_checker_on_the_bar_enters_by_a_click_on_it_or_on_the_point(club: Club) -> None:
    view = club.begin((5, 3))
    own, other = {25: 1, 13: 5, 8: 3, 6: 5, 24: 1}, {1: 2, 12: 5, 17: 3, 19: 5}
    page = club.open(Side.WHITE, club.stage(view, Side.WHITE, own, other, 5, 3), boards="")
    assert said(page) == "You are on the bar: enter with the 5 or the 3 first."
    press(page, 25, RIGHT)
    assert said(page) == "bar/22. Still to play: 5."
    page.keyboard.press("u")
    page.mouse.click(*centre(place(page, 20).locator(".bd-hit")))
    assert said(page) == "bar/20. Still to play: 3."


def test_a_tap_chooses_and_a_second_says_where(club: Club) -> None:
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view, boards="", **PHONE)
    assert said(page) == "Press a checker, then where it goes; or drag it."
    tap(page, 8)
    assert said(page) == "From 8: it can go to 7, 5, 4. Press it again to play the 3."
    tap(page, 5)
    tap(page, 6)
    tap(page, 6)  # once more: with the die that is left
    page.wait_for_timeout(450)
    page.touchscreen.tap(*centre(submit(page)))
    sent(page)
    assert club.plays(view, Side.WHITE) == ["8/5 6/5"]


def test_who_wants_it_so_a_tap_plays_as_a_click_does(club: Club) -> None:
    page = club.open(Side.WHITE, club.begin((3, 1)), boards="click:touch", **PHONE)
    x, y = on(page, 6, RIGHT)
    page.touchscreen.tap(x, y)
    assert said(page) == "6/5. Still to play: 3."


def test_a_drag_works_upright_too(club: Club) -> None:
    page = club.open(Side.WHITE, club.begin((3, 1)), boards="", viewport={"width": 390, "height": 844})
    drag(page, 8, 4)
    assert said(page) == "8/4: not sent yet. Submit it, or undo."
    page.keyboard.press("u")
    assert said(page) == "Taken back."


def test_a_number_plays_that_die_with_the_checker_in_focus(club: Club) -> None:
    page = club.open(Side.WHITE, club.begin((3, 1)), boards="")
    place(page, 8).focus()
    page.keyboard.press("2")
    assert said(page) == "There is no 2 to play."
    page.keyboard.press("3")
    assert said(page) == "8/5. Still to play: 1."
    place(page, 6).focus()
    page.keyboard.press("1")
    assert said(page) == "8/5 6/5: not sent yet. Submit it, or undo."
    assert page.evaluate("document.activeElement.textContent") == "Submit"


@pytest.mark.parametrize("look", [DESK, {"viewport": {"width": 390, "height": 844}}])
def test_arrows_go_where_they_point_however_the_board_lies(club: Club, look: dict[str, Any]) -> None:
    page = club.open(Side.WHITE, club.begin((3, 1)), boards="", **look)
    place(page, 24).focus()
    for key, dx, dy in (("ArrowDown", 0, 1), ("ArrowUp", 0, -1), ("ArrowLeft", -1, 0), ("ArrowRight", 1, 0)):
        place(page, 9).focus()
        here = centre(place(page, 9).locator(".bd-hit"))
        page.keyboard.press(key)
        point = page.evaluate("document.activeElement.dataset.point")
        there = centre(page.locator(f'[data-point="{point}"] .bd-hit'))
        assert point == "9" or (there[0] - here[0]) * dx + (there[1] - here[1]) * dy > 0, key


WHY = {
    "blocked": (
        ({24: 2, 13: 5, 8: 3, 6: 5}, {7: 2, 12: 5, 17: 3, 4: 2, 2: 2}, (6, 4)),
        8,
        "From 8 the 6 is blocked (2 point). From 8 the 4 is blocked (4 point).",
    ),
    "on the bar": (
        ({25: 1, 13: 5, 8: 3, 6: 5, 24: 1}, {20: 2, 12: 5, 17: 3, 19: 5}, (5, 3)),
        13,
        "You are on the bar: the 5 is blocked (20 point), enter with the 3.",
    ),
    "not all at home": (
        ({7: 1, 6: 5, 5: 4, 4: 5}, {24: 15}, (6, 5)),
        5,
        "The 6 bears off only when all your checkers are in your home board. "
        "The 5 bears off only when all your checkers are in your home board.",
    ),
    "a higher checker": (
        ({6: 2, 2: 5, 1: 5}, {24: 15}, (4, 3)),
        2,
        "The 4 must be used from the 6 point first. The 3 must be used from the 6 point first.",
    ),
    "more can be played": (
        ({20: 2, 10: 1}, {16: 2, 6: 2, 1: 2}, (5, 4)),
        10,
        "From 10 the 5 isn't legal now: more of the roll can be played, as by 20/11. "
        "From 10 the 4 is blocked (6 point).",
    ),
    "the opponent's": (
        ({24: 2, 13: 5, 8: 3, 6: 5}, {1: 2, 12: 5, 17: 3, 19: 5}, (6, 4)),
        12,
        "Those checkers are bob's.",
    ),
}


@pytest.mark.parametrize("reason", WHY)
def test_why_a_checker_cannot_move_is_said(club: Club, reason: str) -> None:
    (own, other, dice), point, sentence = WHY[reason]
    view = club.stage(club.begin((3, 1)), Side.WHITE, own, other, *dice)
    page = club.open(Side.WHITE, view, boards="")
    press(page, point)
    assert said(page) == sentence
    assert "bad" in (page.locator("[data-say]").get_attribute("class") or "")


def test_that_only_the_larger_number_can_be_played_is_said(club: Club) -> None:
    # Either number can be played, but not both: the rule asks for the 6.
    view = club.stage(club.begin((3, 1)), Side.WHITE, {13: 1}, {4: 2, 24: 2}, 6, 3)
    page = club.open(Side.WHITE, view, boards="click:choose")
    page.get_by_role("button", name="Swap").click()
    press(page, 13)
    assert said(page) == "From 13: it can go to 7. Press it again to play the 6."
    page.keyboard.press("3")
    place(page, 13).focus()
    page.keyboard.press("3")
    assert said(page) == ("From 13 the 3 isn't legal: only one number can be played, so it must be the 6.")
    page.keyboard.press("6")
    assert said(page) == "13/7: not sent yet. The 3 can't be played. Submit it, or undo."
    press(page, 7)
    assert said(page) == "All that can be played is played. Submit, or undo."
