"""Headers, secrets in logs, keys and settings: what holds on every page."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from bgmail.service import entrance
from bgmail.settings import BadSetting, from_environment
from bgmail.tokens import Purpose
from bgmail.web.masks import MaskSecrets, mask_logs, masked
from tests.web.conftest import PASSWORD, Auth, Visitor

SECURE = {"base_url": "https://bg.example"}


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
        later.page = f'name="csrf_token" value="{token}"'
        assert later.post("/settings/notices/hours").status_code == 303, "a form that was open can be sent"
        act = later.client.post("/api/v1/matches/none/accept", headers={"X-CSRFToken": token})
        assert act.status_code == 404, "so can what a page does by its script"
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
