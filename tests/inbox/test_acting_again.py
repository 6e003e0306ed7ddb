"""Answers by mail that come again, too late, from nobody, or to a worker that dies: each acts once or not at all."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bgmail.dice import FairChance
from bgmail.inbox.handling import handle_one
from bgmail.rules.match import Phase
from bgmail.rules.side import Side
from bgmail.service import accounts, departures, inbound, matches, turns
from bgmail.service.deadlines import sweep_some
from bgmail.store.inbound import inbound as table
from tests.inbox.replies import Desk, address_of, another, text_of
from tests.service.matchmaking import act, begin

pytestmark = pytest.mark.smtp
CHANCE = FairChance()


def test_the_same_mail_again_acts_once(both: Desk) -> None:
    """The same Message-ID, token and words: delivered thrice, once by another way."""
    view, _ = begin(both.store, both.clock.now, (3, 1))
    letter = both.letter("alice")
    raw = both.answer(letter, "8/5 6/5\n\nhello")
    assert both.receive(raw, address_of(letter)) == 1
    assert both.receive(raw, address_of(letter)) == 0
    assert both.receive(b"Received: from elsewhere\r\n" + raw, address_of(letter).upper()) == 1
    assert both.handle() == ["acted", "repeated"]
    both.clock.pass_(hours=1)
    both.receive(b"Received: from an attacker\r\n" + raw, address_of(letter))
    assert both.handle() == ["repeated"]
    assert [entry.kind for entry in matches.log(both.store, view.id)].count("play") == 1
    assert both.chat(both.view(view)) == [("alice", "hello")]
    both.deliver()
    assert len(both.mails("alice@play.example")) == 1


def test_an_answer_to_an_older_letter_is_told_where_the_match_stands(desk: Desk) -> None:
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    act(desk.store, view, Side.WHITE, "play", desk.clock.now, CHANCE, play="8/5 6/5")
    head = desk.view(view).head
    assert desk.reply(letter, "24/23 13/10") == ["too late"]
    assert desk.view(view).head == head
    text = " ".join(text_of(desk.letter("alice", 0)).split())
    assert "Your mail with “24/23 13/10” answers an older letter" in text


def test_an_answer_to_one_match_never_acts_in_the_next(desk: Desk) -> None:
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    again = another(desk, (3, 1))
    act(desk.store, view, Side.WHITE, "resign_match", desk.clock.now, CHANCE)
    assert desk.reply(letter, "8/5 6/5", subject=f"Re: match with bob #{again.id}") == ["too late"]
    assert desk.view(again).head == again.head


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto_Submitted": "auto-replied"},
        {"X_Autoreply": "yes"},
        {"Precedence": "bulk"},
        {"List_Id": "<club.lists.example>"},
        {"subject": "Out of office: Re: your turn"},
        {"sender": "mailer-daemon@play.example"},
        {"sender": "letters@club.example"},
        {"sender": "play+abc@answers.club.example"},
    ],
)
def test_what_no_person_wrote_neither_acts_nor_is_answered(desk: Desk, headers: dict[str, str]) -> None:
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    sent = len(desk.mails())
    (outcome,) = desk.reply(letter, "8/5 6/5", **headers)
    assert outcome in ("automatic", "list", "bounce", "our own")
    assert desk.view(view).head == view.head
    desk.clock.pass_(minutes=30)
    desk.deliver()
    assert len(desk.mails()) == sent


def test_a_responder_without_headers_is_answered_twice_a_day(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    for number in range(20):
        desk.reply(letter, "This mailbox is not read.", sender=f"robot{number}@elsewhere.example")
        desk.clock.pass_(minutes=1)
        desk.deliver()
    assert desk.outcomes().count("silent") == 18
    assert caplog.text.count(f"mail for match {view.id} is not answered any more today") == 18
    assert len(desk.mails("alice@play.example")) == 3
    assert desk.reply(letter, "8/5 6/5") == ["acted"]
    assert desk.view(view).match.on_turn is Side.BLACK


def test_accepted_before_the_deadline_and_handled_after_it_is_in_time(desk: Desk) -> None:
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    assert view.deadline_at is not None
    desk.clock.now = view.deadline_at - timedelta(seconds=1)
    received = desk.clock.now
    desk.receive(desk.answer(letter, "8/5 6/5"), address_of(letter))
    desk.clock.pass_(hours=2)
    assert sweep_some(desk.store, desk.clock.now, CHANCE)[0].startswith("waits for its mail")
    with pytest.raises(turns.Stale):
        act(desk.store, view, Side.BLACK, "resign", desk.clock.now, CHANCE, value=1)
    assert desk.handle() == ["acted"]
    after = desk.view(view)
    assert after.match.on_turn is Side.BLACK
    assert after.moved_at == received


def test_accepted_after_the_deadline_is_too_late(desk: Desk) -> None:
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    assert view.deadline_at is not None
    desk.clock.now = view.deadline_at
    assert desk.reply(letter, "8/5 6/5") == ["too late"]
    assert desk.view(view).match.phase is Phase.OVER


def test_a_doubtful_mail_does_not_hold_the_clock(wary: Desk) -> None:
    view, _ = begin(wary.store, wary.clock.now, (3, 1))
    letter = wary.letter("alice")
    assert view.deadline_at is not None
    wary.clock.now = view.deadline_at - timedelta(minutes=1)
    assert wary.reply(letter, "8/5 6/5") == ["asked"]
    wary.clock.pass_(minutes=2)
    for _ in range(3):
        sweep_some(wary.store, wary.clock.now, CHANCE)
    assert wary.view(view).match.phase is Phase.OVER


def test_a_mail_that_fails_again_and_again_is_given_up_and_holds_up_nobody(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    monkeypatch.setattr("bgmail.inbox.handling.read", lambda *_: 1 / 0)
    desk.receive(desk.answer(letter, "8/5 6/5"), address_of(letter))
    assert desk.handle() == ["put off"]
    for _ in range(inbound.MOST_ATTEMPTS):
        desk.clock.pass_(minutes=10)
        desk.handle()
    assert desk.outcomes() == ["failed"]
    assert not turns.awaits_mail(desk.store, view)


class Killed(BaseException):
    """The end of a process, in the middle of something."""


@pytest.mark.parametrize("text", ["8/5 6/5\n\nhello", "resign\n\nhello"])
def test_a_killed_worker_loses_nothing_and_does_nothing_twice(
    both: Desk, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    view, _ = begin(both.store, both.clock.now, (3, 1))
    letter = both.letter("alice")
    both.receive(both.answer(letter, text), address_of(letter))
    with monkeypatch.context() as patch:
        patch.setattr("bgmail.service.inbound.close", _die)
        with pytest.raises(Killed):
            handle_one(both.world, both.clock.now)
    acted = both.view(view)
    assert acted.head > view.head
    assert both.chat(acted) == []
    assert both.handle() == []
    both.clock.now += inbound.CLAIM
    assert both.handle() == ["acted"]
    assert both.view(view).head == acted.head
    assert both.chat(acted) == [("alice", "hello")]


def _die(*_arguments: object, **_options: object) -> bool:
    raise Killed


def test_mail_of_somebody_shut_out_is_nobodys(desk: Desk) -> None:
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    assert view.white is not None
    accounts.ban(desk.store, view.white.id, desk.clock.now)
    assert desk.reply(letter, "8/5 6/5") == ["nobody"]
    departures.ban(desk.store, view.white.id, desk.clock.now, CHANCE)
    assert desk.reply(letter, "8/5 6/5") == ["nobody"]


def test_a_handled_mail_is_not_kept(desk: Desk) -> None:
    begin(desk.store, desk.clock.now, (3, 1))
    desk.reply(desk.letter("alice"), "8/5 6/5")
    with desk.store.read() as connection:
        assert [bytes(row.raw) for row in connection.execute(table.select())] == [b""]
    assert inbound.forget_past(desk.store, desk.clock.now) == 0
    assert inbound.forget_past(desk.store, desk.clock.now + timedelta(days=31)) == 1


def test_what_doesnt_fit_into_the_chat_is_told(desk: Desk) -> None:
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    assert desk.reply(desk.letter("alice"), "8/5 6/5\n\n" + "word " * 300) == ["acted"]
    assert desk.view(view).match.on_turn is Side.BLACK
    assert "nobody has seen it" in " ".join(text_of(desk.letter("alice", 0)).split())


def test_who_has_a_mailbox_at_the_domain_of_the_answers_is_no_letter_of_ours(desk: Desk) -> None:
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    sender = "alice@answers.club.example"
    alice = accounts.by_handle(desk.store, "alice")
    inbound.add_sender(desk.store, alice, sender, desk.clock.now)
    assert desk.reply(desk.letter("alice"), "8/5 6/5", sender=sender) == ["acted"]
    assert desk.view(view).match.on_turn is Side.BLACK


def test_half_a_sign_in_the_chat_is_shown_as_lost(both: Desk) -> None:
    view, _ = begin(both.store, both.clock.now, (3, 1))
    letter = both.letter("alice")
    stamp = "Authentication-Results: mx.club.example; dmarc=pass header.from=play.example\r\n"
    head = f"{stamp}From: alice@play.example\r\nContent-Type: text/plain; charset=utf-7\r\n\r\n"
    both.receive(f"{head}8/5 6/5\r\n\r\nHi +2AA- there\r\n".encode(), address_of(letter))
    assert both.handle() == ["acted"]
    assert both.chat(both.view(view)) == [("alice", "Hi \ufffd there")]


def test_a_mail_that_its_workers_die_of_is_given_up(desk: Desk) -> None:
    begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    desk.receive(desk.answer(letter, "8/5 6/5"), address_of(letter))
    for _ in range(inbound.MOST_ATTEMPTS):
        assert inbound.claim(desk.store, desk.clock.now) is not None
        desk.clock.pass_(minutes=6)
    assert handle_one(desk.world, desk.clock.now) == "gave up 1"
    assert desk.outcomes() == ["failed"]
