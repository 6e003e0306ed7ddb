"""The outbox: each fact becomes one letter, and it is sent once, also by two senders."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from bgmail.devmail import Sink
from bgmail.factory import create_app
from bgmail.notify.errands import CLAIM, deliver_some
from bgmail.notify.mail import letterbox
from bgmail.notify.planning import plan_all
from bgmail.rules.side import Side
from bgmail.service import accounts, invitations
from bgmail.service.terms import Handle, Terms
from bgmail.store import errands
from bgmail.store.tables import DeliveryRow
from tests.fixtures.patience import PATIENCE
from tests.notify.conftest import Clock, Post
from tests.notify.records import ALICE, BOB, owe_sign_in, rows, states
from tests.service.matchmaking import ScriptedChance, act, begin, settle


@pytest.mark.smtp
def test_a_fact_becomes_one_letter_and_one_record(both: Post) -> None:
    begin(both.store, both.clock.now, (5, 2))
    both.clock.pass_(minutes=11)
    done = both.deliver()
    assert done == ["dropped (overtaken) invitation 1", "sent your_turn 2"]
    assert both.deliver() == []
    assert states(both) == [("invitation", "obsolete"), ("your_turn", "sent")]
    (record,) = rows(both, DeliveryRow)
    assert (record.channel, record.address, record.outcome, record.error) == ("mail", ALICE, "sent", "")
    assert record.message_id == both.last(ALICE).message["Message-ID"]
    assert record.ended_at is not None


@pytest.mark.smtp
def test_whoever_just_acted_gets_the_letter_ten_minutes_later_and_never_not_at_all(post: Post) -> None:
    view, chance = begin(post.store, post.clock.now, (5, 2))
    post.clock.pass_(minutes=12)
    post.deliver()
    alice = accounts.by_handle(post.store, "alice").id
    from bgmail.service import matches

    outcome = act(post.store, view, Side.WHITE, "play", post.clock.now, chance, play="13/8 13/11")
    bob = accounts.by_handle(post.store, "bob").id
    matches.mark_visit(post.store, outcome.view, bob, post.clock.now)
    post.deliver()
    assert len(post.mails(BOB)) == 1
    assert post.mails(ALICE)
    assert alice != bob


@pytest.mark.smtp
def test_a_sender_that_died_leaves_a_claim_that_runs_out_and_the_same_message_id(both: Post) -> None:
    alice, _, _ = settle(both.store, both.clock.now)
    owe_sign_in(both, alice, "a")
    plan_all(both.world, both.clock.now)
    with both.store.write() as connection:
        ((_, row),) = errands.claim(connection, "mail", both.clock.now, both.clock.now + CLAIM, 5)
    assert both.deliver() == []
    both.clock.pass_(minutes=10)
    assert both.deliver() == ["sent sign_in 1"]
    assert f".{round(row.created_at.timestamp() * 1_000_000):x}@" in both.last(ALICE).message["Message-ID"]


@pytest.mark.smtp
def test_two_senders_at_once_send_each_letter_once(
    both: Post, tmp_path: Path, sink: Sink, clock: Clock
) -> None:
    people = settle(both.store, clock.now)
    for number in range(8):
        for person in people:
            owe_sign_in(both, person, str(number))
    other = create_app(both.world.settings, clock=clock)
    worlds = [(both.app, both.world), (other, other.extensions["bgmail"])]
    start = threading.Barrier(len(worlds))
    errors: list[BaseException] = []

    def send_all(app: Any, here: Any) -> None:
        try:
            with app.app_context():
                start.wait(timeout=PATIENCE)
                idle = 0
                while idle < 3:
                    idle = idle + 1 if deliver_some(here, clock.now, 3) == [] else 0
                letterbox(here).close()
        except BaseException as error:
            errors.append(error)
            raise

    threads = [threading.Thread(target=send_all, args=pair) for pair in worlds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    ids = [mail.message["Message-ID"] for mail in both.mails()]
    assert len(ids) == len(set(ids)) == 24
    assert {state for _, state in states(both)} == {"sent"}
    assert len(rows(both, DeliveryRow)) == 24
    other.extensions["bgmail"].store.close()


@pytest.mark.smtp
def test_three_people_get_three_letters_each_with_its_own_link(post: Post) -> None:
    people = settle(post.store, post.clock.now)
    chance = ScriptedChance([])
    for first, second in ((0, "bob"), (1, "charlie"), (2, "alice")):
        offer = invitations.invite(
            post.store, people[first], Terms(7), Handle(second), "", post.clock.now, chance
        )
        chance.script = [(5, 2)]
        invitations.accept(
            post.store, offer.id, accounts.by_handle(post.store, second).id, post.clock.now, chance
        )
    post.clock.pass_(minutes=11)
    post.deliver()
    mails = post.mails()
    assert sorted(mail.recipients for mail in mails) == [ALICE, BOB, "charlie@play.example"]
    for mail in mails:
        name = mail.recipients.partition("@")[0]
        assert f"Hello {name}," in mail.text()
        token = mail.text().split("/r/")[1].split()[0]
        claim = post.world.signer.read_claim(token)
        assert claim.match in mail.subject
        assert claim.side == 0
