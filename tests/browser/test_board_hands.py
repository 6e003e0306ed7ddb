"""The board under a player's hands: one click a die, taps, keys; buttons that stay; upright on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from bgmail.rules.match import Phase
from tests.browser.clubroom import Club, Side
from tests.browser.test_match_access import faults
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
    assert said(page) == "A checker plays the 3; pressed on its right half, the 1. Or drag it."
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


BUTTONS = (
    "[...document.querySelectorAll('.hand button,.hand a')].map((b) => { const r = b.getBoundingClientRect(); \
return [b.textContent, Math.round(r.x), Math.round(r.y), Math.round(r.width), Math.round(r.height)]; })"
)


@pytest.mark.parametrize("look", [DESK, {"viewport": {"width": 768, "height": 900}}, PHONE, SMALL])
def test_buttons_stay_where_they_are_whatever_is_said(club: Club, look: dict[str, Any]) -> None:
    view = club.begin((5, 4))
    view = club.stage(view, Side.WHITE, {20: 2, 10: 1}, {16: 2, 6: 2, 1: 2}, 5, 4)
    page = club.open(Side.WHITE, view, boards="", **look)
    before = page.evaluate(BUTTONS)
    assert [name for name, *_ in before] == ["Submit", "Undo", "Swap"]

    def still(after: str) -> None:
        assert page.evaluate(BUTTONS) == before, f"{after}: {said(page)}"

    page.get_by_role("button", name="Swap").click()
    still("a swap")
    tap(page, 10) if look.get("has_touch") else press(page, 10)
    assert "isn't legal now" in said(page)
    still("a long reason")
    drag(page, 20, 15)
    still("a move")
    page.keyboard.press("u")
    still("an undo")
    drag(page, 20, 11)
    assert "not sent yet" in said(page)
    still("a whole play")


@pytest.mark.parametrize("width", [320, 360, 390, 430])
def test_on_a_phone_held_upright_checkers_are_big_enough_for_a_finger(club: Club, width: int) -> None:
    phone = {"viewport": {"width": width, "height": 740}, "has_touch": True, "is_mobile": True}
    page = club.open(Side.WHITE, club.begin((3, 1)), boards="", **phone)
    checker = place(page, 8).locator("use").first.bounding_box()
    touched = place(page, 8).locator(".bd-hit").bounding_box()
    board = page.locator("svg.bd[role=group]").bounding_box()
    assert checker
    assert touched
    assert board
    assert checker["width"] >= 26
    assert touched["height"] >= 24
    assert touched["width"] >= 44
    assert board["height"] > board["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert place(page, 1).locator(".bd-hit").bounding_box()["y"] > board["y"] + board["height"] / 2  # type: ignore[index]


def test_texts_of_an_upright_board_are_upright_and_in_their_places(club: Club) -> None:
    page = club.open(Side.WHITE, club.begin((3, 1)), boards="", viewport={"width": 390, "height": 844})
    for number in ("24", "12", "1"):
        text = page.locator(".bd-num", has_text=number).filter(has_text=number).first
        box = page.evaluate(
            "(n) => { const r = [...document.querySelectorAll('.bd-num')].find((t) => t.textContent === n)"
            ".getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; }",
            number,
        )
        row = place(page, int(number)).locator(".bd-hit").bounding_box()
        assert row
        assert text
        middle = box[1] + box[3] / 2
        assert row["y"] < middle < row["y"] + row["height"], number
        assert box[2] >= box[3] * 0.4 * len(number), "lying down"


def test_held_sideways_or_where_it_is_not_wanted_the_board_lies(club: Club) -> None:
    view = club.begin((3, 1))
    for boards, width, height in (("", 844, 390), ("upright:never", 390, 844), ("", 320, 256)):
        page = club.open(Side.WHITE, view, boards=boards, viewport={"width": width, "height": height})
        board = page.locator("svg.bd[role=group]").bounding_box()
        assert board
        assert board["width"] > board["height"], (boards, width)
    page = club.open(Side.WHITE, view, boards="upright:always", **DESK)
    board = page.locator("svg.bd[role=group]").bounding_box()
    assert board
    assert board["height"] > board["width"]
    assert board["height"] < 700


def test_at_twice_the_size_all_is_there_and_nothing_sticks_out(club: Club) -> None:
    zoomed = {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2}
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view, boards="", **zoomed)
    assert page.evaluate("document.documentElement.scrollWidth") <= 640
    page.locator(".board").evaluate("(board) => scrollBy(0, board.getBoundingClientRect().top - 9)")
    box = page.locator(".board").bounding_box()
    assert box
    assert box["height"] <= 400, "the whole board is seen at once"
    drag(page, 8, 5)
    drag(page, 6, 5)
    rest(page)
    submit(page).click()
    sent(page)
    assert club.plays(view, Side.WHITE) == ["8/5 6/5"]


@pytest.mark.parametrize("theme", ["club", "green", "dark", "print"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_with_any_colours_upright_or_not(club: Club, theme: str, scheme: str) -> None:
    view = club.begin((3, 1))
    for look in (DESK, {"viewport": {"width": 390, "height": 844}}):
        page = club.open(
            Side.WHITE, view, boards=f"theme:{theme}", color_scheme=scheme, bypass_csp=True, **look
        )
        page.emulate_media(reduced_motion="reduce")
        assert f"bd-{theme}" in (page.locator("svg.bd[role=group]").get_attribute("class") or "")
        assert faults(page) == []
        page.goto(f"{club.url}/look")
        assert faults(page) == []


def test_a_forced_palette_leaves_the_two_sides_their_forms(club: Club) -> None:
    page = club.open(Side.WHITE, club.begin((3, 1)), boards="", forced_colors="active")
    felt = "getComputedStyle(document.querySelector('.bd-felt')).fill"
    assert page.evaluate(felt) == "rgb(244, 235, 218)"
    assert page.locator("#bd-d .bd-dd").count() == 1


def test_the_menu_under_the_board_changes_one_thing_and_comes_back(club: Club) -> None:
    view = club.begin((3, 1))
    for script in (True, False):
        page = club.open(Side.WHITE, view, boards="", java_script_enabled=script)
        page.locator(".board-menu summary").click()
        page.get_by_role("button", name="Print").click()
        expect(page).to_have_url(f"{club.url}/match/{view.id}")
        expect(page.locator(".board svg.bd-print")).to_have_count(1)
        page.locator(".board-menu summary").click()
        page.get_by_role("button", name="Home board to the left").click()
        page.locator(".board-menu summary").click()
        page.get_by_role("button", name="Hide pip counts").click()
        expect(page.locator("[data-pips]")).to_have_count(0)
        page.locator(".board-menu summary").click()
        page.get_by_role("button", name="Hide point numbers").click()
        expect(page.locator(".bd-num")).to_have_count(0)
        board, home = page.locator(".board svg").bounding_box(), page.locator(".bd-tray").first.bounding_box()
        assert board
        assert home
        assert home["x"] < board["x"] + board["width"] / 2
        page.locator(".board-menu summary").click()
        page.get_by_role("link", name="All about the board").click()
        page.get_by_label("Club").check()
        for name in ("Point numbers", "Pip counts"):
            page.get_by_label(name).check()
        page.get_by_label("bottom right").check()
        page.get_by_role("button", name="Save").click()
        expect(page).to_have_url(f"{club.url}/match/{view.id}")
        expect(page.locator(".board svg.bd-club")).to_have_count(1)
        expect(page.locator(".bd-num")).to_have_count(24)


def test_a_choice_is_seen_on_the_sample_before_it_is_saved(club: Club) -> None:
    view = club.begin((3, 1))
    page = club.context(Side.WHITE, view, boards="").new_page()
    page.goto(f"{club.url}/settings#board")
    page.get_by_label("Green cloth").check()
    page.locator("[data-sample] svg.bd-green").wait_for()
    page.get_by_label("top left").check()
    page.get_by_label("always the dark ones").check()
    page.locator('[data-sample] desc:has-text("24 point, 2 of yours")').wait_for(state="attached")
    page.goto(f"{club.url}/match/{view.id}")
    assert page.locator(".board svg.bd-auto").count() == 1


def test_nobody_is_asked_who_does_not_want_to_be_but_resigning_always_asks(club: Club) -> None:
    view = club.begin((3, 1))
    club.act(view, Side.WHITE, "play", play="8/5 6/5")
    quiet = "no_ask_double.no_ask_take.no_ask_pass"
    bob = club.open(Side.BLACK, view, boards=quiet)
    bob.get_by_role("button", name="Double to 2").click()
    sent(bob)
    assert club.load(view).match.phase is Phase.TAKE_OR_PASS
    alice = club.open(Side.WHITE, view, boards=quiet, java_script_enabled=False)
    alice.get_by_role("button", name="Take").click()
    assert club.load(view).match.cube.owner is Side.WHITE
    alice.get_by_role("link", name="Resign").click()
    assert "/confirm/resign" in alice.url
    bob.reload()
    bob.get_by_role("link", name="Resign").click()
    assert bob.get_by_role("dialog").is_visible()


def test_ones_own_checkers_are_dark_where_one_wants_them_so_and_play_alike(club: Club) -> None:
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view, boards="checkers:dark")
    assert place(page, 8).locator("use").first.get_attribute("href") == "#bd-d"
    assert page.get_by_role("img", name="dark checkers").count() == 1
    press(page, 8)
    assert place(page, 5).locator("use").first.get_attribute("href") == "#bd-d"
    press(page, 6)
    rest(page)
    submit(page).click()
    sent(page)
    assert club.plays(view, Side.WHITE) == ["8/5 6/5"]
