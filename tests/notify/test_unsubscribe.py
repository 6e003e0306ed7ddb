"""Switching letters of one kind off: looking changes nothing, one click does, and it can be taken back."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient

from bgmail.notify.links import links_of
from bgmail.service import accounts, choices
from bgmail.service.notices import Kind
from bgmail.tokens import Purpose
from tests.notify.conftest import BASE, Post
from tests.service.matchmaking import begin, settle

ONE_CLICK = {"List-Unsubscribe": "One-Click"}


def link(post: Post, account_id: int, kind: Kind = Kind.GAME_OVER) -> str:
    with post.app.app_context():
        return urlsplit(links_of(post.world).unsubscribe(account_id, kind)).path


def muted(post: Post, account_id: int) -> set[str]:
    """The kinds whose letters are off."""
    modes = choices.of(post.store, account_id).modes
    return {kind for (kind, channel), mode in modes.items() if (channel, mode) == ("mail", "off")}


@pytest.fixture
def alice(post: Post) -> int:
    return settle(post.store, post.clock.now)[0]


@pytest.fixture
def client(post: Post) -> FlaskClient:
    return post.app.test_client(use_cookies=False)


def get(client: FlaskClient, path: str, method: str = "GET") -> tuple[int, str]:
    answer = client.open(path, method=method, base_url=BASE)
    return answer.status_code, answer.text


def test_looking_changes_nothing_and_shows_a_button(post: Post, alice: int, client: FlaskClient) -> None:
    path = link(post, alice)
    for method in ("HEAD", "GET", "GET", "HEAD"):
        status, text = get(client, path, method)
        assert status == 200
    assert muted(post, alice) == set()
    status, text = get(client, path)
    assert "Stop these letters" in text
    assert "Letters to alice" in text


def test_one_click_of_a_mail_program_switches_that_kind_off_without_cookies(
    post: Post, alice: int, client: FlaskClient
) -> None:
    path = link(post, alice)
    for _ in range(2):
        answer = client.post(path, data=ONE_CLICK, base_url=BASE, headers={"Sec-Fetch-Site": "cross-site"})
        assert answer.status_code == 200
        assert "Set-Cookie" not in answer.headers
    assert muted(post, alice) == {"game_over"}


def test_the_link_in_a_real_letter_is_the_one_click_address(post: Post, client: FlaskClient) -> None:
    begin(post.store, post.clock.now, (5, 2))
    post.clock.pass_(minutes=11)
    post.deliver()
    mail = post.last("alice@play.example")
    header = mail.message["List-Unsubscribe"].strip("<>")
    assert mail.message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert header in mail.text().splitlines()
    assert client.post(urlsplit(header).path, data=ONE_CLICK, base_url=BASE).status_code == 200
    alice = accounts.by_handle(post.store, "alice").id
    assert muted(post, alice) == {"your_turn"}


def test_an_old_link_says_that_they_are_off_and_offers_to_turn_them_on(
    post: Post, alice: int, client: FlaskClient
) -> None:
    path = link(post, alice)
    client.post(path, data={"letters": "off"}, base_url=BASE)
    assert "Turn them on again?" in get(client, path)[1]
    assert client.post(path, data={"letters": "on"}, base_url=BASE).status_code == 200
    assert muted(post, alice) == set()


def test_stopping_the_letters_that_tell_of_a_turn_warns_of_lost_matches(
    post: Post, alice: int, client: FlaskClient
) -> None:
    assert "matches are easily lost" in get(client, link(post, alice, Kind.YOUR_TURN))[1]
    assert "matches are easily lost" not in get(client, link(post, alice, Kind.GAME_OVER))[1]


@pytest.mark.parametrize("form", [{}, {"letters": "maybe"}, {"List-Unsubscribe": "Two-Click"}])
def test_a_post_that_says_nothing_clear_changes_nothing(
    post: Post, alice: int, client: FlaskClient, form: dict[str, str]
) -> None:
    answer = client.post(link(post, alice), data=form, base_url=BASE)
    assert answer.status_code == 400
    assert muted(post, alice) == set()


def test_a_link_of_another_purpose_a_cut_one_and_one_of_nobody_are_a_clear_404(
    post: Post, alice: int, client: FlaskClient
) -> None:
    signer = post.world.signer
    wrong = [
        signer.sign(Purpose.RESET, [alice, "game_over"]),
        signer.sign(Purpose.UNSUBSCRIBE, [alice, "surprise"]),
        signer.sign(Purpose.UNSUBSCRIBE, "game_over"),
        signer.sign(Purpose.UNSUBSCRIBE, [999, "game_over"]),
        "x",
    ]
    for token in wrong:
        for method in ("GET", "POST"):
            answer = client.open(f"/unsubscribe/{token}", method=method, data=ONE_CLICK, base_url=BASE)
            assert answer.status_code == 404
            assert "This link is not complete" in answer.text
    assert muted(post, alice) == set()


def test_to_a_closed_account_no_letters_go_and_nothing_is_kept_of_the_wish(
    post: Post, alice: int, client: FlaskClient
) -> None:
    path = link(post, alice)
    accounts.ban(post.store, alice, post.clock.now)
    for method in ("GET", "POST"):
        answer = client.open(path, method=method, data=ONE_CLICK, base_url=BASE)
        assert answer.status_code == 200
        assert "no letters go to it any more" in answer.text
    assert muted(post, alice) == set()


def test_pages_under_a_token_are_not_kept_and_send_no_referrer(
    post: Post, alice: int, client: FlaskClient
) -> None:
    answer = client.get(link(post, alice), base_url=BASE)
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert not re.search(
        r"<form[^>]*action=", answer.text.split("Stop these letters")[0].rpartition("<main")[2]
    )
