"""What comes back of letters: only the address that it is about is stopped, and its owner can have them again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from bgmail.notify import mail, planning
from bgmail.notify.channel import Target
from bgmail.notify.occasion import Occasion
from bgmail.notify.smtp import Deferred, Rejected
from bgmail.service import accounts, bounces, choices, inbound, invitations, proofs, push, told
from bgmail.service.bounces import Report, Sort
from bgmail.service.choices import MAIL, Mode
from bgmail.service.deadlines import sweep_some
from bgmail.service.errors import NotFound, Refused
from bgmail.service.notices import Kind
from bgmail.service.proofs import AddressClaim
from bgmail.service.terms import Email, Handle, Terms
from bgmail.store import people
from bgmail.store.matches import table
from bgmail.store.tables import DeliveryRow, ErrandRow, MatchRow, ReportRow, TroubleRow
from tests.notify.conftest import Post
from tests.notify.records import ALICE, BOB, owe_sign_in, rows, states
from tests.notify.test_outbox_trouble import Trouble
from tests.service.matchmaking import ScriptedChance, begin, settle


def alice_of(post: Post) -> accounts.Account:
    return accounts.by_handle(post.store, "alice")


def report(post: Post, address: str, sort: Sort = Sort.FAILED, **values: Any) -> Report:
    """A report about the last letter to an address."""
    attempt = [row for row in rows(post, DeliveryRow) if row.address == address][-1]
    said = {"status": "5.1.1", "said": "550 5.1.1 no such person"} if sort is Sort.FAILED else {}
    return Report(sort, **{"message_id": attempt.message_id, "address": address, **said, **values})


def two_letters(post: Post) -> None:
    """It is Alice's turn, and Bob has asked for a link: both have their letters."""
    begin(post.store, post.clock.now, (5, 2))
    owe_sign_in(post, accounts.by_handle(post.store, "bob").id, "b")
    post.deliver()


def take(post: Post, told: Report) -> str:
    return bounces.take(post.store, told, post.clock.now)


def stopped(post: Post) -> list[tuple[str, str]]:
    return [(row.address, row.about) for row in all_of(post, TroubleRow) if row.stopped_at is not None]


def all_of(post: Post, of: type[Any]) -> list[Any]:
    with post.store.read() as connection:
        return list(connection.execute(select(table(of)).order_by(*table(of).primary_key)))


def test_only_the_address_of_the_letter_that_failed_is_stopped(both: Post) -> None:
    """Two letters are out; the one to Alice comes back, and a report names a letter that was never sent."""
    two_letters(both)
    assert {row.address for row in rows(both, DeliveryRow)} == {ALICE, BOB}
    never_sent = report(both, BOB, message_id="<notice.99.64a1b2c3d4@club.example>")
    assert take(both, never_sent) == "unknown"
    assert take(both, report(both, ALICE)) == "stopped"
    assert stopped(both) == [(ALICE, "")]
    assert [row.sort for row in rows(both, ReportRow)] == ["failed"]
    told = {row.address: (row.outcome, row.error) for row in rows(both, DeliveryRow)}
    assert told == {ALICE: ("returned", "550 5.1.1 no such person"), BOB: ("sent", "")}


@pytest.mark.parametrize(
    "own_id", ["", "<match.k7qm2xldw9pa.white@club.example>", "<notice.999999999999999999.1@club.example>"]
)
def test_what_is_no_letter_of_ours_is_unknown(post: Post, own_id: str) -> None:
    begin(post.store, post.clock.now, (5, 2))
    post.deliver()
    assert take(post, Report(Sort.FAILED, own_id, ALICE, "5.1.1")) == "unknown"
    assert (stopped(post), rows(post, ReportRow)) == ([], [])


def test_a_report_about_an_old_address_does_not_touch_the_new_one(post: Post) -> None:
    begin(post.store, post.clock.now, (5, 2))
    post.deliver()
    late = report(post, ALICE)
    with post.store.write() as connection:
        people.prove(connection, alice_of(post).id, "new@play.example", "new@play.example", post.clock.now)
    assert take(post, late) == "stopped"
    assert bounces.of(post.store, alice_of(post)) == []
    post.clock.pass_(hours=1)
    owe_turn(post)
    assert "sent" in " ".join(post.deliver())
    assert len(post.mails("new@play.example")) == 1


def owe_turn(post: Post) -> None:
    """One more match in which it is Alice's turn."""
    bob = accounts.by_handle(post.store, "bob").id
    chance = ScriptedChance([])
    offer = invitations.invite(
        post.store, alice_of(post).id, Terms(7), Handle("bob"), "", post.clock.now, chance
    )
    chance.script = [(5, 2)]
    invitations.accept(post.store, offer.id, bob, post.clock.now, chance)


def test_a_stopped_address_gets_no_letters_but_those_that_its_owner_asks_for(post: Post) -> None:
    two_letters(post)
    take(post, report(post, ALICE))
    before = len(post.mails(ALICE))
    post.clock.pass_(hours=1)
    owe_turn(post)
    owe_sign_in(post, alice_of(post).id, "a")
    post.deliver()
    assert [str(one.message["Subject"]) for one in post.mails(ALICE)[before:]] == ["Your sign-in link"]
    assert len(post.mails(BOB)) == 1
    assert [state for kind, state in states(post) if kind == "your_turn"] == ["failed", "obsolete"]


def test_a_letter_that_waits_when_its_address_is_stopped_is_dropped(post: Post) -> None:
    begin(post.store, post.clock.now, (5, 2))
    post.deliver()
    post.clock.pass_(hours=1)
    owe_turn(post)
    post.hang_up()
    post.app.extensions[mail.EXTENSION] = Trouble(Deferred("451 greylisted"), only="alice")
    post.deliver()
    del post.app.extensions[mail.EXTENSION]
    first = next(row for row in rows(post, DeliveryRow) if row.address == ALICE)
    take(post, Report(Sort.FAILED, first.message_id, ALICE, "5.1.1"))
    post.clock.pass_(hours=1)
    assert "dropped (letters come back)" in " ".join(post.deliver())


def test_a_letter_that_is_only_late_stops_nothing(post: Post) -> None:
    begin(post.store, post.clock.now, (5, 2))
    post.deliver()
    assert take(post, report(post, ALICE, Sort.DELAYED, status="4.4.1")) == "noted"
    assert take(post, report(post, ALICE, Sort.DELAYED, status="4.4.1")) == "repeated"
    assert (stopped(post), len(rows(post, ReportRow))) == ([], 1)
    assert take(post, report(post, ALICE)) == "stopped"


def test_the_same_report_twice_counts_once(both: Post) -> None:
    begin(both.store, both.clock.now, (5, 2))
    both.deliver()
    told = report(both, ALICE)
    assert [take(both, told) for _ in range(2)] == ["stopped", "repeated"]


def test_a_report_that_names_another_mailbox_only_counts(post: Post) -> None:
    """Alice's provider passes her letters on to a second mailbox, and that one is full."""
    begin(post.store, post.clock.now, (5, 2))
    post.deliver()
    named = report(post, ALICE)
    other = Report(Sort.FAILED, named.message_id, "alice@elsewhere.example", "5.2.2")
    assert take(post, other) == "noted"
    assert stopped(post) == []


def test_an_address_is_the_same_in_capitals(post: Post) -> None:
    begin(post.store, post.clock.now, (5, 2))
    post.deliver()
    assert (
        take(post, Report(Sort.FAILED, report(post, ALICE).message_id, ALICE.upper(), "5.1.1")) == "stopped"
    )


def test_a_refusal_while_we_talk_to_the_server_stops_the_address_too(post: Post) -> None:
    alice, _, _ = settle(post.store, post.clock.now)
    owe_sign_in(post, alice, "a")
    post.app.extensions[mail.EXTENSION] = Trouble(Rejected("550 5.1.1 no such person"), only="alice")
    assert post.deliver() == ["refused sign_in 1"]
    assert stopped(post) == [(ALICE, "")]
    (trouble,) = bounces.of(post.store, alice_of(post))
    assert (trouble.said, trouble.since) == ("550 5.1.1 no such person", post.clock.now)


def test_its_owner_has_letters_tried_again_and_a_late_report_is_old_news(post: Post) -> None:
    begin(post.store, post.clock.now, (5, 2))
    owe_turn(post)
    post.deliver()
    first, second = [row.message_id for row in rows(post, DeliveryRow) if row.address == ALICE]
    assert take(post, Report(Sort.FAILED, first, ALICE, "5.1.1")) == "stopped"
    post.clock.pass_(minutes=1)
    bounces.try_again(post.store, alice_of(post), post.clock.now)
    assert bounces.of(post.store, alice_of(post)) == []
    (sent,) = post.deliver()
    assert sent.startswith("sent test")
    assert take(post, Report(Sort.FAILED, second, ALICE, "5.1.1")) == "noted"
    assert stopped(post) == []
    assert take(post, report(post, ALICE)) == "stopped"


def test_who_opens_a_link_in_a_letter_gets_letters(post: Post) -> None:
    begin(post.store, post.clock.now, (5, 2))
    post.deliver()
    take(post, report(post, ALICE))
    with post.store.write() as connection:
        people.change(connection, alice_of(post).id, email=None, email_key=None, new_email=ALICE)
    proofs.prove(post.store, AddressClaim(alice_of(post).id, ALICE), post.clock.now)
    assert (stopped(post), bounces.of(post.store, alice_of(post))) == ([], [])


def test_a_complaint_switches_off_its_kind_and_no_other(both: Post) -> None:
    begin(both.store, both.clock.now, (5, 2))
    both.deliver()
    assert take(both, report(both, ALICE, Sort.COMPLAINT)) == "muted"
    chosen = choices.of(both.store, alice_of(both).id)
    assert chosen.modes == {("your_turn", MAIL): Mode.OFF}
    (trouble,) = bounces.of(both.store, alice_of(both))
    assert trouble.about == "your_turn"
    bounces.settle(both.store, alice_of(both), "your_turn", both.clock.now, wanted=True)
    assert choices.of(both.store, alice_of(both).id).modes == {}
    assert bounces.of(both.store, alice_of(both)) == []


def test_a_complaint_about_a_digest_switches_off_what_comes_in_it(post: Post) -> None:
    alice, _, _ = settle(post.store, post.clock.now)
    choices.choose(
        post.store, alice, {(Kind.GAME_OVER, MAIL): Mode.DIGEST, (Kind.YOUR_TURN, MAIL): Mode.DIGEST}
    )
    owe_turn(post)
    post.deliver()
    post.clock.pass_(hours=21)
    assert any("digest" in what for what in post.deliver())
    assert take(post, report(post, ALICE, Sort.COMPLAINT)) == "muted"
    assert set(choices.of(post.store, alice).modes.values()) == {Mode.OFF}


def test_a_complaint_about_a_letter_that_somebody_asked_for_is_only_noted(post: Post) -> None:
    alice, _, _ = settle(post.store, post.clock.now)
    owe_sign_in(post, alice, "a")
    post.deliver()
    assert take(post, report(post, ALICE, Sort.COMPLAINT)) == "noted"
    assert (choices.of(post.store, alice).modes, stopped(post)) == ({}, [])


def test_an_invited_stranger_who_complains_is_written_to_no_more(post: Post) -> None:
    alice, bob, _ = settle(post.store, post.clock.now)
    stranger = "dana@play.example"
    invitations.invite(post.store, alice, Terms(7), Email(stranger), "", post.clock.now, ScriptedChance([]))
    post.deliver()
    assert take(post, report(post, stranger, Sort.COMPLAINT)) == "stopped"
    with pytest.raises(Refused) as refused:
        invitations.invite(post.store, bob, Terms(7), Email(stranger), "", post.clock.now, ScriptedChance([]))
    assert refused.value.code == "email_returned"


def test_a_relay_that_was_mended_is_tried_for_everybody_again(post: Post) -> None:
    two_letters(post)
    for address in (ALICE, BOB):
        take(post, report(post, address))
    assert bounces.start(post.store, ALICE.upper(), post.clock.now)
    assert not bounces.start(post.store, ALICE, post.clock.now)
    assert bounces.start_all(post.store, post.clock.now) == 1
    assert stopped(post) == []


class Loud:
    """A channel that its readers have switched off: it speaks where time runs out and nothing else does."""

    name = "loud"

    def targets(
        self, connection: Any, occasion: Occasion, now: datetime, *, rescue: bool = False
    ) -> Sequence[Target]:
        return (Target(7, now),) if rescue and occasion.reader and occasion.reader.handle == "alice" else ()


@pytest.fixture
def loud(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "CHANNELS", (*planning.CHANNELS, Loud()))


def channels(post: Post) -> list[tuple[str, str]]:
    """What the channels made of Alice's notices; the first of all is the invitation that Bob has accepted."""
    return [(row.channel, row.state) for row in rows(post, ErrandRow) if row.notice_id > 1]


@pytest.mark.usefixtures("loud")
@pytest.mark.parametrize("mode", [Mode.NOW, Mode.ABSENCE, Mode.DIGEST])
def test_where_letters_come_back_and_time_runs_out_what_is_switched_off_tells_it(
    both: Post, mode: Mode
) -> None:
    begin(both.store, both.clock.now, (5, 2))
    both.deliver()
    alice = accounts.by_handle(both.store, "alice").id
    choices.choose(both.store, alice, {(Kind.REMINDER, MAIL): mode})
    assert take(both, report(both, ALICE)) == "stopped"
    both.deliver()
    assert channels(both) == [("mail", "failed")]
    assert states(both)[1:] == [("your_turn", "failed")]
    both.clock.now = deadline(both) - timedelta(hours=6)
    while sweep_some(both.store, both.clock.now, ScriptedChance([])):
        pass
    both.deliver()
    assert channels(both) == [("mail", "failed"), ("loud", "ready")]


@pytest.mark.usefixtures("loud")
def test_a_letter_that_comes_back_near_the_deadline_is_told_another_way(both: Post) -> None:
    begin(both.store, both.clock.now, (5, 2))
    both.clock.now = deadline(both) - timedelta(hours=3)
    both.deliver()
    assert take(both, report(both, ALICE)) == "stopped"
    both.deliver()
    assert channels(both) == [("mail", "failed"), ("loud", "ready")]
    assert states(both)[1:] == [("your_turn", "planned")]


@pytest.mark.usefixtures("loud")
def test_a_letter_that_waits_near_the_deadline_is_told_another_way_when_its_address_is_stopped(
    post: Post,
) -> None:
    begin(post.store, post.clock.now, (5, 2))
    post.clock.now = deadline(post) - timedelta(hours=3)
    with post.app.app_context():
        planning.plan_all(post.world, post.clock.now)
    bounces.refuse(post.store, ALICE, "550 no such person", post.clock.now)
    assert post.deliver()[1:] == ["dropped (letters come back) your_turn 2"]
    assert channels(post) == [("mail", "obsolete"), ("loud", "ready")]
    ((reminded, *_), _) = told.page(post.store, accounts.by_handle(post.store, "alice").id)
    assert [way.reason for way in reminded.ways] == ["letters come back", ""]


@pytest.mark.usefixtures("loud")
def test_what_is_urgent_of_a_digest_that_comes_back_is_told_another_way(post: Post) -> None:
    begin(post.store, post.clock.now, (5, 2))
    alice = accounts.by_handle(post.store, "alice").id
    choices.choose(post.store, alice, {(Kind.YOUR_TURN, MAIL): Mode.OFF, (Kind.REMINDER, MAIL): Mode.DIGEST})
    post.clock.now = deadline(post) - timedelta(hours=6)
    while sweep_some(post.store, post.clock.now, ScriptedChance([])):
        pass
    post.deliver()
    post.clock.pass_(hours=2)
    assert "sent digest 4" in post.deliver()
    assert take(post, report(post, ALICE)) == "stopped"
    post.deliver()
    assert channels(post)[-1] == ("loud", "ready")
    assert rows(post, ErrandRow)[-1].notice_id == 3


def deadline(post: Post) -> datetime:
    (row,) = all_of(post, MatchRow)
    at: datetime = row.deadline_at
    return at


def test_a_nul_in_a_form_is_nobody_s_kind_address_or_browser(both: Post) -> None:
    settle(both.store, both.clock.now)
    alice = alice_of(both)
    bounces.settle(both.store, alice, "\0", both.clock.now, wanted=True)
    inbound.drop_sender(both.store, alice.id, "a\0@b.example")
    point = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    with pytest.raises(NotFound):
        push.move(
            both.store, 1, "\0", push.Wish("https://push.example.org/x", point, "BTBZMqHH6r4Tts7J_aSIgg")
        )
