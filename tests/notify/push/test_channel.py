"""Pushes on their way: who is told, what the browser alone can read, and what follows from a push service's answer."""

from __future__ import annotations

import json
import socket
import threading
from datetime import timedelta

import pytest

from bgmail import webpush
from bgmail.notify import occasion as occasions
from bgmail.notify.push.channel import PUSHES
from bgmail.rules.side import Side
from bgmail.service import accounts, choices, logins, push, told
from bgmail.service.choices import PUSH, Mode
from bgmail.service.deadlines import sweep_some
from bgmail.service.notices import Kind
from bgmail.store import notices
from tests.fixtures.patience import PATIENCE
from tests.notify.hooks.receivers import Receiver, status
from tests.notify.push.browser import FakeBrowser
from tests.notify.push.conftest import CREATED, Ringing


def test_a_turn_is_told_to_the_browser_and_only_it_can_read_what(everywhere: Ringing) -> None:
    browser = everywhere.subscribe("alice")
    assert everywhere.ring() == ["sent your_turn"]
    call = everywhere.calls()[0]
    assert call.line == "POST /to/one HTTP/1.1"
    assert b"alice" not in call.body
    assert b"bob" not in call.body
    assert browser.read(call.body) == {
        "title": "Match with bob: Play 3-1",
        "body": "opening: you won it with 3-1 (7-point match, game 1)\nUntil Sat 5 Dec 12:00",
        "link": f"/match/{everywhere.view.id}",
        "tag": everywhere.view.id,
        "lang": "en",
    }
    assert everywhere.browsers("alice")[0].sent_at == everywhere.clock.now
    assert everywhere.ring() == []


def test_the_push_service_is_told_who_sends_and_how_long_to_keep_it(ringing: Ringing) -> None:
    ringing.subscribe("alice")
    ringing.ring()
    headers = ringing.calls()[0].headers
    assert headers["host"] == "push.example.org"
    assert headers["content-encoding"] == "aes128gcm"
    assert (headers["ttl"], headers["urgency"]) == (str(4 * 86_400), "normal")
    assert headers["topic"] == ringing.view.id
    scheme, token, key = headers["authorization"].replace(",", "").split()
    own = webpush.public_key(push.own_key(ringing.store, ringing.clock.now))
    assert (scheme, key) == ("vapid", f"k={webpush.text(own)}")
    claims = json.loads(webpush.plain(token.split(".")[1]))
    assert claims["aud"] == "https://push.example.org"
    assert claims["sub"] == "mailto:letters@club.example"
    assert claims["exp"] == ringing.clock.now.timestamp() + 12 * 3600


def test_each_message_is_sealed_anew(ringing: Ringing) -> None:
    ringing.subscribe("alice", FakeBrowser(path="one"))
    ringing.subscribe("alice", FakeBrowser(path="two"))
    assert ringing.ring() == ["sent your_turn"] * 2
    first, second = (call.body for call in ringing.calls())
    assert first[:16] != second[:16]
    assert first[21:86] != second[21:86]


def test_a_double_an_offer_and_the_last_hours_are_told(ringing: Ringing) -> None:
    browser = ringing.subscribe("bob")
    ringing.act(Side.WHITE, "play", play="8/5 6/5")
    ringing.ring()
    ringing.act(Side.BLACK, "roll")
    ringing.act(Side.BLACK, "play", play="24/18 18/13")
    ringing.act(Side.WHITE, "double")
    ringing.ring()
    ringing.act(Side.BLACK, "take")
    ringing.clock.pass_(minutes=11)
    ringing.act(Side.WHITE, "resign", value=1)
    ringing.ring()
    seen = [browser.read(call.body) for call in ringing.calls()]
    assert [one["title"] for one in seen] == [
        "Match with alice: Roll or double",
        "Match with alice: Take or pass",
        "Match with alice: Accept or decline",
    ]
    assert seen[0]["body"].startswith("alice: played 3-1: 8/5 6/5 (7-point match, game 1)\nUntil")
    assert seen[1]["body"].startswith("alice: doubled to 2 (7-point match, game 1)")
    assert seen[2]["body"].startswith("alice offers to resign a single game")
    assert {one["tag"] for one in seen} == {ringing.view.id}


def test_what_was_overtaken_is_not_told(ringing: Ringing) -> None:
    ringing.subscribe("alice")
    ringing.act(Side.WHITE, "play", play="8/5 6/5")
    assert ringing.ring() == ["dropped (overtaken) your_turn"]
    assert ringing.calls() == []


def test_who_is_here_is_told_ten_minutes_later(ringing: Ringing) -> None:
    ringing.subscribe("bob")
    ringing.clock.pass_(minutes=11)
    secret = logins.new_secret()
    logins.open_session(ringing.store, ringing.id_of("bob"), "", secret, ringing.clock.now)
    ringing.clock.pass_(minutes=11)
    logins.by_session(ringing.store, secret, ringing.clock.now)
    ringing.act(Side.WHITE, "play", play="8/5 6/5")
    assert ringing.ring() == []
    ringing.clock.pass_(minutes=10)
    assert ringing.ring() == ["sent your_turn"]


def test_quiet_hours_put_it_off_to_their_end(ringing: Ringing) -> None:
    ringing.subscribe("alice")
    choices.set_hours(ringing.store, ringing.id_of("alice"), "11:00", "13:30", "")
    assert ringing.ring() == []
    ringing.clock.pass_(minutes=89)
    assert ringing.ring() == []
    ringing.clock.pass_(minutes=1)
    assert ringing.ring() == ["sent your_turn"]


def test_two_schedulers_at_once_send_each_message_once(everywhere: Ringing) -> None:
    for number in range(10):
        everywhere.subscribe("alice", FakeBrowser(path=str(number)))
    done: list[str] = []
    threads = [threading.Thread(target=lambda: done.extend(everywhere.ring())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done == ["sent your_turn"] * 10
    assert sorted(call.line for call in everywhere.calls()) == [
        f"POST /to/{number} HTTP/1.1" for number in range(10)
    ]


def test_a_kind_that_is_switched_off_is_not_told(ringing: Ringing) -> None:
    ringing.subscribe("alice")
    choices.choose(ringing.store, ringing.id_of("alice"), {(Kind.YOUR_TURN, PUSH): Mode.OFF})
    assert ringing.ring() == []
    assert ringing.calls() == []


def test_a_language_and_a_zone_are_the_readers(ringing: Ringing) -> None:
    browser = ringing.subscribe("alice")
    accounts.set_language(ringing.store, ringing.id_of("alice"), "de")
    accounts.set_time_zone(ringing.store, ringing.id_of("alice"), "Asia/Tokyo")
    ringing.ring()
    seen = browser.read(ringing.calls()[0].body)
    assert (seen["title"], seen["lang"]) == ("Match gegen bob: 3-1 spielen", "de")
    assert "21:00" in seen["body"]


@pytest.mark.parametrize("code", [404, 410])
def test_a_browser_that_has_ended_is_told_nothing_any_more(ringing: Ringing, code: int) -> None:
    ringing.answer(push=status(code))
    ringing.subscribe("alice")
    assert ringing.ring() == ["refused your_turn"]
    assert ringing.browsers("alice") == []
    said = ringing.log("alice")[0].ways[-1].attempts[0]
    assert (said.address, said.outcome) == ("Firefox, Linux", "refused")
    assert said.said.startswith(f"{code} in ")


@pytest.mark.parametrize("code", [429, 500, 503])
def test_a_service_that_is_busy_is_asked_again(ringing: Ringing, code: int) -> None:
    ringing.answer(push=status(code, "Retry-After: 120"))
    browser = ringing.subscribe("alice")
    assert ringing.ring() == ["put off your_turn"]
    assert ringing.browsers("alice")[0].failing_since == ringing.clock.now
    ringing.clock.pass_(seconds=119)
    assert ringing.ring() == []
    ringing.answer(push=CREATED)
    ringing.clock.pass_(seconds=1)
    assert ringing.ring() == ["sent your_turn"]
    assert browser.read(ringing.calls()[0].body)["title"] == "Match with bob: Play 3-1"
    assert ringing.browsers("alice")[0].failing_since is None


@pytest.mark.parametrize("code", [301, 400, 403, 413])
def test_what_a_service_will_never_take_is_not_sent_twice(ringing: Ringing, code: int) -> None:
    ringing.answer(push=status(code, "Location: https://127.0.0.1/"))
    ringing.subscribe("alice")
    assert ringing.ring() == ["refused your_turn"]
    assert len(ringing.calls()) == 1
    assert ringing.browsers("alice")[0].said.startswith(f"{code} in ")


def test_a_service_that_never_answers_holds_up_nobody_and_is_left_alone(ringing: Ringing) -> None:
    for number in range(6):
        ringing.subscribe("alice", FakeBrowser("slow", str(number)))
    told_quick, outlasted = threading.Event(), list[bool]()

    def slow(*_: object) -> None:
        outlasted.append(told_quick.wait(PATIENCE))

    def quick(receiver: Receiver, guest: socket.socket) -> None:
        told_quick.set()
        CREATED(receiver, guest)

    ringing.answer(slow=slow, push=quick)
    ringing.subscribe("alice", FakeBrowser("push", "quick"))
    done = ringing.ring()
    assert all(outlasted), "the other one was told while it was waited for"
    assert sorted(done) == ["put off your_turn"] * 6 + ["sent your_turn"]
    asked = len(ringing.calls("slow"))
    told.test(ringing.store, ringing.id_of("alice"), PUSH, ringing.browsers("alice")[0].id, ringing.clock.now)
    assert ringing.ring() == ["put off test"]
    assert len(ringing.calls("slow")) == asked, "it rests"


def test_a_name_that_leads_inside_ends_it(ringing: Ringing) -> None:
    ringing.subscribe("alice")
    ringing.channel.wire = type(ringing.channel.wire)(
        ringing.channel.wire.resolve, ringing.channel.wire.dial, allowed=lambda _: False
    )
    assert ringing.ring() == ["refused your_turn"]
    assert ringing.calls() == []
    assert ringing.browsers("alice") == []


def test_a_browser_that_was_signed_out_meanwhile_is_told_nothing(ringing: Ringing) -> None:
    ringing.subscribe("alice")
    ringing.answer(push=status(503))
    assert ringing.ring() == ["put off your_turn"]
    logins.sign_out_everywhere(ringing.store, ringing.id_of("alice"))
    ringing.clock.pass_(hours=1)
    assert ringing.ring() == ["refused your_turn"]
    assert len(ringing.calls()) == 1


def test_a_test_tells_the_one_browser_that_is_tested(ringing: Ringing) -> None:
    first = ringing.subscribe("alice", FakeBrowser(path="one"))
    ringing.subscribe("alice", FakeBrowser(path="two"))
    ringing.ring()
    ringing.calls().clear()
    told.test(ringing.store, ringing.id_of("alice"), PUSH, ringing.browsers("alice")[0].id, ringing.clock.now)
    assert ringing.ring() == ["sent test"]
    seen = first.read(ringing.calls()[0].body)
    assert (seen["title"], seen["link"], seen["tag"]) == ("It works", "/settings/push", "test")
    assert ringing.calls()[0].headers["urgency"] == "high"


def test_nobody_elses_browser_can_be_tested(ringing: Ringing) -> None:
    ringing.subscribe("bob")
    told.test(ringing.store, ringing.id_of("alice"), PUSH, ringing.browsers("bob")[0].id, ringing.clock.now)
    assert ringing.ring() == []
    assert ringing.calls() == []


def test_near_the_deadline_it_hurries_and_says_how_much_is_left(ringing: Ringing) -> None:
    browser = ringing.subscribe("alice")
    ringing.ring()
    ringing.clock.pass_(days=3, hours=18)
    while sweep_some(ringing.store, ringing.clock.now, ringing.chance):
        pass
    assert "sent reminder" in ringing.ring()
    call = ringing.calls()[-1]
    assert (call.headers["urgency"], call.headers["ttl"]) == ("high", str(6 * 3600))
    assert browser.read(call.body)["title"] == "6 h left in the match with bob"


def test_when_another_way_fails_the_browser_is_told_though_it_was_switched_off(ringing: Ringing) -> None:
    ringing.subscribe("alice")
    choices.choose(ringing.store, ringing.id_of("alice"), {(Kind.YOUR_TURN, PUSH): Mode.OFF})
    with ringing.store.read() as connection:
        rows = notices.unplanned(connection, ringing.clock.now, 10)
        occasion = next(
            occasions.read(connection, occasions.notice_of(row)) for row in rows if row.kind == "your_turn"
        )
        assert PUSHES.targets(connection, occasion, ringing.clock.now) == ()
        rescued = PUSHES.targets(connection, occasion, ringing.clock.now, rescue=True)
    assert [(one.due_at - ringing.clock.now) for one in rescued] == [timedelta()]
