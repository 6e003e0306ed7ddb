"""The door for mail servers: LMTP and SMTP on loopback, as Postfix speaks to it."""

from __future__ import annotations

import smtplib
import socket
from collections.abc import Iterator
from contextlib import closing

import pytest

from bgmail.inbox.accepting import LARGEST
from bgmail.inbox.door import Door
from bgmail.rules.side import Side
from bgmail.settings import Listen
from bgmail.store.inbound import inbound as table
from tests.inbox.replies import Desk, address_of
from tests.service.matchmaking import begin

pytestmark = pytest.mark.smtp


@pytest.fixture(params=["lmtp", "smtp"])
def door(request: pytest.FixtureRequest, desk: Desk) -> Iterator[Door]:
    opened = Door(desk.app, Listen(request.param, "127.0.0.1", 0))
    opened.open()
    yield opened
    opened.close()


def speak(door: Door) -> smtplib.SMTP:
    kind = {"lmtp": smtplib.LMTP, "smtp": smtplib.SMTP}[door.place.protocol]
    return kind("127.0.0.1", door.place.port)


def kept(desk: Desk) -> list[tuple[str, str, bytes]]:
    with desk.store.read() as connection:
        rows = connection.execute(table.select().order_by(table.c.id)).all()
    return [(row.sender, row.token, bytes(row.raw)) for row in rows]


def test_what_is_taken_stands_on_the_disk_and_is_carried_out(desk: Desk, door: Door) -> None:
    view, _ = begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    raw = desk.answer(letter, "8/5 6/5")
    with speak(door) as server:
        assert server.sendmail("alice@play.example", [address_of(letter)], raw) == {}
    token = address_of(letter).removeprefix("play+").partition("@")[0]
    assert kept(desk) == [("alice@play.example", token, raw)]
    assert desk.handle() == ["acted"]
    assert desk.view(view).match.on_turn is Side.BLACK


@pytest.mark.parametrize(
    "stranger",
    [
        "postmaster@answers.club.example",
        "play@answers.club.example",
        "play+@answers.club.example",
        "play+abcdef@answers.club.example",
        "alice@play.example",
        "play+{token}@elsewhere.example",
        "work+{token}@answers.club.example",
    ],
)
def test_nobody_unknown_is_let_in(desk: Desk, door: Door, stranger: str) -> None:
    begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    token = address_of(letter).removeprefix("play+").partition("@")[0]
    with speak(door) as server:
        with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
            server.sendmail("alice@play.example", [stranger.format(token=token)], b"Subject: x\r\n\r\ntake")
        code, said = next(iter(refused.value.recipients.values()))
    assert (code, said) == (550, b"5.1.1 no such mailbox here")
    assert kept(desk) == []


def test_an_address_in_capitals_is_the_same_address(desk: Desk, door: Door) -> None:
    begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    with speak(door) as server:
        server.sendmail("alice@play.example", [address_of(letter).upper()], desk.answer(letter, "8/5 6/5"))
    assert desk.handle() == ["acted"]


def test_the_same_mail_twice_is_taken_twice_and_kept_once(desk: Desk, door: Door) -> None:
    begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    raw = desk.answer(letter, "8/5 6/5")
    for _ in range(2):
        with speak(door) as server:
            assert server.sendmail("alice@play.example", [address_of(letter)], raw) == {}
    assert len(kept(desk)) == 1


def test_an_empty_envelope_sender_is_a_bounce_and_no_answer(desk: Desk, door: Door) -> None:
    begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    with speak(door) as server:
        server.sendmail("", [address_of(letter)], desk.answer(letter, "8/5 6/5"))
    assert desk.handle() == ["automatic"]


def test_a_mail_that_is_too_large_is_refused(desk: Desk, door: Door) -> None:
    begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    with speak(door) as server:
        server.ehlo_or_helo_if_needed()
        assert server.esmtp_features["size"] == str(LARGEST)
        with pytest.raises(smtplib.SMTPResponseException) as refused:
            server.sendmail("alice@play.example", [address_of(letter)], b"x" * 70 + b"\r\n" * LARGEST)
    assert refused.value.smtp_code == 552
    assert kept(desk) == []


def test_a_mail_that_can_not_be_kept_stays_with_its_server(
    desk: Desk, door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    monkeypatch.setattr("bgmail.inbox.door.accept", lambda *_: 1 / 0)
    with speak(door) as server, pytest.raises(smtplib.SMTPDataError) as refused:
        server.sendmail("alice@play.example", [address_of(letter)], desk.answer(letter, "8/5 6/5"))
    assert refused.value.smtp_code == 451


def test_over_lmtp_each_recipient_has_an_answer_of_its_own(desk: Desk) -> None:
    """Postfix hands one mail over for several recipients and reads as many answers."""
    begin(desk.store, desk.clock.now, (3, 1))
    letter = desk.letter("alice")
    door = Door(desk.app, Listen("lmtp", "127.0.0.1", 0))
    door.open()
    try:
        with closing(socket.create_connection(("127.0.0.1", door.place.port), timeout=30)) as wire:
            talk = wire.makefile("rwb")
            answers = [talk.readline()]
            for line in ("LHLO relay", "MAIL FROM:<alice@play.example>"):
                talk.write(f"{line}\r\n".encode())
                talk.flush()
                answers.append(talk.readline())
                while answers[-1][3:4] == b"-":
                    answers.append(talk.readline())
            for to in (address_of(letter), "nobody@answers.club.example", address_of(letter).upper()):
                talk.write(f"RCPT TO:<{to}>\r\n".encode())
                talk.flush()
                answers.append(talk.readline())
            talk.write(b"DATA\r\n")
            talk.flush()
            answers.append(talk.readline())
            talk.write(b"From: alice@play.example\r\n\r\n8/5 6/5\r\n.\r\nQUIT\r\n")
            talk.flush()
            after = [talk.readline() for _ in range(3)]
    finally:
        door.close()
    codes = [answer[:3] for answer in answers[-4:]]
    assert codes == [b"250", b"550", b"250", b"354"]
    assert [answer[:3] for answer in after] == [b"250", b"250", b"221"]
