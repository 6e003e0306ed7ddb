"""A play laid out on one device waits on the other, and is sent only by Submit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bgmail.service import sketches
from tests.browser.clubroom import Club, Side
from tests.browser.test_board_hands import DESK, LEFT, PHONE, RIGHT, press
from tests.browser.test_match_play import rest, said, sent
from tests.browser.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = pytest.mark.slow


def test_a_play_laid_out_at_the_desk_is_sent_from_the_phone(club: Club) -> None:
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view, boards="", **DESK)
    press(page, 6, RIGHT)
    with page.expect_response("**/sketch") as kept:
        press(page, 8, LEFT)
    assert kept.value.status == 204
    phone = club.open(Side.WHITE, view, boards="", **PHONE)
    assert said(phone) == "8/5 6/5: not sent yet. Submit it, or undo."
    assert club.load(view).version == view.version
    rest(phone)
    phone.locator("[data-submit]").tap()
    sent(phone)
    assert club.plays(view, Side.WHITE) == ["8/5 6/5"]


def test_the_last_step_is_kept_however_late_the_script_that_keeps_it_comes(club: Club) -> None:
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view, boards="", **DESK)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/sketch.js?*", hold)
    for _ in range(4):
        press(page, 6, RIGHT)
        page.keyboard.press("u")
    press(page, 6, RIGHT)
    press(page, 8, LEFT)
    until(page, lambda: held)
    with page.expect_response("**/sketch"):
        held[0].continue_()
    alice = club.load(view).white
    assert alice is not None
    assert sketches.find(club.world.store, club.load(view), alice.id) == "8/5 6/5"


def test_what_is_taken_up_again_is_forgotten(club: Club) -> None:
    view = club.begin((3, 1))
    page = club.open(Side.WHITE, view, boards="", **DESK)
    press(page, 6, RIGHT)
    with page.expect_response("**/sketch"):
        press(page, 8, LEFT)
    with page.expect_response("**/sketch"):
        page.keyboard.press("u")
    alice = club.load(view).white
    assert alice is not None
    assert sketches.find(club.world.store, club.load(view), alice.id) == ""
