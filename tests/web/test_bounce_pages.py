"""Who gets no letters any more reads it on the pages that they come to anyway, and can change it there."""

from __future__ import annotations

import pytest

from bgmail.service import accounts, bounces, choices
from bgmail.service.choices import MAIL, Mode
from bgmail.service.notices import Kind
from bgmail.store import bounces as rows
from bgmail.world import World
from tests.web.conftest import Auth, Clock, Outbox, Visitor

SAID = "550 5.1.1 <alice@example.org>: no such person"


@pytest.fixture
def alice(auth: Auth, visitor: Visitor, world: World) -> accounts.Account:
    auth.person("Alice")
    auth.sign_in("Alice")
    return accounts.by_handle(world.store, "Alice")


def complain(world: World, alice: accounts.Account, kind: Kind) -> None:
    """What a complaint does."""
    choices.choose(world.store, alice.id, {(kind, MAIL): Mode.OFF})
    row = {"address_key": "alice@example.org", "about": kind.value, "address": "alice@example.org"}
    with world.store.write() as connection:
        rows.stop(connection, {**row, "status": "", "said": "", "stopped_at": world.now()})


@pytest.mark.parametrize("path", ["/", "/settings/notices"])
def test_letters_that_come_back_are_told_with_what_the_server_said(
    alice: accounts.Account, visitor: Visitor, world: World, path: str
) -> None:
    visitor.open(path)
    assert "don't arrive" not in visitor.text
    bounces.refuse(world.store, "alice@example.org", SAID, world.now())
    visitor.open(path)
    assert f"Letters to alice@example.org don't arrive: “{SAID}”" in visitor.text
    assert "Change the address" in visitor.text


def test_they_are_tried_again_by_a_button_that_sends_a_test(
    alice: accounts.Account, visitor: Visitor, world: World, outbox: Outbox
) -> None:
    bounces.refuse(world.store, "alice@example.org", SAID, world.now())
    visitor.open("/settings/notices")
    answer = visitor.post("/settings/notices/again", {"from": "notices"}, follow_redirects=True)
    assert answer.request.path == "/settings/notices"
    assert "A test is on its way" in visitor.text
    assert "don't arrive" not in visitor.text
    assert [letter.account_id for letter in outbox.of("test")] == [alice.id]


def test_the_button_can_not_be_pressed_for_ever(
    alice: accounts.Account, visitor: Visitor, world: World
) -> None:
    visitor.open("/")
    answers = [visitor.post("/settings/notices/again").status_code for _ in range(12)]
    assert answers == [303] * 10 + [429] * 2


@pytest.mark.parametrize(("answer", "mode"), [("send", Mode.NOW), ("leave", Mode.OFF), ("", Mode.OFF)])
def test_a_kind_that_was_taken_for_junk_comes_again_or_stays_off(
    alice: accounts.Account, visitor: Visitor, world: World, answer: str, mode: Mode
) -> None:
    complain(world, alice, Kind.YOUR_TURN)
    visitor.open("/")
    assert "No letter comes any more when: it is my turn." in visitor.text
    visitor.post("/settings/notices/junk", {"about": "your_turn", "answer": answer}, follow_redirects=True)
    assert "marked as junk" not in visitor.text
    assert choices.of(world.store, alice.id).mode(Kind.YOUR_TURN, MAIL) is mode


@pytest.mark.parametrize("about", ["", "your_turn", "nonsense", "é" * 300])
def test_a_kind_that_nobody_complained_about_stays_as_it_was_chosen(
    alice: accounts.Account, visitor: Visitor, world: World, about: str
) -> None:
    choices.choose(world.store, alice.id, {(Kind.YOUR_TURN, MAIL): Mode.OFF})
    visitor.open("/")
    assert visitor.post("/settings/notices/junk", {"about": about, "answer": "send"}).status_code == 303
    assert choices.of(world.store, alice.id).mode(Kind.YOUR_TURN, MAIL) is Mode.OFF


def test_an_address_still_to_be_proven_is_told_too_and_can_be_changed(
    auth: Auth, visitor: Visitor, world: World, clock: Clock
) -> None:
    auth.sign_up("Alice", "Alice@example.org")
    bounces.refuse(world.store, "Alice@example.org", SAID, clock())
    visitor.open("/")
    assert "Letters to Alice@example.org don't arrive" in visitor.text
    assert "Try again" not in visitor.text
    assert "Change the address" in visitor.text


def test_strangers_sign_in_first(visitor: Visitor) -> None:
    visitor.open("/sign-in")
    assert visitor.post("/settings/notices/again").location.startswith("/sign-in")
    assert visitor.post("/settings/notices/junk").location.startswith("/sign-in")
