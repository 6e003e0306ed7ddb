"""A friend invited by mail: the link proves the address, a handle is all that is asked, and it works once."""

from __future__ import annotations

import pytest

from bgmail.service import accounts, invitations, matches
from bgmail.service.errors import NotFound
from bgmail.service.terms import Email, Terms
from bgmail.service.views import MatchView
from bgmail.world import World
from tests.web.conftest import Auth, Browser, Clock, Outbox

MESSAGE = "Fancy a game? <script>alert(1)</script>"


@pytest.fixture
def offer(auth: Auth, world: World) -> MatchView:
    alice = auth.person("Alice")
    to = Email("bob@example.org")
    return invitations.invite(world.store, alice.id, Terms(7), to, MESSAGE, world.now(), world.chance)


@pytest.fixture
def url(offer: MatchView, outbox: Outbox) -> str:
    found = outbox.of("invitation")[-1].url
    assert found is not None
    return found


def black(world: World, offer: MatchView) -> str | None:
    seated = matches.load(world.store, offer.id).black
    return seated.handle if seated else None


def test_a_friend_plays_with_nothing_but_a_handle(
    offer: MatchView, url: str, browser: Browser, world: World
) -> None:
    for _ in range(10):
        assert browser.get(url).status_code == 200
        assert browser.client.head(url).status_code == 200
    assert "Alice invites you to a match" in browser.text
    assert "Fancy a game? &lt;script&gt;" in browser.page
    assert black(world, offer) is None
    answer = browser.post(url, {"handle": "Bob", "time_zone": "Europe/Paris", "answer": "accept"})
    assert (answer.status_code, answer.location) == (303, f"/match/{offer.id}")
    assert black(world, offer) == "Bob"
    bob = accounts.by_handle(world.store, "Bob")
    assert (bob.email, bob.has_password, bob.time_zone) == ("bob@example.org", False, "Europe/Paris")
    assert browser.open("/settings").status_code == 200
    assert "You have none: links by mail let you in." in browser.text


def test_the_link_works_once(
    offer: MatchView, url: str, browser: Browser, other: Browser, world: World
) -> None:
    browser.get(url)
    browser.post(url, {"handle": "Bob", "answer": "accept"})
    assert other.get(url).status_code == 410
    assert "This invitation was accepted already: it works once." in other.text
    other.get("/sign-in")
    assert other.post(url, {"handle": "Charlie", "answer": "accept"}).status_code == 410
    assert other.get("/settings").status_code == 303
    with pytest.raises(NotFound):
        accounts.by_handle(world.store, "Charlie")
    assert browser.get(url).location == f"/match/{offer.id}"


@pytest.mark.parametrize(
    ("handle", "sentence"),
    [
        ("", "A handle has 2 to 20 signs."),
        ("Alice", "“Alice” is taken"),
        ("staff", "would speak for the site"),
        ("<svg onload=alert(1)", "A handle can't hold “<”"),
    ],
)
def test_a_handle_that_cannot_be_changes_nothing(
    offer: MatchView, url: str, browser: Browser, world: World, handle: str, sentence: str
) -> None:
    browser.get(url)
    assert browser.post(url, {"handle": handle, "answer": "accept"}).status_code == 422
    assert sentence in browser.text
    assert black(world, offer) is None
    with pytest.raises(NotFound):
        accounts.by_email(world.store, "bob@example.org")


def test_who_has_an_account_with_that_address_signs_in_to_use_it(
    offer: MatchView, url: str, auth: Auth, browser: Browser, world: World
) -> None:
    auth.person("Bob")
    browser.get(url)
    assert "You are here already as Bob. Sign in to accept." in browser.text
    assert browser.post(url, {"handle": "Bobby", "answer": "accept"}).status_code == 422
    assert "Sign in with it instead." in browser.text
    assert black(world, offer) is None
    assert auth.sign_in("Bob", next=url).location == url
    browser.get(url)
    assert "You play as Bob." in browser.text
    assert browser.post(url, {"answer": "accept"}).location == f"/match/{offer.id}"
    assert black(world, offer) == "Bob"


def test_the_inviter_cannot_take_the_other_seat(
    offer: MatchView, url: str, auth: Auth, browser: Browser, world: World
) -> None:
    auth.sign_in("Alice")
    browser.get(url)
    assert browser.post(url, {"answer": "accept"}).status_code == 422
    assert "You can't play both sides" in browser.text
    assert black(world, offer) is None


def test_no_thanks_needs_no_account(
    offer: MatchView, url: str, browser: Browser, world: World, outbox: Outbox
) -> None:
    browser.get(url)
    assert browser.post(url, {"answer": "decline"}).status_code == 200
    assert "You declined. Alice is told." in browser.text
    assert outbox.last().kind == "declined"
    assert browser.get(url).status_code == 410
    with pytest.raises(NotFound):
        accounts.by_email(world.store, "bob@example.org")


def test_an_invitation_is_over_after_fourteen_days_or_when_taken_back(
    offer: MatchView, url: str, browser: Browser, clock: Clock, world: World
) -> None:
    clock.move(days=14)
    assert browser.get(url).status_code == 410
    assert "ran out after 14 days" in browser.text
    clock.move(days=-13)
    assert offer.white is not None
    invitations.cancel(world.store, offer.id, offer.white.id, world.now(), world.chance)
    assert browser.get(url).status_code == 410
    browser.get("/sign-in")
    assert browser.post(url, {"handle": "Bob", "answer": "accept"}).status_code == 410


def test_the_address_may_bring_its_account_to_be_by_link_only(
    offer: MatchView, url: str, auth: Auth, browser: Browser, world: World
) -> None:
    charlie = auth.person("Charlie")
    auth.sign_in("Charlie")
    assert browser.get(f"/match/{offer.id}").status_code == 404
    assert charlie.id is not None
    assert browser.get(url[:-2] + "xx").status_code == 404
