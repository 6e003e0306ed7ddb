"""The board as one wants it and as the screen has room: upright on a phone, in its colours, from the menu."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from bgmail.rules.match import Phase
from tests.browser.clubroom import Club, Side
from tests.browser.objections import objections_light_and_dark
from tests.browser.test_board_hands import DESK, PHONE, SMALL, press, tap
from tests.browser.test_match_play import drag, place, rest, said, sent, submit

pytestmark = pytest.mark.slow

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
def test_axe_finds_nothing_with_any_colours_upright_or_not(club: Club, theme: str) -> None:
    view = club.begin((3, 1))
    for look in (DESK, {"viewport": {"width": 390, "height": 844}}):
        page = club.open(Side.WHITE, view, boards=f"theme:{theme}", bypass_csp=True, **look)
        assert f"bd-{theme}" in (page.locator("svg.bd[role=group]").get_attribute("class") or "")
        assert objections_light_and_dark(page) == []
        page.goto(f"{club.url}/look")
        assert objections_light_and_dark(page) == []


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
