"""A friend invited by mail: the link proves the address, a handle is all that is asked, and it works once."""

from __future__ import annotations

import pytest

from bgmail.service import accounts, invitations, matches
from bgmail.service.errors import NotFound
from bgmail.service.terms import Email, Terms
from bgmail.service.views import MatchView
from bgmail.world import World
from tests.web.conftest import Auth, Clock, Outbox, Visitor

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
    offer: MatchView, url: str, visitor: Visitor, world: World
) -> None:
    for _ in range(10):
        assert visitor.get(url).status_code == 200
        assert visitor.client.head(url).status_code == 200
    assert "Alice invites you to a match" in visitor.text
    assert "Fancy a game? &lt;script&gt;" in visitor.page
    assert black(world, offer) is None
    answer = visitor.post(url, {"handle": "Bob", "time_zone": "Europe/Paris", "answer": "accept"})
    assert (answer.status_code, answer.location) == (303, f"/match/{offer.id}")
    assert black(world, offer) == "Bob"
    bob = accounts.by_handle(world.store, "Bob")
    assert (bob.email, bob.has_password, bob.time_zone) == ("bob@example.org", False, "Europe/Paris")
    assert visitor.open("/settings").status_code == 200
    assert "You have none: links by mail let you in." in visitor.text


def test_the_link_works_once(
    offer: MatchView, url: str, visitor: Visitor, other: Visitor, world: World
) -> None:
    visitor.get(url)
    visitor.post(url, {"handle": "Bob", "answer": "accept"})
    assert other.get(url).status_code == 410
    assert "This invitation was accepted already: it works once." in other.text
    other.get("/sign-in")
    assert other.post(url, {"handle": "Charlie", "answer": "accept"}).status_code == 410
    assert other.get("/settings").status_code == 303
    with pytest.raises(NotFound):
        accounts.by_handle(world.store, "Charlie")
    assert visitor.get(url).location == f"/match/{offer.id}"


@pytest.mark.parametrize(
    ("handle", "sentence"),
    [
        ("", "A handle has 2 to 20 characters."),
        ("Alice", "“Alice” is taken"),
        ("staff", "would speak for the site"),
        ("<svg onload=alert(1)", "A handle can't hold “<”"),
    ],
)
def test_a_handle_that_cannot_be_changes_nothing(
    offer: MatchView, url: str, visitor: Visitor, world: World, handle: str, sentence: str
) -> None:
    visitor.get(url)
    assert visitor.post(url, {"handle": handle, "answer": "accept"}).status_code == 422
    assert sentence in visitor.text
    assert black(world, offer) is None
    with pytest.raises(NotFound):
        accounts.by_email(world.store, "bob@example.org")


def test_who_has_an_account_with_that_address_signs_in_to_use_it(
    offer: MatchView, url: str, auth: Auth, visitor: Visitor, world: World
) -> None:
    auth.person("Bob")
    visitor.get(url)
    assert "You are here already as Bob. Sign in to accept." in visitor.text
    assert visitor.post(url, {"handle": "Bobby", "answer": "accept"}).status_code == 422
    assert "Sign in with it instead." in visitor.text
    assert black(world, offer) is None
    assert auth.sign_in("Bob", next=url).location == url
    visitor.get(url)
    assert "You play as Bob." in visitor.text
    assert visitor.post(url, {"answer": "accept"}).location == f"/match/{offer.id}"
    assert black(world, offer) == "Bob"


def test_the_inviter_cannot_take_the_other_seat(
    offer: MatchView, url: str, auth: Auth, visitor: Visitor, world: World
) -> None:
    auth.sign_in("Alice")
    visitor.get(url)
    assert visitor.post(url, {"answer": "accept"}).status_code == 422
    assert "You can't play both sides" in visitor.text
    assert black(world, offer) is None


def test_no_thanks_needs_no_account(
    offer: MatchView, url: str, visitor: Visitor, world: World, outbox: Outbox
) -> None:
    visitor.get(url)
    assert visitor.post(url, {"answer": "decline"}).status_code == 200
    assert "You declined. Alice is told." in visitor.text
    assert outbox.last().kind == "declined"
    assert visitor.get(url).status_code == 410
    with pytest.raises(NotFound):
        accounts.by_email(world.store, "bob@example.org")


def test_an_invitation_is_over_after_fourteen_days_or_when_taken_back(
    offer: MatchView, url: str, visitor: Visitor, clock: Clock, world: World
) -> None:
    clock.move(days=14)
    assert visitor.get(url).status_code == 410
    assert "ran out after 14 days" in visitor.text
    clock.move(days=-13)
    assert offer.white is not None
    invitations.cancel(world.store, offer.id, offer.white.id, world.now(), world.chance)
    assert visitor.get(url).status_code == 410
    visitor.get("/sign-in")
    assert visitor.post(url, {"handle": "Bob", "answer": "accept"}).status_code == 410


def test_the_address_may_bring_its_account_to_be_by_link_only(
    offer: MatchView, url: str, auth: Auth, visitor: Visitor, world: World
) -> None:
    charlie = auth.person("Charlie")
    auth.sign_in("Charlie")
    assert visitor.get(f"/match/{offer.id}").status_code == 404
    assert charlie.id is not None
    assert visitor.get(url[:-2] + "xx").status_code == 404
