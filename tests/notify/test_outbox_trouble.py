"""While a mail server is away, or refuses a letter, nothing is lost and nothing else waits for it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from bgmail.factory import create_app
from bgmail.notify import mail, sent, smtp
from bgmail.notify.attempts import FIRST_WAIT, LONGEST_WAIT, wait
from bgmail.notify.errands import deliver_some
from bgmail.notify.planning import plan_all
from bgmail.notify.smtp import Letterbox, Rejected, ServerDown
from bgmail.rules.side import Side
from bgmail.service import invitations, told
from bgmail.service.terms import Handle, Terms
from bgmail.store import notices
from bgmail.store.matches import table
from bgmail.store.tables import AccountRow, DeliveryRow, ErrandRow, NoticeRow
from tests.fixtures.servers import free_port
from tests.notify.conftest import NOON, Clock, Post, settings_for
from tests.notify.records import ALICE, BOB, owe_sign_in, rows, states
from tests.service.matchmaking import ScriptedChance, act, begin, settle


def test_without_a_mail_server_everything_stays_queued(tmp_path: Path, sqlite_schema_url: str) -> None:
    clock = Clock()
    app = create_app(replace(settings_for(tmp_path, sqlite_schema_url, 25), mail_server=None), clock=clock)
    here = app.extensions["bgmail"]
    begin(here.store, clock.now, (5, 2))
    clock.pass_(days=3)
    with app.app_context():
        assert deliver_some(here, clock.now) == []
    with here.store.read() as connection:
        assert notices.queued(connection) == (2, NOON)
    here.store.close()


@pytest.mark.smtp
def test_a_server_that_was_down_for_36_hours_brings_one_letter_a_match(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody = free_port()
    monkeypatch.setattr(smtp, "REST", 0.0)
    away = Letterbox(replace(post.world.settings, mail_port=nobody))
    alice, bob, _ = settle(post.store, post.clock.now)
    views = []
    chance = ScriptedChance([])
    for _ in range(3):
        offer = invitations.invite(post.store, alice, Terms(7), Handle("bob"), "", post.clock.now, chance)
        chance.script = [(5, 2)]
        views.append(invitations.accept(post.store, offer.id, bob, post.clock.now, chance))
    post.app.extensions[mail.EXTENSION] = away
    view = views[0]
    for turn in range(14):
        side = Side.WHITE if turn % 2 == 0 else Side.BLACK
        view = step(post, view, side, chance)
        post.clock.pass_(hours=36 / 14)
        assert all(what.startswith(("put off", "dropped")) for what in post.deliver())
    assert post.mails() == []
    del post.app.extensions[mail.EXTENSION]
    post.clock.pass_(minutes=15)
    post.deliver()
    for address in (ALICE, BOB):
        per_match = Counter(mail.message["References"] for mail in post.mails(address))
        assert all(count == 1 for count in per_match.values())
    assert len(post.mails()) == 3
    assert not [state for _, state in states(post) if state == "failed"]
    assert {row.outcome for row in rows(post, DeliveryRow)} == {"retry", "sent"}


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
    post.app.extensions[mail.EXTENSION] = Trouble(ServerDown("connection refused"))
    assert post.deliver() == ["put off sign_in 1"]
    assert [row.attempts for row in rows(post, ErrandRow)] == [1, 0, 0]


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
    post.app.extensions[mail.EXTENSION] = box
    assert post.deliver() == ["refused sign_in 1", "sent sign_in 2"]
    post.clock.pass_(days=30)
    assert post.deliver() == []
    assert states(post) == [("sign_in", "failed"), ("sign_in", "sent")]
    refused = rows(post, DeliveryRow)[0]
    assert (refused.outcome, refused.error) == ("refused", "550 5.1.1 no such person")


def test_a_letter_that_is_put_off_waits_longer_each_time_and_is_given_up_after_days(post: Post) -> None:
    alice, _, _ = settle(post.store, post.clock.now)
    owe_sign_in(post, alice, "a")
    post.app.extensions[mail.EXTENSION] = Trouble(smtp.Deferred("451 greylisted"))
    waits: list[timedelta] = []
    last = post.clock.now
    post.deliver()
    while states(post) == [("sign_in", "planned")]:
        (row,) = rows(post, ErrandRow)
        post.clock.now = row.due_at
        waits.append(row.due_at - last)
        last = row.due_at
        post.deliver()
    assert states(post) == [("sign_in", "failed")]
    assert 15 < len(waits) < 60
    assert waits[0] <= timedelta(minutes=1)
    assert max(waits) <= LONGEST_WAIT
    assert last - NOON > timedelta(days=5)
    assert {record.outcome for record in rows(post, DeliveryRow)} == {"retry"}
    ((found,), _) = told.page(post.store, alice)
    (way,) = found.ways
    assert (len(way.attempts), way.earlier) == (told.ATTEMPTS, len(waits) + 1 - told.ATTEMPTS)
    assert way.attempts[-1].at == last


def test_a_letter_that_can_not_be_written_is_set_aside_alone(
    post: Post, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    alice, bob, _ = settle(post.store, post.clock.now)
    owe_sign_in(post, alice, "a")
    owe_sign_in(post, bob, "b")
    with post.store.write() as connection:
        connection.execute(
            update(table(NoticeRow))
            .where(table(NoticeRow).c.id == 1)
            .values(data='{"claim":[1,0]}', kind="verify")
        )
        connection.execute(
            update(table(AccountRow)).where(table(AccountRow).c.id == alice).values(new_email=ALICE)
        )
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
        connection.execute(update(table(NoticeRow)).where(table(NoticeRow).c.id == 1).values(kind="surprise"))
    assert post.deliver() == ["sent sign_in 2"]
    assert "nothing could be planned for notice 1" in caplog.text
    assert states(post) == [("surprise", "ready"), ("sign_in", "sent")]
    with post.store.write() as connection:
        connection.execute(update(table(NoticeRow)).where(table(NoticeRow).c.id == 1).values(kind="sign_in"))
    post.clock.pass_(hours=1)
    assert post.deliver() == ["sent sign_in 1"]


def test_what_makes_no_sense_when_it_is_due_is_tried_less_and_less_and_given_up_after_days(
    post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    """It came back every ten minutes for ever."""
    alice, _, _ = settle(post.store, post.clock.now)
    owe_sign_in(post, alice, "a")
    with post.app.app_context():
        plan_all(post.world, post.clock.now)
    with post.store.write() as connection:
        connection.execute(update(table(NoticeRow)).where(table(NoticeRow).c.id == 1).values(kind="surprise"))
    assert post.deliver() == ["failed surprise 1"]
    while states(post) == [("surprise", "planned")]:
        (row,) = rows(post, ErrandRow)
        post.clock.now = row.due_at
        post.deliver()
    assert states(post) == [("surprise", "failed")]
    assert 15 < caplog.text.count("errand 1 could not be handled") < 60
    assert rows(post, DeliveryRow) == []


class Watched:
    """A letterbox that looks, at each letter, how many of those before are noted; it ends with a signal or not."""

    resting = False

    def __init__(self, post: Post, most: int) -> None:
        self.post, self.most = post, most
        self.left: list[int] = []

    def send(self, *_: object) -> None:
        if len(self.left) == self.most:
            raise SystemExit
        noted = sum(row.outcome == "sent" for row in rows(self.post, DeliveryRow))
        self.left.append(len(self.left) - noted)

    def close(self) -> None:
        """Nothing is open."""


def test_what_was_sent_is_noted_some_at_a_time_and_at_the_latest_when_the_sender_is_asked_to_end(
    post: Post,
) -> None:
    alice, _, _ = settle(post.store, post.clock.now)
    for number in range(19):
        owe_sign_in(post, alice, str(number))
    post.app.extensions[mail.EXTENSION] = box = Watched(post, 17)
    with pytest.raises(SystemExit):
        post.deliver()
    assert max(box.left) == sent.MOST - 1
    assert box.left[sent.MOST] == 0
    assert Counter(row.outcome for row in rows(post, DeliveryRow)) == {"sent": 17, None: 2}
    assert Counter(row.state for row in rows(post, ErrandRow)) == {"sent": 17, "ready": 2}


def test_waits_grow_and_are_spread() -> None:
    assert all(wait(1, tried, LONGEST_WAIT) <= LONGEST_WAIT for tried in range(50))
    assert FIRST_WAIT / 2 <= wait(7, 0, LONGEST_WAIT) <= FIRST_WAIT
    assert len({wait(number, 3, LONGEST_WAIT) for number in range(30)}) > 20


def test_what_a_slow_server_leaves_of_a_claim_is_given_back_in_time(post: Post) -> None:
    taken: list[bytes] = []

    class Slow:
        resting = False

        def send(self, message: bytes, *_: object) -> None:
            taken.append(message)
            post.clock.pass_(seconds=61)

        def close(self) -> None:
            """Nothing is open."""

    alice, _, _ = settle(post.store, post.clock.now)
    for number in range(8):
        told.test(post.store, alice, "mail", number, post.clock.now)
    post.app.extensions[mail.EXTENSION] = Slow()
    with post.app.app_context():
        assert len(deliver_some(post.world, post.clock.now)) == 5
    assert {row.due_at for row in rows(post, ErrandRow) if row.state == "ready"} == {NOON}
    assert len(post.deliver()) == 3
    assert len(taken) == 8
    assert {row.outcome for row in rows(post, DeliveryRow)} == {"sent"}
