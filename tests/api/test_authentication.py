"""Who may use the API: personal tokens, and the browser's session when our own page asks."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask, session
from flask_wtf.csrf import generate_csrf

from bgmail.service import accounts, logins
from tests.api.conftest import Clock, Program, check_refused


def test_a_token_tells_whose_it_is(alice: Program) -> None:
    assert alice.get("/me").get_json() == {"handle": "alice", "bot": False, "time_zone": "UTC"}


@pytest.mark.parametrize("path", ["/me", "/matches", "/matches/nonsense", "/matches/nonsense/log", "/events"])
def test_nobody_is_asked_to_show_a_token_before_anything_else(stranger: Program, path: str) -> None:
    answer = stranger.get(path)
    check_refused(answer, 401, "no_token")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="bgmail"'


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("Bearer wrong", "bad_token"),
        ("Bearer " + "x" * 5000, "bad_token"),
        ("Bearer Ünïcode", "bad_token"),
        ("Bearer ", "bad_authorization"),
        ("Basic YWxpY2U6cHc=", "bad_authorization"),
        ("bgm_abc", "bad_authorization"),
    ],
)
def test_a_wrong_token_opens_nothing(stranger: Program, header: str, reason: str) -> None:
    stranger.headers = {"Authorization": header}
    check_refused(stranger.get("/me"), 401, reason)


def test_a_revoked_token_is_dead_at_the_next_request(app: Flask, alice: Program) -> None:
    store = app.extensions["bgmail"].store
    assert alice.account
    [token] = logins.tokens(store, alice.account.id)
    logins.revoke_token(store, alice.account.id, token.id)
    check_refused(alice.get("/me"), 401, "bad_token")


def test_a_ban_ends_tokens_at_the_next_request(app: Flask, alice: Program) -> None:
    here = app.extensions["bgmail"]
    assert alice.account
    accounts.ban(here.store, alice.account.id, here.now())
    check_refused(alice.get("/me"), 401, "bad_token")


def test_using_a_token_is_noted_once_in_a_while_and_not_each_time(
    app: Flask, alice: Program, clock: Clock
) -> None:
    here = app.extensions["bgmail"]
    assert alice.account
    clock.move(minutes=9)
    alice.get("/me")
    assert logins.tokens(here.store, alice.account.id)[0].used_at == clock.instant - timedelta(minutes=9)
    clock.move(minutes=2)
    alice.get("/me")
    assert logins.tokens(here.store, alice.account.id)[0].used_at == clock.instant


class Browser(Program):
    """Alice's browser on a page of ours: a session cookie and the page's form token."""

    def __init__(self, app: Flask, account: accounts.Account) -> None:
        super().__init__(app, None)
        here = app.extensions["bgmail"]
        secret = logins.new_secret()
        logins.open_session(here.store, account.id, "browser", secret, here.now())
        self.client.set_cookie(app.config["BGMAIL_LOGIN_COOKIE"], secret)
        with app.test_request_context():
            self.form_token = generate_csrf()
            raw = session["csrf_token"]
        with self.client.session_transaction() as kept:
            kept["csrf_token"] = raw


@pytest.fixture
def browser(app: Flask, people: dict[str, accounts.Account]) -> Browser:
    return Browser(app, people["alice"])


def test_a_browser_may_look_with_its_session_alone(browser: Browser) -> None:
    assert browser.get("/me").get_json()["handle"] == "alice"


def test_a_browser_acts_only_with_the_form_token_of_our_page(browser: Browser) -> None:
    check_refused(browser.post("/matches", opponent="bob", length=1), 403, "csrf")
    browser.headers = {"X-CSRFToken": browser.form_token}
    assert browser.post("/matches", opponent="bob", length=1).status_code == 201


@pytest.mark.parametrize(
    "sent_from",
    [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "same-site"}],
)
def test_a_page_of_another_site_cannot_act_with_the_session(
    browser: Browser, sent_from: dict[str, str]
) -> None:
    browser.headers = {"X-CSRFToken": browser.form_token, **sent_from}
    answer = browser.post("/matches", opponent="bob", length=1)
    assert answer.status_code == 403
    assert answer.content_type == "application/problem+json"


def test_the_session_of_somebody_else_does_not_help_a_wrong_token(browser: Browser) -> None:
    browser.headers = {"Authorization": "Bearer wrong"}
    check_refused(browser.get("/me"), 401, "bad_token")


def test_more_than_a_hundred_requests_a_second_are_answered(alice: Program) -> None:
    assert {alice.get("/me").status_code for _ in range(150)} == {200}
