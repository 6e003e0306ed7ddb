"""A person's page."""

from __future__ import annotations

from bgmail.service import accounts, invitations
from bgmail.service.terms import Handle, Terms
from bgmail.world import World
from tests.web.conftest import Auth, Browser


def test_a_profile_tells_since_when_and_what_somebody_plays(
    auth: Auth, browser: Browser, world: World
) -> None:
    alice, bob = auth.person("Alice"), auth.person("Bob")
    offer = invitations.invite(world.store, alice.id, Terms(3), Handle("Bob"), "", world.now(), world.chance)
    assert browser.get("/u/alice").status_code == 200
    assert "No match is running." in browser.text
    assert "Here since 2026-03-02." in browser.text
    invitations.accept(world.store, offer.id, bob.id, world.now(), world.chance)
    browser.get("/u/Alice")
    assert "Matches: 0 won, 0 lost, 1 running." in browser.text
    assert f'href="/match/{offer.id}"' in browser.page
    assert 'href="/u/Bob"' in browser.page
    assert "example.org" not in browser.page
    assert "/invite" not in browser.page


def test_somebody_else_can_be_invited_from_their_page(auth: Auth, browser: Browser) -> None:
    auth.person("Alice")
    auth.person("Bob")
    auth.sign_in("Alice")
    browser.get("/u/Bob")
    assert 'href="/invite?opponent=Bob"' in browser.page
    browser.get("/u/Alice")
    assert "/invite?opponent" not in browser.page


def test_a_closed_account_says_so_and_is_not_invited(auth: Auth, browser: Browser, world: World) -> None:
    auth.person("Alice")
    bob = auth.person("Bob")
    accounts.ban(world.store, bob.id, world.now())
    auth.sign_in("Alice")
    browser.get("/u/Bob")
    assert "This account is closed." in browser.text
    assert "/invite?opponent" not in browser.page


def test_a_look_alike_is_not_the_person(auth: Auth, browser: Browser) -> None:
    auth.person("Alice")
    assert browser.get("/u/a1ice").status_code == 404
