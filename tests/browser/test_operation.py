"""The operator's page, and what people read whose letters come back: narrow and wide, light and dark, asked by axe."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bgmail.rules.side import Side
from bgmail.service import accounts, bounces
from tests.browser.objections import objections_light_and_dark

if TYPE_CHECKING:
    from tests.browser.clubroom import Club

pytestmark = pytest.mark.slow

SAID = "550 5.1.1 <alice@play.example>: Recipient address rejected: User unknown in virtual mailbox table"


@pytest.mark.parametrize("code", ["en", "de"])
def test_axe_finds_nothing_and_nothing_is_too_wide(club: Club, code: str) -> None:
    view = club.begin((3, 1))
    store = club.world.store
    alice = accounts.by_handle(store, "alice").id
    accounts.set_staff(store, alice, is_staff=True)
    accounts.set_language(store, alice, code)
    bounces.refuse(store, "alice@play.example", SAID, club.world.now())
    page = club.open(Side.WHITE, view, bypass_csp=True, viewport={"width": 320, "height": 700})
    for path in ("/operator", "/", "/settings/notices"):
        page.goto(f"{club.url}{path}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert objections_light_and_dark(page) == [], path
