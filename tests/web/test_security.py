"""Hosts, forms, headers, secrets in logs, errors: what holds on every page."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, Response
from flask import request as flask_request

from bgmail.service import accounts, entrance, invitations, logins, matches
from bgmail.service.terms import Handle, Terms
from bgmail.settings import BadSetting, from_environment
from bgmail.tokens import Purpose
from bgmail.web.masks import MaskSecrets, mask_logs, masked
from bgmail.world import World
from tests.web.conftest import PASSWORD, Auth, Outbox, Visitor

PRODUCTION = {
    "production": True,
    "secret_key": "a key of at least sixteen signs",
    "base_url": "https://bg.example",
}
SECURE = {"base_url": "https://bg.example"}
HOSTILE = ["<img src=x onerror=alert(1)>", '"><svg onload=alert(1)>', "{{7*7}}", "javascript:alert(1)"]


@pytest.fixture
def production(make_app: Callable[..., Flask]) -> Flask:
    return make_app(**PRODUCTION)


# Hosts


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
    make_app: Callable[..., Flask], world: World
) -> None:
    seen = []
    for proxies in (0, 1):
        app = make_app(trusted_proxies=proxies)
        app.add_url_rule("/who", "who", lambda: str(flask_request.remote_addr))
        seen.append(app.test_client().get("/who", headers={"X-Forwarded-For": "203.0.113.9, 192.0.2.7"}).text)
    assert seen == ["127.0.0.1", "192.0.2.7"]


# Forms


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
    open_to_all = {"letters.unsubscribe", "look.choose", "language.choose", "reply.act"}
    asked = 0
    for rule in app.url_map.iter_rules():
        if (
            "POST" not in (rule.methods or ())
            or rule.endpoint in open_to_all
            or rule.rule.startswith("/api/")
        ):
            continue
        values = {name: 1 if "login_id" in name else "x" for name in rule.arguments}
        with app.test_request_context():
            path = app.url_map.bind("localhost").build(rule.endpoint, values, method="POST")
        assert visitor.client.post(path).status_code == 400, rule.endpoint
        asked += 1
    assert asked > 15


# Headers


def test_a_page_loads_only_what_is_ours_and_runs_no_inline_script(visitor: Visitor) -> None:
    answer = visitor.get("/sign-up")
    policy = dict(
        part.strip().partition(" ")[::2] for part in answer.headers["Content-Security-Policy"].split(";")
    )
    nonce = re.search(r"'nonce-([\w-]{22})'", policy["script-src"])
    assert nonce is not None
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["form-action"] == "'self'"
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    scripts = re.findall(r"<script\b[^>]*>", visitor.page)
    assert scripts
    assert all(f'nonce="{nonce[1]}"' in script for script in scripts)
    assert not re.search(r"\son\w+=|\sstyle=|javascript:", visitor.page)
    again = visitor.get("/sign-up").headers["Content-Security-Policy"]
    assert nonce[1] not in again


def test_pages_are_not_sniffed_framed_referred_or_kept(visitor: Visitor) -> None:
    answer = visitor.get("/sign-in")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Strict-Transport-Security" not in answer.headers


@pytest.mark.parametrize(
    "path", ["/reset/x", "/verify/x", "/sign-in-link/x", "/invitation/x", "/r/x", "/unsubscribe/x"]
)
def test_pages_under_a_secret_tell_nobody_their_address(visitor: Visitor, path: str) -> None:
    answer = visitor.get(path)
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"


def test_over_https_cookies_are_secure_and_browsers_stay_with_https(make_app: Callable[..., Flask]) -> None:
    app = make_app(**SECURE)
    visitor = Visitor(app)
    Auth(app, visitor).person("Alice")
    at = {"base_url": "https://bg.example"}
    visitor.get("/sign-in", **at)
    answer = visitor.post("/sign-in", {"name": "Alice", "password": PASSWORD}, **at)
    assert answer.status_code == 303
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
    cookies = answer.headers.getlist("Set-Cookie")
    login = next(cookie for cookie in cookies if cookie.startswith("__Host-bgmail_login="))
    for part in ("Secure", "HttpOnly", "SameSite=Lax", "Path=/"):
        assert part in login
    assert "Domain" not in login
    assert visitor.get("/settings", **at).status_code == 200


def test_static_files_may_be_kept(visitor: Visitor) -> None:
    with visitor.client.get("/static/logo.svg") as answer:
        assert "no-store" not in answer.headers.get("Cache-Control", "")


# Secrets in logs


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ('"GET /r/WyJh.x-y_z HTTP/1.1" 200', '"GET /r/... HTTP/1.1" 200'),
        ('"POST /invitation/abc?x=1 HTTP/1.1" 303', '"POST /invitation/...?x=1 HTTP/1.1" 303'),
        ("GET /sign-in?next=/verify/abc HTTP", "GET /sign-in?next=/verify/... HTTP"),
        ("GET /sign-in?next=%2Finvitation%2Fabc&y=2", "GET /sign-in?next=%2Finvitation%2F...&y=2"),
        ("/reset/abc /sign-in-link/abc /unsubscribe/abc", "/reset/... /sign-in-link/... /unsubscribe/..."),
        ("GET /match/abc123/export.mat /reset", "GET /match/abc123/export.mat /reset"),
    ],
)
def test_secrets_in_addresses_are_masked(line: str, shown: str) -> None:
    assert masked(line) == shown


@pytest.mark.parametrize("name", ["werkzeug", "granian.access", "_granian", "gunicorn.access", "bgmail"])
def test_the_access_logs_of_our_servers_pass_the_mask(app: Flask, name: str) -> None:
    mask_logs("bgmail")
    log = logging.getLogger(name)
    assert sum(isinstance(known, MaskSecrets) for known in log.filters) == 1
    for message, values in (
        ('"%s" %s', ("GET /r/secret HTTP/1.1", 200)),
        ("%(path)s", ({"path": "/r/secret"},)),
    ):
        record = log.makeRecord(name, logging.INFO, "", 0, message, values, None)
        assert log.filter(record)
        assert "secret" not in record.getMessage()
        assert "/r/..." in record.getMessage()


def test_the_story_of_a_fault_is_logged_without_the_secret(
    app: Flask, visitor: Visitor, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr(entrance, "look", broken)
    token = app.extensions["bgmail"].signer.sign(Purpose.RESET, [1, 0])
    assert visitor.get(f"/reset/{token}").status_code == 500
    assert "Exception on /reset/... [GET]" in caplog.text
    assert "out of order" in caplog.text
    assert token not in caplog.text


# Errors


def test_errors_are_pages_with_a_sentence(app: Flask, visitor: Visitor) -> None:
    def broken() -> Response:
        raise RuntimeError("a secret story")

    app.add_url_rule("/broken", "broken", broken)
    for path, status, words in (
        ("/nothing-here", 404, "There is nothing at this address."),
        ("/sign-out", 405, "This address can't be used in this way."),
        ("/broken", 500, "Something went wrong on our side."),
        ("/match/nonsense", 404, "There is no such match."),
        ("/u/Nobody", 404, "There is nobody called “Nobody” here."),
    ):
        answer = visitor.get(path)
        assert answer.status_code == status, path
        assert words in visitor.text
        assert "secret story" not in visitor.page
        assert "Traceback" not in visitor.page


def test_more_than_a_megabyte_is_refused(visitor: Visitor) -> None:
    visitor.get("/sign-in")
    assert visitor.post("/sign-in", {"name": "x" * 1_100_000}).status_code == 413
    assert "That is more than this server takes at once." in visitor.text


@pytest.mark.parametrize("body", [b"\xff\xfe=\xff", b"name=%FF%FE&password=%00", b"&&&===;;;", b"name=%"])
def test_broken_encodings_change_nothing(visitor: Visitor, body: bytes) -> None:
    visitor.get("/sign-in")
    sent = f"csrf_token={visitor.token}&".encode() + body
    answer = visitor.client.post("/sign-in", data=sent, content_type="application/x-www-form-urlencoded")
    assert answer.status_code in (400, 422)


@pytest.mark.parametrize(
    "path", ["/u/%00", "/u/%FF", "/u/..%2f..%2fetc", "/u/" + "a" * 2000, "/%00", "/u/%F0%9F%92%A9"]
)
def test_strange_addresses_are_nowhere(visitor: Visitor, path: str) -> None:
    assert visitor.get(path).status_code == 404


# What people write


@pytest.mark.parametrize("text", HOSTILE)
def test_script_is_no_handle_and_elsewhere_it_is_shown_as_written(
    auth: Auth, visitor: Visitor, text: str, world: World
) -> None:
    assert auth.sign_up(text[:20]).status_code == 422
    alice = auth.person("Alice")
    logins.open_session(world.store, alice.id, text, "a visitor", world.now())
    logins.create_token(world.store, alice.id, text, world.now())
    auth.sign_in("Alice")
    pages = []
    for path in ("/settings", f"/u/{text}", f"/sign-in?next={text}", f"/{text}"):
        visitor.open(path)
        pages.append(visitor.page)
    visitor.post("/settings/time-zone", {"time_zone": text})
    for page in [*pages, visitor.page]:
        assert "<img src=x" not in page
        assert "<svg onload" not in page
        drawn = r"<svg.*?</svg>"  # has numbers of its own
        assert "49" not in re.sub(rf'{drawn}|(nonce|value|content)="[^"]*"|\?v=\w+', "", page)
        assert 'href="javascript:' not in page


@pytest.fixture
def match_id(auth: Auth, world: World) -> str:
    """A match of Alice and Bob."""
    alice, bob = auth.person("Alice"), auth.person("Bob")
    offer = invitations.invite(world.store, alice.id, Terms(3), Handle("Bob"), "", world.now(), world.chance)
    return invitations.accept(world.store, offer.id, bob.id, world.now(), world.chance).id


def test_a_line_of_chat_is_said_by_who_is_signed_in_whatever_the_form_says(
    auth: Auth, visitor: Visitor, other: Visitor, match_id: str, world: World
) -> None:
    bob = accounts.by_handle(world.store, "Bob")
    auth.sign_in("Alice")
    visitor.open(f"/match/{match_id}")
    line = {"body": "Good luck!", "sender_id": str(bob.id), "author_id": str(bob.id), "sender_name": "Bob"}
    assert visitor.post(f"/match/{match_id}/chat", line).status_code == 303
    view = matches.load(world.store, match_id)
    (said,) = matches.chat(world.store, view, bob.id)
    assert (said.author.handle, said.body) == ("Alice", "Good luck!")
    auth.person("Charlie")
    auth.sign_in("Charlie", visitor=other)
    other.open("/settings")
    assert other.post(f"/match/{match_id}/chat", line).status_code == 403
    assert len(matches.chat(world.store, view, bob.id)) == 1


@pytest.mark.parametrize("text", HOSTILE)
def test_script_in_chat_is_shown_as_written(auth: Auth, visitor: Visitor, match_id: str, text: str) -> None:
    auth.sign_in("Alice")
    visitor.open(f"/match/{match_id}")
    visitor.post(f"/match/{match_id}/chat", {"body": text})
    visitor.open(f"/match/{match_id}")
    assert text in visitor.text
    assert "<img src=x" not in visitor.page
    assert "<svg onload" not in visitor.page


# Keys


def test_sessions_and_links_survive_a_restart_and_a_new_key(
    make_app: Callable[..., Flask], auth: Auth, visitor: Visitor, sign: Callable[[Purpose, Any], str]
) -> None:
    auth.person("Alice")
    auth.sign_in("Alice")
    visitor.open("/settings")
    login = visitor.client.get_cookie("bgmail_login")
    form = visitor.client.get_cookie("bgmail_form")
    token = visitor.token
    assert login is not None
    assert form is not None
    link = f"/sign-in-link/{sign(Purpose.SIGN_IN, [1, 0])}"
    old = visitor.app.extensions["bgmail"].settings.secret_key
    new = "another key of sixteen signs"
    for changes in ({}, {"secret_key": new, "previous_keys": (old,)}):
        later = Visitor(make_app(**changes))
        later.client.set_cookie("bgmail_login", login.value, domain="localhost")
        later.client.set_cookie("bgmail_form", form.value, domain="localhost")
        assert later.get("/settings").status_code == 200
        assert later.get(link).status_code == 200
        if not changes:
            later.page = f'name="csrf_token" value="{token}"'
            assert later.post("/settings/notices/hours").status_code == 303
    lost = Visitor(make_app(secret_key=new))
    assert lost.get(link).status_code == 404
    lost.client.set_cookie("bgmail_login", login.value, domain="localhost")
    assert lost.get("/settings").status_code == 200, "sessions are in the database and need no key"


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"BGMAIL_SECRET_KEY": "short"}, "BGMAIL_SECRET_KEY is too short"),
        ({"BGMAIL_SECRET_KEY": "x" * 32}, "BGMAIL_BASE_URL is missing"),
        ({"BGMAIL_SECRET_KEY": "x" * 32, "BGMAIL_BASE_URL": "http://bg.example"}, "must be https"),
        ({"BGMAIL_TRUSTED_PROXIES": "many"}, "BGMAIL_TRUSTED_PROXIES must be a number from 0 to 5"),
    ],
)
def test_a_bad_setting_stops_the_start_with_a_sentence(
    tmp_path: Path, environment: dict[str, str], sentence: str
) -> None:
    with pytest.raises(BadSetting, match=sentence):
        from_environment(environment, tmp_path)
