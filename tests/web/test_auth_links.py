"""Mailed links that let somebody in: each once, in its time, and told alike to known and unknown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bgmail.service.notices import Kind
from bgmail.tokens import Purpose
from tests.web.conftest import PASSWORD, Auth, Clock, Outbox, Visitor


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
