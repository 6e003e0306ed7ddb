"""A newcomer alone: from the first page to moves answered by the house, without a reload."""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from bgmail.ledger.entry import Entry
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import matches, turns
from bgmail.service.views import MatchView
from bgmail.store.engine import Store
from tests.browser.clubroom import Club
from tests.browser.test_match_play import rest, submit
from tests.browser.test_whole_match import Player, play_by_hand, racing, sign_up
from tests.browser.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.fixtures.browsers import NewContext
    from tests.fixtures.servers import StartServer

pytestmark = pytest.mark.slow

HOUSE_PLAYS = 3


def test_a_newcomer_plays_the_house_and_is_answered(
    start_server: StartServer, new_context: NewContext
) -> None:
    server = start_server("dev", "--port", "0", "--no-demo")
    alice = Player("alice", new_context().new_page(), server)
    sign_up(alice)
    with closing(Store(f"sqlite:///{server.folder / 'bgmail.db'}")) as store:
        log = play_the_house(alice.page, f"{server.url}/", store)
    accepted = next(entry for entry in log if entry.kind == "accept")
    assert accepted.nonce
    assert "server_nonce" not in accepted.data


def test_a_double_of_the_house_is_taken_and_the_question_before_it_confirmed(club: Club) -> None:
    # One match in five comes to it within three plays, where the others don't notice.
    view = club.begin((3, 1), (6, 5), (2, 1))
    club.act(view, Side.WHITE, "play", play="8/5 6/5")
    view = club.act(view, Side.BLACK, "double")
    page = club.open(Side.WHITE, view, boards="")
    answer(page, view)
    until(page, lambda: club.load(view).version != view.version)
    assert club.load(view).match.cube.owner is Side.WHITE


def play_the_house(page: Page, home: str, store: Store) -> list[Entry]:
    """Begins a match from the home page and plays a few turns; the log then."""
    page.goto(home)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/match/*")  # and the scripts have run
    expect(page.get_by_text("House").first).to_be_visible()
    expect(page.get_by_text("machine", exact=True).first).to_be_visible()
    match_id = page.url.rsplit("/", 1)[1]
    while len(plays(matches.log(store, match_id), "white")) < HOUSE_PLAYS:
        view = own_turn(page, store, match_id)
        expect(page.locator("[data-part=state]")).to_have_attribute("data-mark", re.compile(f"^{view.head}-"))
        answer(page, view)
        until(page, lambda view=view: turns.load(store, match_id).version != view.version)
    return matches.log(store, match_id)


def plays(log: list[Entry], seat: str) -> list[str]:
    return [entry.data["play"] for entry in log if entry.kind == "play" and entry.seat == seat]


def own_turn(page: Page, store: Store, match_id: str) -> MatchView:
    """The match once the house has answered."""
    until(page, lambda: turns.load(store, match_id).match.on_turn is Side.BLACK)
    return turns.load(store, match_id)


def answer(page: Page, view: MatchView) -> None:
    """Does what is asked, on the page that stays open."""
    if view.match.phase is Phase.TAKE_OR_PASS:
        page.get_by_role("button", name="Take", exact=True).click()
        page.get_by_role("dialog").get_by_role("button", name="Take").click()
    elif view.match.phase is Phase.ROLL_OR_DOUBLE:
        page.get_by_role("button", name="Roll", exact=True).click()
    else:
        play_by_hand(page, racing(view))
        rest(page)
        submit(page).click()
