"""People in a browser: found, followed, muted and blocked; and an account that is closed; wide and on a phone."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from bgmail.rules.side import Side
from bgmail.service import accounts, logins, matches
from bgmail.service.tournaments import seasons, series
from bgmail.service.tournaments.series import Founding, Kind
from tests.browser.clubroom import Club
from tests.browser.objections import objections
from tests.service.rated import beats, rank, rate_all

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow

SIZES = [pytest.param(1280, 800, id="desktop"), pytest.param(390, 844, id="phone")]


def faults(page: Page) -> list[str]:
    """What axe finds, and whether something sticks out sideways."""
    found = objections(page)
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return found + ["too wide"] * wide


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_somebody_is_found_followed_muted_and_blocked_by_keyboard(
    club: Club, width: int, height: int
) -> None:
    view = club.begin((3, 1))
    matches.say(club.world.store, view, 2, "hurry up", club.now())
    page = club.context(Side.WHITE, view, viewport={"width": width, "height": height}).new_page()
    page.goto(f"{club.url}/people")
    page.get_by_label("Find somebody").fill("B0")
    page.keyboard.press("Enter")
    found = page.get_by_role("link", name="bob")
    expect(found).to_be_visible()
    assert faults(page) == []
    found.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="bob", exact=True)).to_be_visible()
    for button, told in (("Follow", "You follow bob."), ("Mute", "What bob says is folded for you.")):
        page.get_by_role("button", name=button, exact=True).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_text(told)).to_be_visible()
    assert faults(page) == []
    page.goto(f"{club.url}/people")
    expect(page.get_by_role("link", name="Look: alice – bob")).to_be_visible()
    assert faults(page) == []
    page.goto(f"{club.url}/match/{view.id}")
    expect(page.get_by_text("hurry up")).to_be_hidden()
    page.get_by_text("A line of bob, who is muted").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("hurry up")).to_be_visible()
    page.goto(f"{club.url}/u/bob")
    page.get_by_role("button", name="Block", exact=True).click()
    expect(page.get_by_text("bob is blocked, and isn't told.")).to_be_visible()
    expect(page.get_by_role("link", name="Invite bob")).to_have_count(0)
    page.goto(f"{club.url}/people")
    expect(page.get_by_role("heading", name="Blocked")).to_be_visible()
    assert faults(page) == []


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_stranger_looks_for_matches_to_watch(club: Club, width: int, height: int) -> None:
    view = club.begin((3, 1))
    page = club.context(None, view, viewport={"width": width, "height": height}).new_page()
    page.goto(club.url)
    page.get_by_role("link", name="Matches to watch").click()
    page.get_by_label("Player").fill("bob")
    page.get_by_label("Length").select_option("7 points")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_label("Player")).to_have_value("bob")
    assert faults(page) == []
    page.get_by_role("link", name="Look: alice – bob").click()
    expect(page.locator(".board svg").first).to_be_visible()
    expect(page.get_by_role("heading", name="Chat")).to_have_count(0)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_an_account_is_closed_and_its_data_taken_along_first(club: Club, width: int, height: int) -> None:
    view = club.begin((3, 1))
    page = club.context(Side.WHITE, view, viewport={"width": width, "height": height}).new_page()
    page.goto(f"{club.url}/settings")
    page.get_by_role("navigation", name="Settings").get_by_role("link", name="Close my account").click()
    page.locator("#close").get_by_role("link", name="Close my account").click()
    assert faults(page) == []
    page.get_by_role("link", name="Take your data along first").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "bgmail-alice.zip"
    page.goto(f"{club.url}/settings/close")
    page.get_by_label("Yes, close the account of alice for good.").check()
    page.get_by_role("button", name="Close my account").click()
    expect(page.get_by_text("Your account is closed. Thank you for playing.")).to_be_visible()
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    result = club.load(view).match.result
    assert result
    assert result.winner is Side.BLACK
    assert logins.sessions(club.world.store, 1, club.now()) == []


def test_ratings_and_leagues_can_be_read_by_everybody_light_and_dark_wide_and_narrow(club: Club) -> None:
    view, store, now = club.begin((3, 1)), club.world.store, club.now()
    people = {"alice": 1, "bob": 2}
    for days in range(3):
        beats(store, people, "alice", "bob", now - timedelta(days=9 - 3 * days))
    rate_all(store, now)
    rank(store, "a_name_of_20_letters", 1700, now)
    founding = Founding(Kind.LEAGUE, "Club league", {"length": 3, "machines": True}, size=2, moves=0, least=2)
    league = series.create(store, 1, founding, now)
    for account_id in people.values():
        series.join(store, league.id, account_id, league.digest, now, fair_play=True)
    seasons.step(store, now, club.world.chance)
    late = accounts.create(store, "machine_of_20_letter", None, None, now, is_bot=True).id
    series.join(store, league.id, late, league.digest, now, fair_play=True)
    page = club.context(Side.WHITE, view).new_page()
    page.emulate_media(reduced_motion="reduce")
    for path, scheme, width in (
        *(("/ratings", "light", 1280), ("/ratings", "dark", 320), ("/u/alice/rating", "light", 320)),
        *(("/u/alice/rating", "dark", 1280), ("/u/alice", "dark", 320)),
        *((f"/leagues/{league.id}", "dark", 320), ("/leagues", "light", 320), ("/leagues/new", "dark", 1280)),
        (f"/leagues/{league.id}/newcomers", "light", 320),
    ):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(f"{club.url}{path}")
        assert (path, scheme, faults(page)) == (path, scheme, [])
    page.goto(f"{club.url}/leagues/{league.id}")
    series.leave(store, league.id, people["bob"], now)
    expect(page.get_by_text("League, 2 members · season 1")).to_be_visible()  # the open page follows
    page.goto(f"{club.url}/u/alice")
    expect(page.get_by_role("img", name="Rating over time")).to_be_visible()
