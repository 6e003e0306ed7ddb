"""A match played from the mailbox: each letter's own links, opened by scanners first and pressed by people then."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient

from bgmail.devmail import Mail, Sink
from bgmail.factory import create_app
from bgmail.rules.match import Phase, legal
from bgmail.service import turns
from bgmail.service.views import MatchView
from bgmail.tokens import MatchClaim
from tests.notify.conftest import BASE, Clock, Post, settings_for
from tests.service.matchmaking import begin

LINK = re.compile(rf"{re.escape(BASE)}(/r/[\w.-]+)")
pytestmark = pytest.mark.smtp


def links(post: Post, mail: Mail) -> dict[str | None, str]:
    """The paths of a letter's reply links by the action they propose; None opens the board."""
    paths = LINK.findall(mail.text())
    claims = [post.world.signer.read_claim(path.removeprefix("/r/")) for path in paths]
    return {claim.action: path for claim, path in zip(claims, paths, strict=True)}


def scan(client: FlaskClient, path: str) -> None:
    """What a mail gateway does to a link before anybody reads the letter."""
    for method in ("HEAD", "GET", "GET") * 3 + ("HEAD",):
        answer = client.open(path, method=method, base_url=BASE)
        assert answer.status_code == 200
        assert "Set-Cookie" not in answer.headers or "login" not in answer.headers["Set-Cookie"]


def press(client: FlaskClient, path: str, **form: str) -> int:
    """What a person does: opens the page and presses its button."""
    page = client.get(path, base_url=BASE).text
    token = re.search(r'name="csrf_token" value="([^"]+)"', page)
    data = {**form, **({"csrf_token": html.unescape(token[1])} if token else {})}
    return client.post(path, data=data, base_url=BASE, headers={"Referer": BASE}).status_code


def owner(view: MatchView) -> str:
    side = view.match.on_turn
    assert side is not None
    person = view.person(side)
    assert person is not None
    return f"{person.handle}@play.example"


def test_ten_turns_are_played_by_links_alone(post: Post) -> None:
    view, _ = begin(post.store, post.clock.now, (5, 2), length=1)
    for _ in range(10):
        post.clock.pass_(minutes=11)
        post.deliver()
        view = turns.load(post.store, view.id)
        if view.match.phase is Phase.OVER:
            break
        client = post.app.test_client()
        (path,) = links(post, post.last(owner(view))).values()
        scan(client, path)
        assert turns.load(post.store, view.id).head == view.head
        play = str(legal(view.match)[0])
        assert press(client, path, action="play", play=play) == 303
        after = turns.load(post.store, view.id)
        assert after.version > view.version
        assert press(client, path, action="play", play=play) in (200, 409, 410)
        assert turns.load(post.store, view.id).head == after.head
        view = after


def test_the_link_of_a_letter_acts_for_its_reader_alone(post: Post) -> None:
    view, _ = begin(post.store, post.clock.now, (5, 2))
    post.clock.pass_(minutes=11)
    post.deliver()
    (path,) = links(post, post.last(owner(view))).values()
    claim = post.world.signer.read_claim(path.removeprefix("/r/"))
    forged = replace(claim, side=1 - claim.side)
    client = post.app.test_client()
    assert (
        press(client, f"/r/{post.world.signer.sign_claim(forged)}", action="play", play="13/8 13/11") != 303
    )
    assert turns.load(post.store, view.id).head == view.head


def test_links_outlive_a_restart_and_a_new_key(
    post: Post, tmp_path: Path, sqlite_schema_url: str, clock: Clock, sink: Sink
) -> None:
    view, _ = begin(post.store, clock.now, (5, 2))
    clock.pass_(minutes=11)
    post.deliver()
    mail = post.last(owner(view))
    (path,) = links(post, mail).values()
    stop = urlsplit(mail.message["List-Unsubscribe"].strip("<>")).path
    old = settings_for(tmp_path, sqlite_schema_url, sink.port)
    rotated = replace(old, secret_key="another key for the same people", previous_keys=(old.secret_key,))
    for settings, fine in ((old, True), (rotated, True), (replace(rotated, previous_keys=()), False)):
        again = create_app(settings, clock=clock)
        client = again.test_client()
        assert (client.get(path, base_url=BASE).status_code == 200) is fine
        assert (client.get(stop, base_url=BASE).status_code == 200) is fine
        again.extensions["bgmail"].store.close()


def test_a_claim_names_one_match_and_one_version(post: Post) -> None:
    view, _ = begin(post.store, post.clock.now, (5, 2))
    post.clock.pass_(minutes=11)
    post.deliver()
    (path,) = links(post, post.last(owner(view))).values()
    claim = post.world.signer.read_claim(path.removeprefix("/r/"))
    assert claim == MatchClaim(view.id, int(view.match.turn), view.version, claim.hash_prefix)
    restored = replace(claim, hash_prefix="0" * 12)
    answer = post.app.test_client().get(f"/r/{post.world.signer.sign_claim(restored)}", base_url=BASE)
    assert answer.status_code == 409
