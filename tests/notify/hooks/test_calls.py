"""Events as their receivers get them: which, signed how, repeated when, and what follows from the answers."""

from __future__ import annotations

import socket
from datetime import timedelta
from functools import partial

import pytest
import time_machine
from sqlalchemy import select, update
from standardwebhooks import Webhook as Verifier

from bgmail.notify.hooks import wire
from bgmail.rules.side import Side
from bgmail.service import accounts, invitations, webhooks
from bgmail.service.deadlines import sweep_some
from bgmail.service.notices import Kind
from bgmail.service.terms import Handle, Terms
from bgmail.service.webhooks import State
from bgmail.store.errands import errand
from bgmail.store.matches import table
from bgmail.store.notices import notice
from bgmail.store.tables import WebhookRow
from tests.fixtures.patience import PATIENCE
from tests.notify.conftest import Post
from tests.notify.hooks.conftest import SECRET, Hooks, told
from tests.notify.hooks.receivers import OK, Receiver, answers, receiver, status
from tests.service.matchmaking import ScriptedChance, act, begin, settle

BOARD = "+--13--14--15--16--17--18-+-BAR+--19--20--21--22--23--24-+"


def alice_of(post: Post) -> int:
    return accounts.by_handle(post.store, "alice").id


def test_my_turn_arrives_signed_with_the_match_in_fields_and_the_board_in_characters(
    post: Post, hooks: Hooks
) -> None:
    view, _ = begin(post.store, post.clock.now, (5, 2))
    with receiver(answers(OK)) as door:
        hooks.add(alice_of(post), door)
        done = hooks.work()
    assert done == ["sent your_turn 2"]
    (call,) = door.calls
    with time_machine.travel(post.clock.now):
        event = Verifier(SECRET).verify(call.body, call.headers)
    assert event["type"] == "match.turn"
    assert event["timestamp"] == "2026-12-01T12:00:00Z"
    data = event["data"]
    assert data["owner"] == "alice"
    assert data["match_id"] == view.id
    assert data["name"] == "alice – bob, 7-point match"
    assert data["headline"] == "alice has 5-2 to play"
    assert data["link"] == f"https://club.example/match/{view.id}"
    assert data["position_id"] == "4HPwATDgc/ABMA"
    assert (data["you"], data["on_turn"], data["dice"]) == ("white", "white", [5, 2])
    assert data["score"] == {"white": 0, "black": 0}
    assert data["cube"] == {"value": 1, "owner": None}
    assert data["deadline"] == "2026-12-05T12:00:00Z"
    assert BOARD in data["board"]
    assert "secret" not in call.body.decode().lower()
    assert "/r/" not in call.body.decode()


def test_an_event_holds_nothing_that_lets_others_act_and_nothing_private(post: Post, hooks: Hooks) -> None:
    _, bob, _ = settle(post.store, post.clock.now)
    with receiver(answers(OK)) as door:
        hooks.add(bob, door)
        alice = alice_of(post)
        invitations.invite(
            post.store, alice, Terms(7), Handle("bob"), "for your eyes", post.clock.now, ScriptedChance([])
        )
        hooks.work()
    (call,) = door.calls
    text = call.body.decode()
    assert told(call)["type"] == "match.invitation"
    assert told(call)["data"]["headline"] == "alice invites bob to a match"
    for private in ("for your eyes", "play.example", "commit", "nonce"):
        assert private not in text


def test_a_machine_is_told_by_webhook_and_without_one_is_owed_nothing(post: Post, hooks: Hooks) -> None:
    """A program wants to be called more than anybody: it asked every few seconds instead."""
    alice, _, _ = settle(post.store, post.clock.now)
    robot, other = (
        accounts.create(post.store, name, f"{name}@play.example", None, post.clock.now, is_bot=True).id
        for name in ("robot", "other")
    )
    chance, begun = ScriptedChance([(2, 5), (2, 5)]), []
    with receiver(answers(OK)) as door:
        hooks.add(robot, door)
        for name, account_id in (("robot", robot), ("other", other)):
            view = invitations.invite(post.store, alice, Terms(7), Handle(name), "", post.clock.now, chance)
            begun.append(invitations.accept(post.store, view.id, account_id, post.clock.now, chance))
        hooks.work()
        late = (begun[0].deadline_at or post.clock.now) - timedelta(hours=6)
        sweep_some(post.store, late, chance)
        hooks.work()
    with post.store.read() as connection:
        owed = connection.execute(select(notice.c.account_id, notice.c.kind)).all()
    assert [told(call)["type"] for call in door.calls] == ["match.turn", "match.reminder"]
    kinds = {
        account_id: sorted(kind for whose, kind in owed if whose == account_id) for account_id, _ in owed
    }
    assert kinds[robot] == ["invitation", "reminder", "your_turn"]
    assert kinds[other] == ["invitation"]
    with post.store.read() as connection:
        whose = select(errand.c.channel).join(notice, notice.c.id == errand.c.notice_id)
        channels = connection.scalars(whose.where(notice.c.account_id == robot)).all()
    assert set(channels) == {"webhook"}, "machines read no letters"


def test_only_chosen_events_of_the_chosen_match_are_sent(post: Post, hooks: Hooks) -> None:
    view, chance = begin(post.store, post.clock.now, (5, 2))
    with receiver(answers(OK)) as door:
        doubles = hooks.add(alice_of(post), door, "doubles", events=["match.double"])
        this = hooks.add(alice_of(post), door, "this", match_id=view.id)
        hooks.work()
    assert hooks.calls(doubles) == []
    assert [call.event for call in hooks.calls(this)] == ["match.turn"]
    assert not hooks.now(this).wants(Kind.YOUR_TURN, "another")
    assert hooks.now(this).wants(Kind.TIMEOUT, view.id)
    del chance


def test_what_was_overtaken_is_not_sent(post: Post, hooks: Hooks) -> None:
    view, chance = begin(post.store, post.clock.now, (5, 2))
    act(post.store, view, Side.WHITE, "play", post.clock.now, chance, play="13/8 13/11")
    with receiver(answers(OK)) as door:
        hooks.add(alice_of(post), door)
        assert hooks.work() == ["dropped (overtaken) your_turn 2"]
    assert door.calls == []


def test_a_secret_that_was_renewed_signs_for_another_day(post: Post, hooks: Hooks) -> None:
    begin(post.store, post.clock.now, (5, 2))
    alice, fresh = alice_of(post), webhooks.new_secret()
    with receiver(answers(OK)) as door:
        hook = hooks.add(alice, door)
        webhooks.renew_secret(post.store, alice, hook.id, fresh, post.clock.now)
        hooks.work()
        post.clock.pass_(hours=24)
        webhooks.test(post.store, alice, hook.id, post.clock.now)
        hooks.work()
    first, second = door.calls
    with time_machine.travel(post.clock.now - timedelta(hours=24)):
        assert Verifier(SECRET).verify(first.body, first.headers) == Verifier(fresh).verify(
            first.body, first.headers
        )
    assert len(first.headers["webhook-signature"].split()) == 2
    assert len(second.headers["webhook-signature"].split()) == 1
    with time_machine.travel(post.clock.now):
        assert Verifier(fresh).verify(second.body, second.headers)["type"] == "webhook.test"


def until_nothing_is_due(post: Post, hooks: Hooks, days: float) -> int:
    """Lets time go by in quarters of an hour; how many attempts were made."""
    attempts = 0
    for _ in range(int(days * 96)):
        attempts += len(hooks.work())
        post.clock.pass_(minutes=15)
    return attempts


def test_a_failing_receiver_gets_the_same_id_nine_times_within_24_hours_and_no_more(
    post: Post, hooks: Hooks
) -> None:
    begin(post.store, post.clock.now, (5, 2), time="three-days")
    with receiver(status(500)) as door:
        hook = hooks.add(alice_of(post), door)
        assert until_nothing_is_due(post, hooks, 2) == 9
    assert len(door.calls) == 9
    assert len({call.headers["webhook-id"] for call in door.calls}) == 1
    assert len({call.headers["webhook-timestamp"] for call in door.calls}) > 5
    calls = hooks.calls(hook)
    assert {call.outcome for call in calls} == {"status"}
    assert calls[0].at - calls[-1].at <= timedelta(hours=24)
    assert hooks.now(hook).given_up == 1
    assert hooks.now(hook).state is State.ON


def test_a_receiver_that_took_it_and_answered_too_late_is_told_from_a_lost_one(
    post: Post, hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page says "timed out", and the repeat carries the same id."""
    begin(post.store, post.clock.now, (5, 2))
    passed = [0.0]
    monkeypatch.setattr(wire, "Deadline", partial(wire.Deadline, clock=lambda: passed[0]))

    def too_late(_: Receiver, guest: socket.socket) -> None:
        passed[0] += PATIENCE
        guest.sendall(b"H")

    with receiver(too_late) as door:
        hook = hooks.add(alice_of(post), door)
        assert hooks.work() == ["put off your_turn 2"]
        post.clock.pass_(minutes=1)
        hooks.work()
    first, second = door.calls
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert [call.outcome for call in hooks.calls(hook)] == ["timeout", "timeout"]
    assert hooks.calls(hook)[0].seconds == PATIENCE


def test_a_receiver_that_wants_to_be_left_alone_is_left_alone(post: Post, hooks: Hooks) -> None:
    begin(post.store, post.clock.now, (5, 2))
    with receiver(status(429, "Retry-After: 3600")) as door:
        hooks.add(alice_of(post), door)
        hooks.work()
        post.clock.pass_(minutes=59)
        assert hooks.work() == []
        post.clock.pass_(minutes=2)
        assert hooks.work() == ["put off your_turn 2"]
    assert len(door.calls) == 2


def test_a_receiver_that_is_gone_is_called_once_and_its_owner_told(post: Post, hooks: Hooks) -> None:
    begin(post.store, post.clock.now, (5, 2))
    alice = alice_of(post)
    with receiver(status(410)) as door:
        hook = hooks.add(alice, door, name="club")
        assert hooks.work() == ["refused your_turn 2"]
        assert hooks.now(hook).state is State.GONE
        assert until_nothing_is_due(post, hooks, 1) == 0
    assert len(door.calls) == 1
    post.deliver()
    letters = [mail for mail in post.mails("alice@play.example") if "switched off" in mail.subject]
    assert len(letters) == 1
    assert "gone for good" in letters[0].text()
    assert "https://club.example/settings/webhooks" in letters[0].text()


@pytest.mark.parametrize(
    ("flavour", "state"), [("standard", State.ON), ("discord", State.GONE), ("slack", State.GONE)]
)
def test_a_channel_that_is_not_found_is_gone_and_a_program_may_come_back(
    post: Post, hooks: Hooks, flavour: str, state: State
) -> None:
    begin(post.store, post.clock.now, (5, 2))
    with receiver(status(404)) as door:
        hook = hooks.add(alice_of(post), door, flavour=flavour)
        hooks.work()
    assert hooks.now(hook).state is state


def fails_for(post: Post, hooks: Hooks, hook: webhooks.Webhook, **span: float) -> None:
    """As if it had taken nothing for so long, and something had been given up."""
    since = post.clock.now - timedelta(**span)
    row = table(WebhookRow)
    with post.store.write() as connection:
        connection.execute(update(row).where(row.c.id == hook.id).values(failing_since=since, given_up=1))


def test_a_webhook_that_fails_for_five_days_is_switched_off_and_on_again_by_its_owner(
    post: Post, hooks: Hooks
) -> None:
    begin(post.store, post.clock.now, (5, 2))
    alice = alice_of(post)
    with receiver(status(503)) as door:
        hook = hooks.add(alice, door)
        fails_for(post, hooks, hook, days=4)
        hooks.work()
        assert hooks.now(hook).state is State.ON
        fails_for(post, hooks, hook, days=5)
        post.clock.pass_(minutes=1)
        assert hooks.work() == ["refused your_turn 2"]
        assert hooks.now(hook).state is State.FAILING
    webhooks.resume(post.store, alice, hook.id)
    assert hooks.now(hook).state is State.ON
    assert hooks.now(hook).failing_since is None


def test_what_was_taken_clears_the_slate(post: Post, hooks: Hooks) -> None:
    begin(post.store, post.clock.now, (5, 2))
    with receiver(answers(OK)) as door:
        hook = hooks.add(alice_of(post), door)
        fails_for(post, hooks, hook, days=9)
        hooks.work()
    now = hooks.now(hook)
    assert (now.state, now.failing_since, now.given_up, now.taken_at) == (State.ON, None, 0, post.clock.now)


def test_a_paused_webhook_gets_tests_and_nothing_else(post: Post, hooks: Hooks) -> None:
    begin(post.store, post.clock.now, (5, 2))
    alice = alice_of(post)
    with receiver(answers(OK)) as door:
        hook = hooks.add(alice, door)
        webhooks.pause(post.store, alice, hook.id)
        assert hooks.work() == []
        webhooks.test(post.store, alice, hook.id, post.clock.now)
        assert len(hooks.work()) == 1
    assert [told(call)["type"] for call in door.calls] == ["webhook.test"]


def test_a_test_is_tried_once(post: Post, hooks: Hooks) -> None:
    alice, _, _ = settle(post.store, post.clock.now)
    with receiver(status(500)) as door:
        hook = hooks.add(alice, door)
        webhooks.test(post.store, alice, hook.id, post.clock.now)
        assert hooks.work() == ["refused test 1"]
        post.clock.pass_(days=1)
        assert hooks.work() == []
    assert hooks.now(hook).given_up == 0


def test_a_webhook_that_is_paused_or_deleted_while_it_is_called_stays_so(post: Post, hooks: Hooks) -> None:
    begin(post.store, post.clock.now, (5, 2))
    alice, made = alice_of(post), list[webhooks.Webhook]()

    def meanwhile(_: Receiver, guest: socket.socket) -> None:
        paused, deleted = made
        webhooks.pause(post.store, alice, paused.id)
        webhooks.delete(post.store, alice, deleted.id)
        guest.sendall(b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n")

    with receiver(meanwhile) as door, receiver(answers(OK)) as other:
        made += [hooks.add(alice, door, "a"), hooks.add(alice, other, "b", events=["match.double"])]
        assert hooks.work() == ["refused your_turn 2"]
        assert hooks.now(made[0]).state is State.PAUSED
        webhooks.resume(post.store, alice, made[0].id)
        made[1] = made[0]
        webhooks.test(post.store, alice, made[0].id, post.clock.now)
        assert hooks.work() == ["refused test 3"]
    assert webhooks.mine(post.store, alice) == []


def test_what_waits_for_a_webhook_ends_when_it_is_paused_or_deleted(post: Post, hooks: Hooks) -> None:
    begin(post.store, post.clock.now, (5, 2))
    alice = alice_of(post)
    with receiver(status(500)) as door:
        paused, deleted = hooks.add(alice, door, "a"), hooks.add(alice, door, "b")
        hooks.work()
        webhooks.pause(post.store, alice, paused.id)
        webhooks.delete(post.store, alice, deleted.id)
        post.clock.pass_(minutes=2)
        assert hooks.work() == ["refused your_turn 2"] * 2
    assert len(door.calls) == 2


def test_a_call_sent_again_says_the_same_under_the_same_id(post: Post, hooks: Hooks) -> None:
    view, chance = begin(post.store, post.clock.now, (5, 2))
    alice = alice_of(post)
    with receiver(answers(OK)) as door:
        hook = hooks.add(alice, door)
        hooks.work()
        act(post.store, view, Side.WHITE, "play", post.clock.pass_(hours=1), chance, play="13/8 13/11")
        webhooks.send_again(post.store, alice, hook.id, hooks.calls(hook)[0].id, post.clock.now)
        hooks.work()
    first, second = door.calls
    assert first.body == second.body
    assert first.headers["webhook-id"] == second.headers["webhook-id"]


@pytest.mark.parametrize("code", [302, 307, 308])
def test_a_redirect_counts_as_a_failure(post: Post, hooks: Hooks, code: int) -> None:
    begin(post.store, post.clock.now, (5, 2))
    with receiver(status(code, "Location: http://127.0.0.1/admin")) as door:
        hook = hooks.add(alice_of(post), door)
        assert hooks.work() == ["put off your_turn 2"]
    assert hooks.calls(hook)[0].outcome == "redirect"


@pytest.mark.parametrize(
    "url", ["https://127.0.0.1:8443/", "http://hooks.example.org/in", "file:///etc/passwd"]
)
def test_a_row_inserted_by_hand_is_refused_when_it_is_called(post: Post, hooks: Hooks, url: str) -> None:
    begin(post.store, post.clock.now, (5, 2))
    row = table(WebhookRow)
    with receiver(answers(OK)) as door:
        hook = hooks.add(alice_of(post), door)
        with post.store.write() as connection:
            connection.execute(update(row).values(url=url))
        assert hooks.work() == ["refused your_turn 2"]
    (call,) = hooks.calls(hook)
    assert (call.outcome, call.answered, call.status) == ("inside", "", None)
    assert hooks.streets.dialled == []


def test_what_was_owed_to_a_deleted_webhook_is_not_told_to_the_next_one_of_its_id(
    post: Post, hooks: Hooks
) -> None:
    begin(post.store, post.clock.now, (5, 2))
    with receiver(status(500)) as down, receiver(answers(OK)) as door:
        alices = hooks.add(alice_of(post), down)
        assert hooks.work() == ["put off your_turn 2"]
        webhooks.delete(post.store, alice_of(post), alices.id)
        bobs = hooks.add(accounts.by_handle(post.store, "bob").id, door, name="bobs")
        assert bobs.id == alices.id, "SQLite gives it again"
        post.clock.pass_(minutes=1)
        assert hooks.work() == ["refused your_turn 2"]
        assert door.calls == []
    assert hooks.calls(bobs) == []
