"""A form acts for who sent it from a page of ours, and for nobody else."""

from __future__ import annotations

import pytest
from flask import Flask

from bgmail.service import logins
from bgmail.world import World
from tests.web.conftest import PASSWORD, Auth, Visitor


def test_a_form_without_its_token_is_refused_with_a_sentence(auth: Auth, visitor: Visitor) -> None:
    auth.person("Alice")
    visitor.get("/sign-in")
    visitor.page = ""
    assert visitor.post("/sign-in", {"name": "Alice", "password": PASSWORD}).status_code == 400
    assert "This page was open for too long, or its form came from elsewhere." in visitor.text
    assert visitor.get("/settings").status_code == 303


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "https://localhost.evil.example"},
    ],
)
def test_a_form_sent_by_another_site_is_refused_even_with_a_token(
    auth: Auth, visitor: Visitor, headers: dict[str, str]
) -> None:
    auth.person("Alice")
    visitor.get("/sign-in")
    answer = visitor.post("/sign-in", {"name": "Alice", "password": PASSWORD}, headers=headers)
    assert answer.status_code == 403
    assert "That was sent from a page of another site." in visitor.text


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "http://localhost"},
        {"Origin": "null"},  # what pages without a referrer send
    ],
)
def test_our_own_forms_are_taken(auth: Auth, visitor: Visitor, headers: dict[str, str]) -> None:
    auth.person("Alice")
    visitor.get("/sign-in")
    answer = visitor.post("/sign-in", {"name": "Alice", "password": PASSWORD}, headers=headers)
    assert answer.status_code == 303


def test_the_cookie_of_a_session_does_nothing_for_another_site_at_the_api(
    auth: Auth, visitor: Visitor
) -> None:
    auth.person("Alice")
    auth.sign_in("Alice")
    answer = visitor.client.post("/api/v1/matches", json={}, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
    assert answer.mimetype == "application/problem+json"


def test_a_program_with_a_token_needs_no_form(auth: Auth, visitor: Visitor, world: World) -> None:
    alice = auth.person("Alice")
    token = logins.create_token(world.store, alice.id, "script", world.now())
    headers = {"Authorization": f"Bearer {token}", "Origin": "https://elsewhere.example"}
    assert visitor.client.post("/api/v1/matches", json={}, headers=headers).status_code == 422


def test_on_a_page_a_header_of_programs_opens_no_way_around_the_form(auth: Auth, visitor: Visitor) -> None:
    auth.person("Alice")
    visitor.get("/sign-in")
    visitor.page = ""
    answer = visitor.post(
        "/sign-in", {"name": "Alice", "password": PASSWORD}, headers={"Authorization": "Basic eDp5"}
    )
    assert answer.status_code == 400


def test_every_post_of_every_page_asks_for_its_token(app: Flask, visitor: Visitor, auth: Auth) -> None:
    """Whatever page is added later stands behind the guard as well."""
    auth.person("Alice")
    auth.sign_in("Alice")
    signed = {"inbox.receive", "inbox.reported"}
    open_to_all = {
        "letters.unsubscribe",
        "look.choose",
        "language.choose",
        "reply.act",
        "push.moved",
        *signed,
    }
    asked = 0
    for rule in app.url_map.iter_rules():
        if (
            "POST" not in (rule.methods or ())
            or rule.endpoint in open_to_all
            or rule.rule.startswith("/api/")
        ):
            continue
        values = dict.fromkeys(rule.arguments, 1)
        with app.test_request_context():
            path = app.url_map.bind("localhost").build(rule.endpoint, values, method="POST")
        assert visitor.client.post(path).status_code == 400, rule.endpoint
        asked += 1
    assert asked > 15
