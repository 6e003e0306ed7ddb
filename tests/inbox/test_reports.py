"""Reports by mail: each comes to a signed address, and only what that address vouches for is believed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bgmail.devmail import Sink
from bgmail.inbox.accepting import NotForUs, accept, token_of
from bgmail.inbox.handling import handle_one
from bgmail.inbox.reader import read
from bgmail.inbox.reports import take_report
from bgmail.service import accounts, bounces
from bgmail.store.tables import DeliveryRow
from tests.fixtures.apps import OpenApp
from tests.inbox.conftest import mail
from tests.notify.conftest import Clock, Post, settings_for
from tests.notify.records import ALICE, rows
from tests.service.matchmaking import begin

FORMS = ("bounce_postfix", "bounce_with_headers_only", "bounce_exim_in_words", "bounce_qmail")


@pytest.fixture
def sink(tmp_path: Path) -> Iterator[Sink]:
    started = Sink.start(tmp_path / "mail")
    yield started
    started.stop()


@pytest.fixture
def post(open_app: OpenApp, tmp_path: Path, sqlite_schema_url: str, sink: Sink) -> Iterator[Post]:
    """Alice has a letter, from an installation that mail reaches."""
    clock = Clock()
    settings = replace(
        settings_for(tmp_path, sqlite_schema_url, sink.port), inbound_domain="answers.club.example"
    )
    found = Post(open_app(settings, clock=clock), clock, sink)
    begin(found.store, clock.now, (5, 2))
    found.deliver()
    yield found
    found.hang_up()
    found.store.close()


def token(post: Post) -> str:
    """What the envelope of Alice's letter says where reports should go."""
    local, _, domain = str(post.last(ALICE).message["X-Envelope-From"]).partition("@")
    assert domain == "answers.club.example"
    assert local.startswith("bounce+")
    return local


def about(post: Post, name: str, *, own_id: str = "", recipient: str = ALICE) -> bytes:
    """A mail of the corpus as if it were about Alice's letter."""
    (attempt,) = rows(post, DeliveryRow)
    raw = mail(name).decode()
    raw = raw.replace("<notice.2.66191440b3000@club.example>", own_id or attempt.message_id)
    return (
        raw.replace("bounce+aaaaaag2x4q3kx7m2n5pqrstuvwxyz23", token(post))
        .replace("bob@play.example", recipient)
        .encode()
    )


def take(post: Post, raw: bytes, came_to: str = "") -> str:
    return take_report(post.world, read(raw, ""), post.clock.now, came_to)


def is_stopped(post: Post) -> bool:
    return bounces.of(post.store, accounts.by_handle(post.store, "alice")) != []


@pytest.mark.smtp
@pytest.mark.parametrize("name", [*FORMS, "bounce_attached_in_mixed"])
def test_a_bounce_to_the_address_of_the_envelope_stops_the_mailbox(post: Post, name: str) -> None:
    assert take(post, about(post, name), token(post)) == "stopped"
    assert is_stopped(post)


@pytest.mark.smtp
@pytest.mark.parametrize("name", ["bounce_delayed", "bounce_warning_in_words"])
def test_what_is_only_late_counts_and_stops_nothing(post: Post, name: str) -> None:
    assert take(post, about(post, name), token(post)) == "noted"
    assert not is_stopped(post)


@pytest.mark.smtp
@pytest.mark.parametrize(
    "came_to", ["bounce", "bounce+", "k4xdq3tn5w", "bounce+aaaaaag2x4q3kx7m2n5pqrstuvwxyz23", "bounce+é"]
)
def test_a_bounce_without_a_signed_address_is_believed_of_nobody(post: Post, came_to: str) -> None:
    raw = about(post, "bounce_postfix").replace(token(post).encode(), b"bounce+forged")
    assert take(post, raw, came_to) == "unknown"
    assert not is_stopped(post)


@pytest.mark.smtp
def test_a_signed_address_stands_for_no_other_letter(post: Post) -> None:
    """Who got a letter knows its address, and might report the letters of others."""
    raw = about(post, "bounce_postfix", own_id="<notice.1.66191440b3000@club.example>")
    assert take(post, raw, token(post)) == "unknown"
    assert not is_stopped(post)


@pytest.mark.smtp
@pytest.mark.parametrize("name", ["complaint", "complaint_blacked_out"])
def test_a_complaint_is_known_by_the_letter_that_it_brings_along(post: Post, name: str) -> None:
    assert take(post, about(post, name)) == "muted"
    (trouble,) = bounces.of(post.store, accounts.by_handle(post.store, "alice"))
    assert trouble.about == "your_turn"


@pytest.mark.smtp
def test_a_complaint_that_is_taken_back_says_nothing(post: Post) -> None:
    assert take(post, about(post, "complaint_taken_back")) == "says nothing"
    assert not is_stopped(post)


@pytest.mark.smtp
def test_a_report_comes_in_by_the_way_of_every_mail_and_is_handled_once(post: Post) -> None:
    to = f"{token(post)}@answers.club.example"
    raw = about(post, "bounce_postfix")
    assert [accept(post.world, raw, [to.upper()], post.clock.now, "") for _ in range(2)] == [1, 0]
    with post.app.app_context():
        assert handle_one(post.world, post.clock.now) == "stopped 1"
        assert handle_one(post.world, post.clock.now) is None
    assert is_stopped(post)


@pytest.mark.smtp
@pytest.mark.parametrize("local", ["bounce+", "bounce+forged", "bounces", "bounced+aaaa"])
def test_an_address_that_no_letter_named_takes_no_report(post: Post, local: str) -> None:
    assert token_of(post.world, "bounce@answers.club.example") == "bounce"
    assert token_of(post.world, f"{local}@answers.club.example") is None
    with pytest.raises(NotForUs):
        accept(post.world, about(post, "bounce_postfix"), [f"{local}@answers.club.example"], post.clock.now)
