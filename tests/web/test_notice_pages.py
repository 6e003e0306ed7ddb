"""The pages of notices: how I am told, and what was sent to me."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask

from bgmail.dice import FairChance
from bgmail.notify.mail import RETURNED
from bgmail.notify.planning import plan_all
from bgmail.phrases.channels import outcome_of
from bgmail.service import accounts, choices, invitations, told
from bgmail.service.choices import MAIL, Mode
from bgmail.service.notices import Kind, fact, owe
from bgmail.service.terms import Handle, Terms
from bgmail.web.notice_pages import KINDS
from bgmail.world import World
from tests.web.conftest import Auth, Clock, Visitor
from tests.web.test_queue import statements


@pytest.fixture
def alice(auth: Auth, visitor: Visitor, world: World) -> accounts.Account:
    auth.person("Alice")
    auth.sign_in("Alice")
    visitor.open("/settings/notices")
    return accounts.by_handle(world.store, "Alice")


def chosen(world: World, alice: accounts.Account) -> choices.Choices:
    return choices.of(world.store, alice.id)


def test_each_kind_has_its_choice_and_the_others_stay(
    alice: accounts.Account, visitor: Visitor, world: World
) -> None:
    assert visitor.page.count('<option value="now" selected>') == len(KINDS)
    answer = visitor.post("/settings/notices", {"mail.game_over": "off", "mail.your_turn": "digest"})
    assert answer.location == "/settings/notices#modes"
    found = chosen(world, alice)
    assert (found.mode(Kind.GAME_OVER, MAIL), found.mode(Kind.YOUR_TURN, MAIL)) == (Mode.OFF, Mode.DIGEST)
    assert found.mode(Kind.REMINDER, MAIL) is Mode.NOW
    visitor.post("/settings/notices", {"mail.game_over": "now", "mail.verify": "off", "mail.nonsense": "off"})
    assert chosen(world, alice).modes == {("your_turn", "mail"): Mode.DIGEST}


def test_who_mutes_the_letters_of_the_clock_is_warned(alice: accounts.Account, visitor: Visitor) -> None:
    assert "matches are lost on time" not in visitor.text
    visitor.post("/settings/notices", {"mail.your_turn": "off"})
    visitor.open("/settings/notices")
    assert "No letter comes when: it is my turn." in visitor.text


@pytest.mark.parametrize("word", ["sometimes", "", "OFF", "now "])
def test_a_word_that_is_no_choice_is_refused_and_changes_nothing(
    alice: accounts.Account, visitor: Visitor, world: World, word: str
) -> None:
    answer = visitor.post("/settings/notices", {"mail.game_over": "off", "mail.your_turn": word})
    assert answer.status_code == 422
    assert "choose one of the list" in visitor.text
    assert chosen(world, alice).modes == {}


def test_quiet_hours_and_the_hour_of_the_digest_are_kept(
    alice: accounts.Account, visitor: Visitor, world: World
) -> None:
    visitor.post("/settings/notices/hours", {"quiet_from": "22:00", "quiet_to": "7:30", "digest_at": "18:15"})
    found = chosen(world, alice)
    assert found.quiet is not None
    assert (found.quiet.start, found.quiet.end, found.digest_at) == (22 * 60, 7 * 60 + 30, 18 * 60 + 15)
    visitor.open("/settings/notices")
    assert 'value="07:30"' in visitor.page
    visitor.post("/settings/notices/hours", {"quiet_from": "", "quiet_to": "", "digest_at": ""})
    assert chosen(world, alice) == choices.Choices()


@pytest.mark.parametrize(
    ("start", "end", "sentence"),
    [
        ("22:00", "22:00", "would never end"),
        ("22:00", "", "both a beginning and an end"),
        ("25:00", "07:00", "not “25:00”"),
        ("ten", "07:00", "not “ten”"),
    ],
)
def test_hours_that_make_no_sense_are_refused(
    alice: accounts.Account, visitor: Visitor, world: World, start: str, end: str, sentence: str
) -> None:
    answer = visitor.post("/settings/notices/hours", {"quiet_from": start, "quiet_to": end, "digest_at": ""})
    assert answer.status_code == 422
    assert sentence in visitor.text
    assert chosen(world, alice) == choices.Choices()


def test_a_test_letter_is_owed_and_shown_and_not_without_end(
    alice: accounts.Account, visitor: Visitor, world: World
) -> None:
    assert visitor.post("/settings/notices/test").location == "/settings/notices/sent"
    visitor.open("/settings/notices/sent")
    assert "a test" in visitor.text
    assert "waits" in visitor.text
    answers = [visitor.post("/settings/notices/test").status_code for _ in range(12)]
    assert answers == [303] * 9 + [429] * 3


def test_the_list_shows_mine_alone_page_by_page_with_a_bounded_number_of_queries(
    alice: accounts.Account, visitor: Visitor, world: World, clock: Clock, app: Flask
) -> None:
    bob = accounts.create(world.store, "Bob", "bob@example.org", None, clock())
    offer = invitations.invite(world.store, bob.id, Terms(7), Handle("Alice"), "", clock(), FairChance())
    for number in range(35):
        told.test(world.store, alice.id, MAIL, 0, clock() + timedelta(minutes=10 * number))
        told.test(world.store, bob.id, MAIL, 0, clock() + timedelta(minutes=10 * number))
    with app.app_context():
        plan_all(world, clock())
    visitor.open("/settings/notices/sent")
    assert visitor.page.count("<li><div><h2>") == 30
    with statements(world) as seen:
        visitor.open("/settings/notices/sent")
    assert len(seen) <= 6
    older = visitor.page.partition("/settings/notices/sent?before=")[2].partition('"')[0]
    visitor.open(f"/settings/notices/sent?before={older}")
    assert visitor.page.count("<li><div><h2>") == 6
    assert offer.id in visitor.page
    for odd in ("0", "-1", "x", "99999999999999999999"):
        assert visitor.get(f"/settings/notices/sent?before={odd}").status_code == 200


def test_the_list_goes_by_the_instants_that_it_shows_whatever_was_written_down_first(
    alice: accounts.Account, world: World
) -> None:
    now = world.now()
    minutes = [7 * number % 40 // 2 for number in range(40)]
    facts = [
        fact(Kind.TEST, now + timedelta(minutes=after), account_id=alice.id, which=str(place))
        for place, after in enumerate(minutes)
    ]
    with world.store.write() as connection:
        owe(connection, facts)
    first, more = told.page(world.store, alice.id)
    rest, end = told.page(world.store, alice.id, more)
    listed = [(one.at, one.id) for one in (*first, *rest)]
    assert (len(first), len(listed), end) == (30, 40, None)
    assert listed == sorted(listed, reverse=True)
    assert [one.id for one in first] != sorted((one.id for one in first), reverse=True)
    assert told.page(world.store, alice.id + 1, more) == ([], None), "a notice of somebody else's"


def test_each_reason_for_sending_nothing_is_told_in_a_sentence_of_its_own(app: Flask) -> None:
    reasons = ("overtaken", "newer", "muted", "closed", "no address", RETURNED)
    with app.app_context(), app.test_request_context():
        said = {outcome_of("obsolete", reason) for reason in (*reasons, "")}
        assert len(said) == len(reasons) + 1
        assert all(one.startswith("not sent: ") for one in said)
        assert outcome_of("sent", "") == "sent"
