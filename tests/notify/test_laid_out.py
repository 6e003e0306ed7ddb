"""A play that was laid out and not submitted: the next letter offers it by a link, and never any other."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest

from bgmail.rules.side import Side
from bgmail.service import accounts, matches, sketches, turns
from bgmail.service.deadlines import sweep_some
from tests.notify.conftest import BASE, Post
from tests.notify.records import ALICE
from tests.service.matchmaking import act, begin

PLAY = "24/22 13/8"


def remind(post: Post, laid: str) -> tuple[str, str]:
    """The match, and the text of the reminder that Alice gets, who has laid out a play before."""
    view, chance = begin(post.store, post.clock.now, (5, 2))
    alice = accounts.by_handle(post.store, "alice").id
    if laid:
        sketches.keep(post.store, view, alice, view.version, laid, post.clock.now)
    post.clock.pass_(hours=20)
    while sweep_some(post.store, post.clock.now, chance):
        pass
    post.deliver()
    return view.id, post.last(ALICE).text()


@pytest.mark.smtp
def test_the_letter_offers_it_and_its_link_plays_it_after_a_look(both: Post) -> None:
    match_id, text = remind(both, PLAY)
    url = re.search(rf"Play {PLAY}, as you laid it out:\s+(\S+)", text)
    assert url is not None
    path, client = urlsplit(url[1]).path, both.app.test_client(use_cookies=False)
    looked = client.get(path, base_url=BASE)
    assert f"Play {PLAY}" in looked.text
    assert turns.load(both.store, match_id).match.on_turn is Side.WHITE, "looking plays nothing"
    done = client.post(path, data={"action": "play", "play": PLAY}, base_url=BASE)
    assert done.status_code == 303
    entries = matches.log(both.store, match_id)
    assert [entry.data["play"] for entry in entries if entry.kind == "play"] == [PLAY]


@pytest.mark.smtp
def test_without_one_no_play_is_proposed(post: Post) -> None:
    _, text = remind(post, "")
    assert "Choose your play:" in text
    assert "Play " not in text.replace("Play by", "")


@pytest.mark.smtp
def test_one_of_an_earlier_turn_is_not_offered(post: Post) -> None:
    view, chance = begin(post.store, post.clock.now, (5, 2))
    alice = accounts.by_handle(post.store, "alice").id
    sketches.keep(post.store, view, alice, view.version, PLAY, post.clock.now)
    act(post.store, view, Side.WHITE, "play", post.clock.now, chance, play="13/8 13/11")
    post.clock.pass_(minutes=11)
    post.deliver()
    assert all("laid" not in mail.text() for mail in post.mails())
