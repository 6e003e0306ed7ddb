"""The settings page: each form does one thing, for its own person only."""

from __future__ import annotations

import re

import pytest

from bgmail.service import accounts, admission, logins
from bgmail.web.browsers import browser_name
from bgmail.world import World
from tests.web.conftest import PASSWORD, Auth, Outbox, Visitor
from tests.web.test_queue import statements


@pytest.fixture
def alice(auth: Auth, visitor: Visitor) -> accounts.Account:
    account = auth.person("Alice")
    auth.sign_in("Alice")
    visitor.open("/settings")
    return account


def test_the_time_zone_is_chosen_from_those_that_exist(
    alice: accounts.Account, visitor: Visitor, world: World
) -> None:
    assert visitor.post("/settings/time-zone", {"time_zone": "Asia/Tokyo"}).location == "/settings#zone"
    assert accounts.by_id(world.store, alice.id).time_zone == "Asia/Tokyo"
    visitor.open("/settings")
    assert visitor.post("/settings/time-zone", {"time_zone": "Mars/Base"}).status_code == 422
    assert "There is no time zone called “Mars/Base”." in visitor.text
    assert accounts.by_id(world.store, alice.id).time_zone == "Asia/Tokyo"


def test_a_password_is_changed_by_who_knows_the_old_one(
    alice: accounts.Account, visitor: Visitor, auth: Auth
) -> None:
    assert (
        visitor.post("/settings/password", {"old": "wrong one", "password": "a new one"}).status_code == 422
    )
    assert "That isn't your present password." in visitor.text
    assert visitor.post("/settings/password", {"old": PASSWORD, "password": "short"}).status_code == 422
    assert "A password has at least 8 characters." in visitor.text
    assert visitor.post("/settings/password", {"old": PASSWORD, "password": "a new one"}).status_code == 303
    assert visitor.get("/settings").status_code == 200
    auth.sign_out()
    assert auth.sign_in("Alice", PASSWORD).status_code == 422
    assert auth.sign_in("Alice", "a new one").status_code == 303


def test_a_new_address_is_proven_while_signed_in_and_the_old_one_told(
    alice: accounts.Account, visitor: Visitor, other: Visitor, outbox: Outbox, world: World
) -> None:
    assert visitor.post("/settings/address", {"email": "a@new.example", "old": "wrong"}).status_code == 422
    assert 'value="a@new.example"' in visitor.page
    assert visitor.post("/settings/address", {"email": "a@new.example", "old": PASSWORD}).status_code == 303
    visitor.open("/settings")
    assert "a@new.example waits to be confirmed" in visitor.text
    url = outbox.last().url
    assert url is not None
    other.get(url)
    answer = other.post(url)
    assert (answer.status_code, answer.location.startswith("/sign-in?next=/verify/")) == (303, True)
    assert accounts.by_id(world.store, alice.id).email == "alice@example.org"
    visitor.get(url)
    assert visitor.post(url).location == "/"
    assert accounts.by_id(world.store, alice.id).email == "a@new.example"
    told = outbox.last()
    assert (told.kind, told.address) == ("address_changed", "alice@example.org")


def test_a_change_of_address_can_be_withdrawn(
    alice: accounts.Account, visitor: Visitor, outbox: Outbox
) -> None:
    visitor.post("/settings/address", {"email": "a@new.example", "old": PASSWORD})
    url = outbox.last().url
    assert url is not None
    visitor.open("/settings")
    visitor.post("/settings/address", {"answer": "withdraw"})
    visitor.open("/settings")
    assert "waits to be confirmed" not in visitor.text
    assert visitor.get(url).status_code == 410
    assert "This link is not valid any more." in visitor.text


def test_a_token_is_shown_once_and_can_be_revoked(
    alice: accounts.Account, visitor: Visitor, world: World
) -> None:
    assert visitor.post("/settings/tokens", {"name": "  "}).status_code == 422
    assert "Give the token a name" in visitor.text
    answer = visitor.post("/settings/tokens", {"name": "my <b>script</b>"})
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    found = re.search(r'<code class="long">(bgm_[\w-]{43})</code>', visitor.page)
    assert found is not None
    holder = logins.by_token(world.store, found[1], world.now())
    assert holder is not None
    assert holder.id == alice.id
    visitor.open("/settings")
    assert found[1] not in visitor.page
    assert "my &lt;b&gt;script&lt;/b&gt;" in visitor.page
    (token,) = logins.tokens(world.store, alice.id)
    assert visitor.post(f"/settings/tokens/{token.id}/revoke").status_code == 303
    assert logins.by_token(world.store, found[1], world.now()) is None


def test_sessions_are_listed_and_ended_one_by_one(
    alice: accounts.Account, auth: Auth, visitor: Visitor, other: Visitor, world: World
) -> None:
    other.get("/sign-in")
    says = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605 Version/18.1 Safari/604"
    other.post("/sign-in", {"name": "Alice", "password": PASSWORD}, headers={"User-Agent": says})
    visitor.open("/settings")
    assert "Safari, iPhone" in visitor.text
    assert visitor.text.count("this one") == 1
    theirs = next(
        one for one in logins.sessions(world.store, alice.id, world.now()) if one.name == "Safari, iPhone"
    )
    assert visitor.post(f"/settings/sessions/{theirs.id}/end").status_code == 303
    assert other.get("/settings").status_code == 303
    assert visitor.get("/settings").status_code == 200


def test_charlie_ends_nothing_of_alice(
    alice: accounts.Account, auth: Auth, visitor: Visitor, other: Visitor, world: World
) -> None:
    logins.create_token(world.store, alice.id, "script", world.now())
    session, token = (
        logins.sessions(world.store, alice.id, world.now())[0],
        logins.tokens(world.store, alice.id)[0],
    )
    auth.person("Charlie")
    auth.sign_in("Charlie", visitor=other)
    other.open("/settings")
    for path in (f"sessions/{session.id}/end", f"tokens/{token.id}/revoke"):
        assert other.post(f"/settings/{path}").status_code == 422
        assert "has ended already" in other.text
    assert visitor.get("/settings").status_code == 200
    assert len(logins.tokens(world.store, alice.id)) == 1


@pytest.mark.parametrize("path", ["sessions/{}/end", "tokens/{}/revoke"])
def test_a_number_that_no_database_takes_is_not_found(
    alice: accounts.Account, auth: Auth, visitor: Visitor, path: str
) -> None:
    auth.sign_in("Alice")
    visitor.open("/settings")
    assert visitor.post(f"/settings/{path.format(10**20)}").status_code == 404


def test_signing_out_everywhere_ends_sessions_tokens_and_links(
    alice: accounts.Account, auth: Auth, visitor: Visitor, other: Visitor, outbox: Outbox, world: World
) -> None:
    auth.sign_in("Alice", visitor=other)
    token = logins.create_token(world.store, alice.id, "script", world.now())
    stranger = Visitor(visitor.app)
    stranger.get("/sign-in-link")
    stranger.post("/sign-in-link", {"email": "alice@example.org"})
    url = outbox.last().url
    assert url is not None
    visitor.open("/settings")
    assert visitor.post("/settings/sessions/end-all").location == "/sign-in"
    assert visitor.get("/settings").status_code == other.get("/settings").status_code == 303
    assert logins.by_token(world.store, token, world.now()) is None
    assert stranger.get(url).status_code == 410
    assert auth.sign_in("Alice").status_code == 303


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/time-zone",
        "/notices/hours",
        "/address",
        "/password",
        "/sessions/1/end",
        "/sessions/end-all",
        "/tokens",
    ],
)
def test_a_stranger_has_no_settings(visitor: Visitor, path: str) -> None:
    visitor.open("/sign-in")
    answer = visitor.post(f"/settings{path}") if path else visitor.get("/settings")
    assert answer.status_code == 303
    assert answer.location.startswith("/sign-in?next=/")


@pytest.mark.parametrize(
    ("says", "name"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"),
        (
            "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
            "Edge, Windows",
        ),
        (
            "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
            "Chrome, Android",
        ),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit Version/18 Safari/605", "Safari, Mac"),
        ("curl/8.1", "curl/8.1"),
        ("", ""),
    ],
)
def test_a_browser_is_called_by_its_name_and_system(says: str, name: str) -> None:
    assert browser_name(says) == name


def test_every_section_has_its_place_in_the_list_beside_it(
    alice: accounts.Account, visitor: Visitor, world: World
) -> None:
    sections = re.findall(r'<section class="card" id="([a-z]+)"', visitor.page)
    assert re.findall(r'<li><a href="#([a-z]+)"', visitor.page) == sections
    assert sections[-2:] == ["data", "close"]
    assert len(sections) == 16
    with statements(world) as seen:
        visitor.open("/settings")
    assert len(seen) <= 7, seen


def test_a_limit_of_matches_is_kept_and_taken_away(
    alice: accounts.Account, visitor: Visitor, world: World
) -> None:
    assert visitor.post("/settings/matches", {"most": "12"}).location == "/settings#matches"
    visitor.open("/settings")
    assert 'value="12"' in visitor.page
    assert visitor.post("/settings/matches", {"most": "none"}).status_code == 422
    assert "Write a whole number from 1 to 9999" in visitor.text
    assert 'value="none"' in visitor.page
    assert admission.most_of(world.store, alice.id) == 12
    visitor.post("/settings/matches", {"most": ""})
    assert admission.most_of(world.store, alice.id) is None
