"""A play laid out on one device waits on the other, and is sent only by Submit."""

from __future__ import annotations

import pytest

from bgmail.service import sketches
from tests.browser.clubroom import Club, Side
from tests.browser.test_board_hands import DESK, LEFT, PHONE, RIGHT, press
from tests.browser.test_match_play import rest, said, sent

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
