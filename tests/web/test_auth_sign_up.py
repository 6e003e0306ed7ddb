"""Joining, and the proof that an address is one's own."""

from __future__ import annotations

import pytest
from flask import Flask

from bgmail.service import accounts
from bgmail.world import World
from tests.web.conftest import PASSWORD, Auth, Clock, Outbox, Visitor


def test_signing_up_signs_in_and_sends_the_proof(auth: Auth, visitor: Visitor, outbox: Outbox) -> None:
    answer = auth.sign_up("Alice", time_zone="Europe/Berlin")
    assert (answer.status_code, answer.location) == (303, "/")
    visitor.open("/")
    assert "A letter is on its way to alice@example.org" in visitor.text
    letter = outbox.last()
    assert (letter.kind, letter.address) == ("verify", "alice@example.org")
    visitor.open("/settings")
    assert "No address is confirmed yet" in visitor.text
    assert "<option selected>Europe/Berlin</option>" in visitor.page


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"handle": "a"}, "A handle has 2 to 20 characters."),
        ({"handle": "X\r\nBcc: victim@example.org"}, "A handle has 2 to 20 characters."),
        ({"handle": "X\nBcc"}, "A handle can't hold “U+000A”"),
        ({"handle": "admin"}, "“admin” would speak for the site."),
        ({"handle": "bob"}, "“bob” is taken, or looks too much like somebody else's handle."),
        ({"handle": "B0B"}, "“B0B” is taken"),
        ({"email": "alice"}, "That doesn't look like an e-mail address."),
        ({"email": "söder@bücher.example"}, "Letters can't be sent to “söder@…”"),
        ({"email": "a@example.org\r\nBcc: victim@example.org"}, "That doesn't look like an e-mail address."),
        ({"password": "short"}, "A password has at least 8 characters."),
        ({"password": "x" * 201}, "A password has at most 200 characters."),
    ],
)
def test_a_refused_sign_up_says_why_and_keeps_what_was_typed(
    auth: Auth, visitor: Visitor, outbox: Outbox, fields: dict[str, str], sentence: str
) -> None:
    auth.person("Bob")
    answer = auth.sign_up(**({"handle": "Alice"} | fields))
    assert answer.status_code == 422
    assert sentence in visitor.text
    assert 'aria-invalid="true"' in visitor.page
    assert PASSWORD not in visitor.page
    assert outbox.letters() == []


def test_a_used_address_is_answered_like_a_fresh_one(
    app: Flask, auth: Auth, visitor: Visitor, other: Visitor, outbox: Outbox
) -> None:
    auth.person("Bob")
    fresh = auth.sign_up("Alice", "alice@example.org", visitor=visitor)
    used = auth.sign_up("Charlie", "bob@example.org", visitor=other)
    assert (fresh.status_code, fresh.location) == (used.status_code, used.location)
    for one, (name, address) in ((visitor, ("Alice", "alice")), (other, ("Charlie", "bob"))):
        one.open("/")
        one.page = one.page.replace(name, "NAME").replace(f"{address}@example.org", "ADDRESS")
    assert visitor.text == other.text
    assert [(letter.kind, letter.address) for letter in outbox.letters()] == [
        ("verify", "alice@example.org"),
        ("already_member", "bob@example.org"),
    ]


def test_the_link_of_the_proof_shows_a_button_and_only_that_acts(
    auth: Auth, visitor: Visitor, outbox: Outbox, world: World
) -> None:
    auth.sign_up("Alice")
    url = outbox.last().url
    assert url is not None
    scanner = Visitor(visitor.app)
    for _ in range(10):
        assert scanner.get(url).status_code == 200
        assert scanner.client.head(url).status_code == 200
    assert not accounts.by_handle(world.store, "Alice").verified
    assert "Letters for Alice will go to alice@example.org." in scanner.text
    answer = scanner.post(url)
    assert (answer.status_code, answer.location) == (303, "/sign-in")
    assert accounts.by_handle(world.store, "Alice").email == "alice@example.org"
    assert scanner.get(url).location == "/sign-in"
    scanner.open("/sign-in")
    assert "alice@example.org is confirmed" in scanner.text


def test_the_proof_can_be_asked_for_again(auth: Auth, visitor: Visitor, outbox: Outbox, clock: Clock) -> None:
    auth.sign_up("Alice")
    for minute in range(4):
        clock.move(seconds=1)
        visitor.open("/settings")
        assert visitor.post("/verify").location == "/settings", minute
    visitor.open("/settings")
    visitor.post("/verify")
    visitor.open("/settings")
    assert "That was tried too often. Please wait 59 minutes and try again." in visitor.text
    assert len(outbox.of("verify")) == 5


def test_until_the_address_is_proven_no_stranger_is_written_to(
    auth: Auth, visitor: Visitor, outbox: Outbox
) -> None:
    auth.sign_up("Alice")
    visitor.open("/")
    assert "Letters can't reach you yet" in visitor.text
    visitor.open("/invite")
    assert "Confirm your own e-mail address first" in visitor.text
    assert "A friend without an account gets a letter" not in visitor.text
    wish = {
        "to": "person",
        "opponent": "friend@example.org",
        "length": "7",
        "time": "move-a-day",
        "rules": "club",
    }
    assert visitor.post("/invite", wish).status_code == 422
    assert "Confirm your own e-mail address first" in visitor.text
    assert outbox.of("invitation") == []
    url = outbox.last().url
    assert url is not None
    visitor.get(url)
    visitor.post(url)
    visitor.get("/invite")
    assert visitor.post("/invite", wish).status_code == 303
    assert [letter.address for letter in outbox.of("invitation")] == ["friend@example.org"]
    visitor.open("/")
    assert "Letters can't reach you yet" not in visitor.text
