"""A person's page."""

from __future__ import annotations

from bgmail.service import accounts, invitations
from bgmail.service.terms import Handle, Terms
from bgmail.world import World
from tests.web.conftest import Auth, Visitor


def test_a_profile_tells_since_when_and_what_somebody_plays(
    auth: Auth, visitor: Visitor, world: World
) -> None:
    alice, bob = auth.person("Alice"), auth.person("Bob")
    offer = invitations.invite(world.store, alice.id, Terms(3), Handle("Bob"), "", world.now(), world.chance)
    assert visitor.get("/u/alice").status_code == 200
    assert "No match is running." in visitor.text
    assert "Here since 2026-03-02." in visitor.text
    invitations.accept(world.store, offer.id, bob.id, world.now(), world.chance)
    visitor.get("/u/Alice")
    assert "Matches: 0 won, 0 lost, 1 running." in visitor.text
    assert f'href="/match/{offer.id}"' in visitor.page
    assert 'href="/u/Bob"' in visitor.page
    assert "example.org" not in visitor.page
    assert "/invite" not in visitor.page


def test_somebody_else_can_be_invited_from_their_page(auth: Auth, visitor: Visitor) -> None:
    auth.person("Alice")
    auth.person("Bob")
    auth.sign_in("Alice")
    visitor.get("/u/Bob")
    assert 'href="/invite?opponent=Bob"' in visitor.page
    visitor.get("/u/Alice")
    assert "/invite?opponent" not in visitor.page


def test_a_closed_account_says_so_and_is_not_invited(auth: Auth, visitor: Visitor, world: World) -> None:
    auth.person("Alice")
    bob = auth.person("Bob")
    accounts.ban(world.store, bob.id, world.now())
    auth.sign_in("Alice")
    visitor.get("/u/Bob")
    assert "This account is closed." in visitor.text
    assert "/invite?opponent" not in visitor.page


def test_a_look_alike_is_not_the_person(auth: Auth, visitor: Visitor) -> None:
    auth.person("Alice")
    assert visitor.get("/u/a1ice").status_code == 404
