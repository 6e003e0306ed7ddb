"""The outbox: each fact once, checked again before it is sent, and nothing lost while a mail server is away."""

from __future__ import annotations

import socket
import threading
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from bgmail.devmail import Sink
from bgmail.factory import create_app
from bgmail.notify import outbox, smtp
from bgmail.notify.outbox import FIRST_WAIT, LONGEST_WAIT, deliver_one, wait
from bgmail.notify.smtp import Letterbox, Rejected, ServerDown
from bgmail.rules.side import Side
from bgmail.service import accounts, entrance, invitations
from bgmail.service.deadlines import sweep_one
from bgmail.service.notices import Kind, fact, owe
from bgmail.service.terms import Email, Handle, Terms
from bgmail.store import notices
from bgmail.store.matches import table
from bgmail.store.tables import AccountRow, DeliveryRow, NoticeRow
from tests.notify.conftest import NOON, Clock, Post, settings_for
from tests.service.matchmaking import ScriptedChance, act, begin, settle

ALICE, BOB = "alice@play.example", "bob@play.example"
_account, _delivery, _notice = table(AccountRow), table(DeliveryRow), table(NoticeRow)


def rows(post: Post, of: Any) -> list[Any]:
    with post.store.read() as connection:
        return list(connection.execute(select(of).order_by(of.c.id)))


def states(post: Post) -> list[tuple[str, str]]:
    return [(row.kind, row.state) for row in rows(post, _notice)]


def owe_sign_in(post: Post, account_id: int, which: str) -> None:
    """A letter that always holds, for tests of the outbox itself."""
    account = accounts.by_id(post.store, account_id)
    data = {"claim": [account_id, account.epoch]}
    with post.store.write() as connection:
        owe(
            connection,
            [
                fact(
                    Kind.SIGN_IN,
                    post.clock.now,
                    account_id=account_id,
                    address=account.email or "",
                    which=which,
                    data=data,
                )
            ],
        )


@pytest.mark.smtp
def test_a_fact_becomes_one_letter_and_one_record(both: Post) -> None:
    begin(both.store, both.clock.now, (5, 2))
    both.clock.pass_(minutes=11)
    done = both.deliver()
    assert done == ["dropped (overtaken) invitation 1", "sent your_turn 2"]
    assert both.deliver() == []
    assert states(both) == [("invitation", "obsolete"), ("your_turn", "sent")]
    (record,) = rows(both, _delivery)
    assert (record.channel, record.address, record.outcome, record.error) == ("mail", ALICE, "sent", "")
    assert record.message_id == both.last(ALICE).message["Message-ID"]
    assert record.ended_at is not None


@pytest.mark.smtp
def test_whoever_just_acted_gets_the_letter_ten_minutes_later_and_never_not_at_all_bg_083(post: Post) -> None:
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
def test_a_turn_that_was_played_before_its_letter_went_out_is_not_announced(both: Post) -> None:
    view, chance = begin(both.store, both.clock.now, (5, 2))
    act(both.store, view, Side.WHITE, "play", both.clock.now, chance, play="13/8 13/11")
    both.deliver()
    assert both.mails(ALICE) == []
    assert len(both.mails(BOB)) == 1
    assert ("your_turn", "obsolete") in states(both)


@pytest.mark.smtp
def test_a_reminder_whose_turn_is_over_is_not_sent_bg_049(post: Post) -> None:
    view, chance = begin(post.store, post.clock.now, (5, 2))
    post.clock.pass_(hours=20)
    sweep_one(post.store, post.clock.now, chance)
    act(post.store, view, Side.WHITE, "play", post.clock.now, chance, play="13/8 13/11")
    post.deliver()
    assert ("reminder", "obsolete") in states(post)
    assert post.mails(ALICE) == []


@pytest.mark.smtp
def test_the_newest_of_several_facts_about_a_match_speaks_for_all(both: Post) -> None:
    _, chance = begin(both.store, both.clock.now, (5, 2))
    both.clock.pass_(hours=20)
    sweep_one(both.store, both.clock.now, chance)
    assert both.deliver() == [
        "dropped (overtaken) invitation 1",
        "dropped (newer) your_turn 2",
        "sent reminder 3",
    ]
    assert len(both.mails(ALICE)) == 1


@pytest.mark.smtp
@pytest.mark.parametrize("change", ["banned_at", "closed_at", "email"])
def test_nothing_goes_to_somebody_who_is_shut_out_or_has_no_proven_address(post: Post, change: str) -> None:
    begin(post.store, post.clock.now, (5, 2))
    values = {change: None if change == "email" else post.clock.now}
    with post.store.write() as connection:
        connection.execute(update(_account).where(_account.c.handle == "alice").values(**values))
    post.clock.pass_(minutes=11)
    post.deliver()
    assert post.mails() == []
    assert ("your_turn", "obsolete") in states(post)


@pytest.mark.smtp
def test_a_kind_that_is_switched_off_stays_away_and_others_come_bg_103(post: Post) -> None:
    view, chance = begin(post.store, post.clock.now, (5, 2))
    alice = accounts.by_handle(post.store, "alice").id
    accounts.mute(post.store, alice, Kind.YOUR_TURN, muted=True)
    post.clock.pass_(minutes=11)
    post.deliver()
    assert post.mails(ALICE) == []
    entrance.ask_for_link(post.store, Kind.RESET, ALICE, "client", post.clock.now)
    post.clock.pass_(hours=20)
    sweep_one(post.store, post.clock.now, chance)
    post.deliver()
    assert [mail.subject.split(",")[0] for mail in post.mails(ALICE)] == [
        "Choose a new password",
        "3 h 49 min until your bank is used",
    ]
    assert view.id


@pytest.mark.smtp
def test_a_muted_newer_letter_does_not_silence_an_older_one(post: Post) -> None:
    _, chance = begin(post.store, post.clock.now, (5, 2))
    alice = accounts.by_handle(post.store, "alice").id
    accounts.mute(post.store, alice, Kind.REMINDER, muted=True)
    post.clock.pass_(hours=20)
    sweep_one(post.store, post.clock.now, chance)
    assert "sent your_turn 2" in post.deliver()


@pytest.mark.smtp
def test_a_link_that_lets_in_is_not_sent_after_everything_was_ended(post: Post) -> None:
    alice, _, _ = settle(post.store, post.clock.now)
    entrance.ask_for_link(post.store, Kind.SIGN_IN, ALICE, "client", post.clock.now)
    accounts.ban(post.store, alice, post.clock.now)
    accounts.unban(post.store, alice)
    assert post.deliver() == ["dropped (overtaken) sign_in 1"]


@pytest.mark.smtp
def test_an_invitation_that_was_answered_or_expired_is_not_sent(post: Post) -> None:
    alice, _, _ = settle(post.store, post.clock.now)
    chance = ScriptedChance([])
    view = invitations.invite(
        post.store, alice, Terms(7), Email("eve@friends.example"), "", post.clock.now, chance
    )
    invitations.cancel(post.store, view.id, alice, post.clock.now, chance)
    invitations.invite(post.store, alice, Terms(7), Handle("bob"), "", post.clock.now, chance)
    post.clock.pass_(days=15)
    assert all(what.startswith("dropped (overtaken) invitation") for what in post.deliver())
    assert post.mails() == []


def test_without_a_mail_server_everything_stays_queued(tmp_path: Path, sqlite_schema_url: str) -> None:
    clock = Clock()
    app = create_app(replace(settings_for(tmp_path, sqlite_schema_url, 25), mail_server=None), clock=clock)
    here = app.extensions["bgmail"]
    begin(here.store, clock.now, (5, 2))
    clock.pass_(days=3)
    with app.app_context():
        assert deliver_one(here, clock.now) is None
    with here.store.read() as connection:
        assert notices.queued(connection) == (2, NOON)
    here.store.close()


@pytest.mark.smtp
def test_a_server_that_was_down_for_36_hours_brings_one_letter_a_match_bg_082(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        nobody = taken.getsockname()[1]
    monkeypatch.setattr(smtp, "REST", 0.0)
    away = Letterbox(replace(post.world.settings, mail_port=nobody))
    alice, bob, _ = settle(post.store, post.clock.now)
    views = []
    chance = ScriptedChance([])
    for _ in range(3):
        offer = invitations.invite(post.store, alice, Terms(7), Handle("bob"), "", post.clock.now, chance)
        chance.script = [(5, 2)]
        views.append(invitations.accept(post.store, offer.id, bob, post.clock.now, chance))
    post.app.extensions[outbox.EXTENSION] = away
    view = views[0]
    for turn in range(14):
        side = Side.WHITE if turn % 2 == 0 else Side.BLACK
        view = step(post, view, side, chance)
        post.clock.pass_(hours=36 / 14)
        assert all(what.startswith(("put off", "dropped")) for what in post.deliver())
    assert post.mails() == []
    del post.app.extensions[outbox.EXTENSION]
    post.clock.pass_(minutes=15)
    post.deliver()
    for address in (ALICE, BOB):
        per_match = Counter(mail.message["References"] for mail in post.mails(address))
        assert all(count == 1 for count in per_match.values())
    assert len(post.mails()) == 3
    assert not [state for _, state in states(post) if state == "failed"]
    assert {row.outcome for row in rows(post, _delivery)} == {"retry", "sent"}


def step(post: Post, view: Any, side: Side, chance: ScriptedChance) -> Any:
    """Somebody plays whatever is legal first."""
    from bgmail.rules.match import Phase, legal

    if view.match.phase is Phase.ROLL_OR_DOUBLE:
        view = act(post.store, view, side, "roll", post.clock.now, chance).view
    if view.match.on_turn is side and view.match.phase is Phase.PLAY:
        play = str(legal(view.match)[0])
        view = act(post.store, view, side, "play", post.clock.now, chance, play=play).view
    return view


@pytest.mark.smtp
def test_while_the_server_rests_nothing_is_claimed(post: Post) -> None:
    alice, _, _ = settle(post.store, post.clock.now)
    for number in range(3):
        owe_sign_in(post, alice, str(number))
    post.app.extensions[outbox.EXTENSION] = Trouble(ServerDown("connection refused"))
    assert post.deliver() == ["put off sign_in 1"]
    assert [row.attempts for row in rows(post, _notice)] == [1, 0, 0]


class Trouble:
    """A letterbox that fails in one way, for some letters or for all."""

    def __init__(self, trouble: Exception, only: str = "") -> None:
        self.trouble, self.only = trouble, only
        self.resting = False
        self.sent: list[str] = []

    def send(self, message: Any, sender: str, recipient: str) -> None:
        if not self.only or self.only in recipient:
            self.resting = isinstance(self.trouble, ServerDown)
            raise self.trouble
        self.sent.append(recipient)

    def close(self) -> None:
        self.resting = False


def test_a_letter_that_is_refused_for_good_is_recorded_and_not_tried_again(post: Post) -> None:
    alice, bob, _ = settle(post.store, post.clock.now)
    owe_sign_in(post, alice, "a")
    owe_sign_in(post, bob, "b")
    box = Trouble(Rejected("550 5.1.1 no such person"), only="alice")
    post.app.extensions[outbox.EXTENSION] = box
    assert post.deliver() == ["refused sign_in 1", "sent sign_in 2"]
    post.clock.pass_(days=30)
    assert post.deliver() == []
    assert states(post) == [("sign_in", "failed"), ("sign_in", "sent")]
    refused = rows(post, _delivery)[0]
    assert (refused.outcome, refused.error) == ("refused", "550 5.1.1 no such person")


def test_a_letter_that_is_put_off_waits_longer_each_time_and_is_given_up_after_days(post: Post) -> None:
    alice, _, _ = settle(post.store, post.clock.now)
    owe_sign_in(post, alice, "a")
    post.app.extensions[outbox.EXTENSION] = Trouble(smtp.Deferred("451 greylisted"))
    waits, last = [], post.clock.now
    while states(post) == [("sign_in", "ready")]:
        (row,) = rows(post, _notice)
        post.clock.now = row.due_at
        waits.append(row.due_at - last)
        last = row.due_at
        post.deliver()
    assert states(post) == [("sign_in", "failed")]
    assert 15 < len(waits) < 60
    assert waits[1] <= timedelta(minutes=1)
    assert max(waits) <= LONGEST_WAIT
    assert last - NOON > timedelta(days=5)
    assert {record.outcome for record in rows(post, _delivery)} == {"retry"}


def test_a_letter_that_can_not_be_written_is_set_aside_alone(
    post: Post, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    alice, bob, _ = settle(post.store, post.clock.now)
    owe_sign_in(post, alice, "a")
    owe_sign_in(post, bob, "b")
    with post.store.write() as connection:
        connection.execute(
            update(_notice).where(_notice.c.id == 1).values(data='{"claim":[1,0]}', kind="verify")
        )
        connection.execute(update(_account).where(_account.c.id == alice).values(new_email=ALICE))
    monkeypatch.setattr("bgmail.notify.letters.people.PROOF_LIFETIME", None)
    assert post.deliver() == ["put off verify 1", "sent sign_in 2"]
    assert "could not be written" in caplog.text


def test_a_row_that_makes_no_sense_is_put_off_and_does_not_stop_the_others(
    post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    alice, bob, _ = settle(post.store, post.clock.now)
    owe_sign_in(post, alice, "a")
    owe_sign_in(post, bob, "b")
    with post.store.write() as connection:
        connection.execute(update(_notice).where(_notice.c.id == 1).values(kind="surprise"))
    assert post.deliver() == ["failed surprise 1", "sent sign_in 2"]
    assert "could not be handled" in caplog.text


@pytest.mark.smtp
def test_a_sender_that_died_leaves_a_claim_that_runs_out_and_the_same_message_id(both: Post) -> None:
    alice, _, _ = settle(both.store, both.clock.now)
    owe_sign_in(both, alice, "a")
    with both.store.write() as connection:
        row = notices.claim(connection, both.clock.now, both.clock.now + outbox.CLAIM)
    assert row is not None
    assert both.deliver() == []
    both.clock.pass_(minutes=10)
    assert both.deliver() == ["sent sign_in 1"]
    assert f".{round(row.created_at.timestamp() * 1_000_000):x}@" in both.last(ALICE).message["Message-ID"]


@pytest.mark.smtp
def test_two_senders_at_once_send_each_letter_once_bg_076(
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
                start.wait(timeout=10)
                idle = 0
                while idle < 3:
                    idle = idle + 1 if deliver_one(here, clock.now) is None else 0
                outbox.letterbox(here).close()
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
    assert len(rows(both, _delivery)) == 24
    other.extensions["bgmail"].store.close()


@pytest.mark.smtp
def test_three_people_get_three_letters_each_with_its_own_link_bg_085(post: Post) -> None:
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


def test_waits_grow_and_are_spread() -> None:
    assert all(wait(1, tried, LONGEST_WAIT) <= LONGEST_WAIT for tried in range(50))
    assert FIRST_WAIT / 2 <= wait(7, 0, LONGEST_WAIT) <= FIRST_WAIT
    assert len({wait(number, 3, LONGEST_WAIT) for number in range(30)}) > 20
