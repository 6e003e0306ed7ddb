"""Signing in and out by the pages, and what a ban ends."""

from __future__ import annotations

import statistics
import time

import pytest
from flask import Flask

from bgmail.service import accounts, invitations
from bgmail.service.allowances import take
from bgmail.service.entrance import sign_in_claims
from bgmail.service.terms import Handle, Terms
from bgmail.tokens import MatchClaim
from bgmail.world import World
from tests.web.conftest import PASSWORD, Auth, Clock, Outbox, Visitor


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
    auth: Auth, visitor: Visitor, real_hashes: None
) -> None:
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
    assert 2 / 3 < ratio < 3 / 2, "a hash more or less would be half or twice the time, and more"


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
    assert "That was tried too often. Please wait 1 hour and try again." in visitor.text
    clock.move(hours=1)
    assert auth.sign_in("Alice").status_code == 303


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
