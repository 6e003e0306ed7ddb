"""In development a letter is answered from the mailbox's page, by a real mail to the sink beside it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from bgmail.cli.dev import _take_answer
from bgmail.devmail import Sink
from bgmail.rules.side import Side
from tests.fixtures.apps import OpenApp
from tests.inbox.conftest import opened
from tests.inbox.replies import Desk
from tests.notify.conftest import Clock
from tests.service.matchmaking import begin

pytestmark = pytest.mark.smtp
HERE = "http://127.0.0.1:5000"


@pytest.fixture
def home(open_app: OpenApp, tmp_path: Path, sqlite_schema_url: str, clock: Clock) -> Iterator[Desk]:
    """An app as `dev` makes it."""
    sink = Sink.start(tmp_path / "instance" / "mail")
    desk = Desk(open_app, tmp_path, sqlite_schema_url, clock, sink)
    desk.store.close()
    plain = replace(desk.world.settings, inbound_domain=None, production=False)
    desk.app = open_app(plain.for_development(5000, "127.0.0.1", sink.port), clock=clock)
    desk.world = desk.app.extensions["bgmail"]
    desk.store = desk.world.store
    sink.hand_over(partial(_take_answer, desk.app))
    yield from opened(desk)
    sink.stop()


def test_an_answer_from_the_mailbox_plays(home: Desk) -> None:
    view, _ = begin(home.store, home.clock.now, (3, 1))
    home.letter("alice")
    client = home.app.test_client()
    page = client.get("/dev/mail/1", base_url=HERE).text
    assert "Answer this letter" in page
    token = re.search(r'name="csrf_token" value="([^"]+)"', page)
    assert token is not None
    form = {"csrf_token": html.unescape(token[1]), "words": "8/5 6/5\r\n\r\nFrom the mailbox"}
    sent = client.post("/dev/mail/1/answer", data=form, base_url=HERE, headers={"Referer": HERE})
    assert sent.status_code == 303
    assert "The answer is on its way." in client.get("/dev/mail", base_url=HERE).text
    assert home.handle() == ["acted"]
    assert home.view(view).match.on_turn is Side.BLACK
    assert home.chat(home.view(view)) == [("alice", "From the mailbox")]


def test_a_letter_that_asks_for_no_answer_has_no_form(home: Desk) -> None:
    begin(home.store, home.clock.now, (3, 1))
    letter = home.letter("alice")
    del letter.message["Reply-To"]
    home.sink.mailbox.add("x@localhost", ["alice@play.example"], letter.message.as_bytes())
    client = home.app.test_client()
    assert "Answer this letter" not in client.get("/dev/mail/2", base_url=HERE).text
    page = client.get("/dev/mail/1", base_url=HERE).text
    token = re.search(r'name="csrf_token" value="([^"]+)"', page)
    assert token is not None
    form = {"csrf_token": html.unescape(token[1]), "words": "roll"}
    refused = client.post("/dev/mail/2/answer", data=form, base_url=HERE, headers={"Referer": HERE})
    assert refused.status_code == 404


def test_the_answers_of_strangers_are_letters_like_others(home: Desk) -> None:
    begin(home.store, home.clock.now, (3, 1))
    _take_answer(home.app, "x@localhost", ["nobody@answers.localhost", "alice@play.example"], b"\r\ntake")
    assert home.handle() == []
