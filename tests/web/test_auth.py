"""Signing up, in and out by the pages, and the mailed links that let people in."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from bgmail.service import accounts, invitations, passwords
from bgmail.service.allowances import take
from bgmail.service.entrance import sign_in_claims
from bgmail.service.notices import Kind
from bgmail.service.terms import Handle, Terms
from bgmail.tokens import MatchClaim, Purpose
from bgmail.world import World
from tests.web.conftest import PASSWORD, Auth, Clock, Outbox, Visitor

HASHER_IN_USE = passwords._HASHER


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
        ({"handle": "a"}, "A handle has 2 to 20 signs."),
        ({"handle": "X\r\nBcc: victim@example.org"}, "A handle has 2 to 20 signs."),
        ({"handle": "X\nBcc"}, "A handle can't hold “U+000A”"),
        ({"handle": "admin"}, "“admin” would speak for the site."),
        ({"handle": "bob"}, "“bob” is taken, or looks too much like somebody else's handle."),
        ({"handle": "B0B"}, "“B0B” is taken"),
        ({"email": "alice"}, "That doesn't look like an e-mail address."),
        ({"email": "söder@bücher.example"}, "Letters can't be sent to “söder@…”"),
        ({"email": "a@example.org\r\nBcc: victim@example.org"}, "That doesn't look like an e-mail address."),
        ({"password": "short"}, "A password has at least 8 signs."),
        ({"password": "x" * 201}, "A password has at most 200 signs."),
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
    assert "That was tried too often. Please wait 59 min and try again." in visitor.text
    assert len(outbox.of("verify")) == 5


@pytest.mark.parametrize("name", ["Alice", "aLICE", "alice@example.org"])
def test_one_signs_in_by_handle_or_address(auth: Auth, visitor: Visitor, name: str) -> None:
    auth.person("Alice")
    answer = auth.sign_in(name)
    assert (answer.status_code, answer.location) == (303, "/")
    visitor.open("/settings")
    assert visitor.page.count("menu-name") == 1
    cookie = answer.headers["Set-Cookie"]
    assert "bgmail_login=" in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie


def test_known_and_unknown_names_are_answered_alike(auth: Auth, visitor: Visitor) -> None:
    auth.person("Alice")
    seen = set()
    for name in (
        "Alice",
        "Nobody",
        "alice@example.org",
        "nobody@example.org",
        "",
        "\x00",
        "söder@bücher.example",
    ):
        answer = auth.sign_in(name, "wrong password")
        seen.add((answer.status_code, visitor.text))
    assert len(seen) == 1
    assert "Handle, address or password are not right. Nobody was signed in." in visitor.text


@pytest.mark.slow
def test_the_time_of_an_answer_does_not_tell_who_exists(
    auth: Auth, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passwords, "_HASHER", HASHER_IN_USE)
    passwords._nobody.cache_clear()
    auth.person("Alice")
    spent: dict[str, list[float]] = {"Alice": [], "Nobody": []}
    visitor.get("/sign-in")
    for turn in range(25):
        for name, times in spent.items():
            shown = name if name == "Alice" else f"Nobody-{turn}"
            start = time.thread_time()
            answer = visitor.post("/sign-in", {"name": shown, "password": "wrong password"})
            times.append(time.thread_time() - start)
            assert answer.status_code == 422
    ratio = statistics.median(spent["Alice"]) / statistics.median(spent["Nobody"])
    assert 0.8 < ratio < 1.25


def test_too_many_failures_have_to_wait_known_or_not(
    auth: Auth, visitor: Visitor, clock: Clock, world: World
) -> None:
    auth.person("Alice")
    seen = []
    for name in ("Alice", "Nobody"):
        visitor.get("/sign-in")
        for _ in range(59):
            take(world.store, sign_in_claims(name, "127.0.0.1"), world.now())
        last = visitor.post("/sign-in", {"name": name, "password": "wrong password"})
        assert last.status_code == 422
        last = visitor.post("/sign-in", {"name": name, "password": PASSWORD})
        seen.append((last.status_code, last.headers["Retry-After"], visitor.text))
    assert seen[0] == seen[1]
    assert seen[0][:2] == (429, "3600")
    assert "That was tried too often. Please wait 1 h and try again." in visitor.text
    clock.move(hours=1)
    assert auth.sign_in("Alice").status_code == 303


@pytest.mark.parametrize("path", ["/reset", "/sign-in-link"])
def test_asking_for_links_is_limited_for_known_and_unknown_addresses_alike(
    auth: Auth, visitor: Visitor, outbox: Outbox, path: str, clock: Clock
) -> None:
    auth.person("Alice")
    seen = {}
    for name in ("alice", "nobody"):
        answers = []
        for _ in range(7):
            clock.move(seconds=1)
            visitor.get(path)
            answer = visitor.post(path, {"email": f"{name}@example.org"})
            answers.append((answer.status_code, answer.location, answer.headers.get("Retry-After")))
            if len(answers) == 1:
                visitor.open("/sign-in")
                said = f"If somebody here has the address {name}@example.org, a letter is on its way to it."
                assert said in visitor.text
        seen[name] = answers
    assert seen["alice"] == seen["nobody"]
    assert [status for status, _, _ in seen["alice"]] == [303] * 5 + [429] * 2
    assert len(outbox.letters()) == 5


def test_a_mailed_link_signs_in_once(auth: Auth, visitor: Visitor, other: Visitor, outbox: Outbox) -> None:
    auth.person("Alice", None)
    visitor.get("/sign-in-link")
    visitor.post("/sign-in-link", {"email": "Alice@example.org"})
    url = outbox.last().url
    assert url is not None
    for _ in range(10):
        assert visitor.get(url).status_code == 200
        assert visitor.client.head(url).status_code == 200
    assert "Sign in as Alice" in visitor.text
    assert visitor.post(url).location == "/"
    visitor.open("/settings")
    assert "Where you are signed in" in visitor.text
    assert other.get(url).status_code == 410
    assert "This link was used already: it works once." in other.text


@pytest.mark.parametrize(
    ("kind", "path", "lasts"),
    [
        (Kind.SIGN_IN, "/sign-in-link", {"hours": 2}),
        (Kind.RESET, "/reset", {"hours": 2}),
        (Kind.VERIFY, "/sign-up", {"days": 7}),
    ],
)
def test_a_link_is_good_for_its_time_and_not_longer(
    auth: Auth,
    visitor: Visitor,
    outbox: Outbox,
    clock: Clock,
    kind: Kind,
    path: str,
    lasts: dict[str, float],
) -> None:
    if kind is Kind.VERIFY:
        auth.sign_up("Alice")
    else:
        auth.person("Alice")
        visitor.get(path)
        visitor.post(path, {"email": "alice@example.org"})
    url = outbox.last().url
    assert url is not None
    clock.move(**lasts)
    assert visitor.get(url).status_code == 200
    clock.move(minutes=2)
    assert visitor.get(url).status_code == 410
    assert "This link is too old." in visitor.text
    assert visitor.post(url).status_code in (400, 410)


@pytest.mark.parametrize("path", ["/reset/", "/sign-in-link/", "/verify/", "/invitation/"])
def test_a_link_that_is_not_ours_is_told_so(
    visitor: Visitor, sign: Callable[[Purpose, Any], str], path: str
) -> None:
    for token in ("x", "WzEsMF0.x.y", "%00", "ä", sign(Purpose.UNSUBSCRIBE, [1, 0]), "a" * 3000):
        assert visitor.get(path + token).status_code == 404
        assert "This link isn't whole" in visitor.text
    purpose = {"/reset/": Purpose.RESET, "/sign-in-link/": Purpose.SIGN_IN, "/verify/": Purpose.VERIFY}.get(
        path
    )
    for payload in ([7, 0], [7, "nobody@example.org"], {"id": 7}, None, "x"):
        token = sign(purpose or Purpose.INVITATION, payload)
        assert visitor.get(path + token).status_code in (404, 410)


def test_a_reset_uses_the_recipe_of_sign_in_and_its_link_dies(
    auth: Auth, visitor: Visitor, other: Visitor, outbox: Outbox
) -> None:
    auth.person("Alice")
    auth.sign_in("Alice", visitor=other)
    visitor.get("/reset")
    visitor.post("/reset", {"email": "alice@example.org"})
    url, new = outbox.last().url, " ß€♟ thirty signs in all......"
    assert url is not None
    assert len(new) == 30
    visitor.get(url)
    assert visitor.post(url, {"password": "short"}).status_code == 422
    assert visitor.post(url, {"password": new}).location == "/sign-in"
    assert auth.sign_in("Alice", new).location == "/"
    auth.sign_out()
    assert auth.sign_in("Alice", PASSWORD).status_code == 422
    assert visitor.get(url).status_code == 410
    visitor.get("/sign-in")
    assert visitor.post(url, {"password": "another password"}).status_code == 410
    assert auth.sign_in("Alice", new).location == "/"
    assert other.get("/settings").location == "/sign-in?next=/settings"


@pytest.mark.parametrize(
    "asked",
    [
        "//evil.example",
        "////evil.example",
        "/\\evil.example",
        "/%09/evil.example",
        "/%2F/evil.example",
        "/%5Cevil.example",
        "/\t/evil.example",
        "https:\\\\evil.example",
        " https://evil.example",
        "https://evil.example/",
        "javascript:alert(1)",
        "evil.example",
        "\r\nLocation: //evil.example",
        "",
    ],
)
def test_where_to_go_after_signing_in_stays_on_this_site(auth: Auth, visitor: Visitor, asked: str) -> None:
    auth.person("Alice")
    assert auth.sign_in("Alice", next=asked).location == "/"
    assert visitor.get("/sign-in", query_string={"next": asked}).location == "/"


def test_a_page_of_this_site_is_gone_back_to(auth: Auth, visitor: Visitor) -> None:
    auth.person("Alice")
    assert auth.sign_in("Alice", next="/match/42?x=//ok").location == "/match/42?x=//ok"
    assert visitor.get("/sign-in", query_string={"next": "/match/42?x=//ok"}).location == "/match/42?x=//ok"


def test_who_is_not_signed_in_comes_back_after_signing_in(auth: Auth, visitor: Visitor) -> None:
    auth.person("Alice")
    asked = visitor.get("/settings?x=1").location
    assert asked == "/sign-in?next=/settings?x%3D1"
    visitor.open(asked)
    assert 'name="next" value="/settings?x=1"' in visitor.page


def test_a_planted_session_is_not_signed_in_and_nothing_of_it_stays(
    app: Flask, auth: Auth, visitor: Visitor, other: Visitor
) -> None:
    auth.person("Alice")
    auth.person("Charlie")
    auth.sign_in("Charlie", visitor=other)
    other.open("/settings")
    planted = other.client.get_cookie("bgmail_login")
    form = other.client.get_cookie("bgmail_form")
    assert planted is not None
    assert form is not None
    visitor.client.set_cookie("bgmail_form", form.value, domain="localhost")
    visitor.client.set_cookie("bgmail_login", planted.value, domain="localhost")
    visitor.get("/reset")
    before = visitor.token
    answer = visitor.post("/sign-in", {"name": "Alice", "password": PASSWORD})
    assert answer.status_code == 303
    mine = visitor.client.get_cookie("bgmail_login")
    assert mine is not None
    assert mine.value != planted.value
    visitor.open("/settings")
    assert "Alice" in visitor.text
    assert visitor.token != before
    assert other.get("/settings").status_code == 303, "the planted session has ended"
    visitor.page = visitor.page.replace(visitor.token, before)
    assert visitor.post("/settings/notices/hours").status_code == 400


def test_signing_out_ends_the_session_and_not_only_the_cookie(
    auth: Auth, visitor: Visitor, other: Visitor
) -> None:
    auth.person("Alice")
    auth.sign_in("Alice")
    kept = visitor.client.get_cookie("bgmail_login")
    assert kept is not None
    assert auth.sign_out().location == "/"
    other.client.set_cookie("bgmail_login", kept.value, domain="localhost")
    answer = other.get("/settings")
    assert answer.location == "/sign-in?next=/settings"
    assert "bgmail_login=;" in answer.headers["Set-Cookie"]


def test_a_ban_holds_from_the_next_request_on(
    auth: Auth, visitor: Visitor, other: Visitor, outbox: Outbox, world: World
) -> None:
    alice = auth.person("Alice")
    for one in (visitor, other):
        auth.sign_in("Alice", visitor=one)
    stranger = Visitor(visitor.app)
    stranger.get("/reset")
    stranger.post("/reset", {"email": "alice@example.org"})
    url = outbox.last().url
    assert url is not None
    accounts.ban(world.store, alice.id, world.now())
    assert visitor.get("/settings").status_code == other.get("/settings").status_code == 303
    assert stranger.get(url).status_code == 410
    assert "This account is closed." in stranger.text
    assert auth.sign_in("Alice", visitor=stranger).status_code == 422
    assert "This account is closed." in stranger.text


def test_a_ban_holds_for_reply_links_too(auth: Auth, visitor: Visitor, world: World) -> None:
    alice, bob = auth.person("Alice"), auth.person("Bob")
    offer = invitations.invite(world.store, alice.id, Terms(3), Handle("Bob"), "", world.now(), world.chance)
    view = invitations.accept(world.store, offer.id, bob.id, world.now(), world.chance)
    side = view.match.on_turn
    person = view.person(side) if side is not None else None
    assert side is not None
    assert person is not None
    claim = MatchClaim(
        view.id, int(side), view.version, view.head_hash[:12] if view.head == view.version else ""
    )
    url = f"/r/{world.signer.sign_claim(claim)}"
    assert visitor.get(url).status_code == 200
    accounts.ban(world.store, person.id, world.now())
    assert visitor.get(url).status_code == 403
    assert visitor.client.post(url, data={"action": "resign_match", "sure": "1"}).status_code in (400, 403)
    assert "This account is closed." in visitor.text
    accounts.unban(world.store, person.id)
    assert visitor.get(url).status_code == 200


def test_until_the_address_is_proven_no_stranger_is_written_to(
    auth: Auth, visitor: Visitor, outbox: Outbox
) -> None:
    auth.sign_up("Alice")
    visitor.open("/")
    assert "Letters can't reach you yet" in visitor.text
    visitor.get("/invite")
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
