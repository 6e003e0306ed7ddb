"""Whose name a request may ask for: hosts, forwarded hosts, proxies."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from flask import request as flask_request

from tests.web.conftest import Auth, Outbox, Visitor

PRODUCTION = {
    "production": True,
    "secret_key": "a key of at least sixteen signs",
    "base_url": "https://bg.example",
}


@pytest.fixture
def production(make_app: Callable[..., Flask]) -> Flask:
    return make_app(**PRODUCTION)


@pytest.mark.parametrize(
    "host", ["evil.example", "bg.example.evil.example", "bg.example@evil", "localhost", ""]
)
def test_a_foreign_host_is_refused_and_no_letter_written(production: Flask, host: str) -> None:
    client = production.test_client()
    for method in (client.get, client.post):
        answer = method("/reset", headers={"Host": host}, data={"email": "alice@example.org"})
        assert answer.status_code == 400
    assert Outbox(production).letters() == []


@pytest.mark.parametrize("host", ["bg.example", "BG.example", "bg.example:443"])
def test_the_configured_host_is_answered(production: Flask, host: str) -> None:
    assert production.test_client().get("/reset", headers={"Host": host}).status_code == 200


def test_forwarded_hosts_are_not_believed_and_links_use_the_settings(production: Flask) -> None:
    auth, visitor = Auth(production, Visitor(production)), Visitor(production)
    auth.person("Alice")
    forwarded = {"X-Forwarded-Host": "evil.example", "Forwarded": "host=evil.example"}
    visitor.get("/reset", base_url="https://bg.example")
    sent = {"base_url": "https://bg.example", "headers": {**forwarded, "Referer": "https://bg.example/reset"}}
    assert visitor.post("/reset", {"email": "alice@example.org"}, **sent).status_code == 303
    (letter,) = Outbox(production).letters()
    assert letter.url is not None
    assert letter.url.startswith("https://bg.example/reset/")


@pytest.mark.parametrize("host", ["127.0.0.1:5000", "localhost:5001", "[::1]:5000"])
def test_in_development_this_machine_is_answered_by_any_of_its_names(visitor: Visitor, host: str) -> None:
    assert visitor.get("/sign-in", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["a" * 300, f"{'a' * 64}.example", "-", "..", "é"])
@pytest.mark.parametrize("path", ["/", "/match/m", "/api/v1/me", "/nothing"])
def test_a_host_that_can_be_no_name_is_refused_without_a_fault(app: Flask, host: str, path: str) -> None:
    answer = app.test_client().get(path, headers={"Host": host})
    assert answer.status_code == 400
    assert "doesn't answer" in answer.get_data(as_text=True).replace("&#39;", "'")


@pytest.mark.parametrize("host", ["evil.example", "192.0.2.7", "127.0.0.1.evil.example"])
def test_in_development_other_names_are_refused(visitor: Visitor, host: str) -> None:
    assert visitor.get("/sign-in", headers={"Host": host}).status_code == 400
    assert "This server doesn't answer under that name." in visitor.text


def test_a_proxy_is_believed_only_where_the_settings_say_so(
    make_app: Callable[..., Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    for proxies in (0, 1):
        app = make_app(trusted_proxies=proxies)
        monkeypatch.setitem(app.view_functions, "guide.help", lambda: str(flask_request.remote_addr))
        seen.append(
            app.test_client().get("/help", headers={"X-Forwarded-For": "203.0.113.9, 192.0.2.7"}).text
        )
    assert seen == ["127.0.0.1", "192.0.2.7"]
