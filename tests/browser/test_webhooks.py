"""A webhook by hand: made, its secret shown, its calls looked at, deleted; its page sound in every width and light."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from bgmail.rules.side import Side
from bgmail.service import webhooks
from bgmail.service.webhooks import Call
from tests.browser.clubroom import Club
from tests.browser.test_pages import Look

pytestmark = pytest.mark.browser


def test_a_webhook_is_made_looked_at_and_deleted(club: Club) -> None:
    view = club.begin((3, 1))
    look = Look(club.context(Side.WHITE, view).new_page())
    page = look.page
    look.open(f"{club.url}/settings#webhooks")
    page.locator("#webhooks").get_by_role("link", name="To my webhooks").click()
    page.get_by_label("Address").fill("https://hooks.example.org/in")
    page.get_by_label("Name", exact=True).fill("my program")
    page.get_by_label("my time runs low").uncheck()
    page.get_by_label("For", exact=True).select_option(view.id)
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("heading", name="my program")).to_be_visible()
    assert view.white
    (made,) = webhooks.mine(club.world.store, view.white.id)
    assert "match.reminder" not in made.events
    assert made.match_id == view.id
    with club.world.store.write() as connection:
        for outcome, status, answered in (("status", 500, "<b>no</b> " * 90), ("timeout", None, "")):
            sent = '{"type":"match.turn","data":{"board":"' + "+--13--14" * 40 + '"}}'
            call = Call(0, 1, "msg_1_1_64", "match.turn", club.now(), 0.3, outcome, status, sent, answered)
            webhooks.note(connection, made.id, call, given_up=False)
    page.reload()
    page.get_by_text("What was sent and answered").last.click()
    expect(page.get_by_text("<b>no</b>").first).to_be_visible()
    assert look.faults() == []
    page.get_by_role("button", name="Show the secret").click()
    expect(page.get_by_text(made.secret)).to_be_visible()
    assert look.faults() == []
    page.get_by_role("button", name="Delete this webhook").click()
    expect(page.get_by_text("The webhook is deleted.")).to_be_visible()
    assert look.faults() == []
