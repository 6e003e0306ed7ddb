"""The mailbox of development: a letter sent by real SMTP is kept as it was, and survives a restart."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest

from bgmail.devmail import Mailbox, Sink
from tests.fixtures.patience import PATIENCE


@pytest.fixture
def sink(tmp_path: Path) -> Iterator[Sink]:
    sink = Sink.start(tmp_path / "mail")
    yield sink
    sink.stop()


def letter(subject: str = "Your turn") -> EmailMessage:
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"], message["Subject"] = "bgmail@club.example", "alice@example.org", subject
    message.set_content("5-2 to play\n")
    message.add_alternative('<p>5-2 <img src="cid:board@x" alt="board"></p>', subtype="html")
    html = message.get_payload()[1]
    html.add_related(b"\x89PNG", "image", "png", cid="<board@x>")
    return message


def send(sink: Sink, *messages: EmailMessage) -> None:
    with smtplib.SMTP("127.0.0.1", sink.port, timeout=PATIENCE) as server:
        for message in messages:
            server.sendmail("bounce@club.example", ["alice@example.org"], message.as_bytes())


@pytest.mark.smtp
def test_a_letter_sent_by_smtp_is_in_the_mailbox(sink: Sink) -> None:
    send(sink, letter("Søren ♟"))
    mail = sink.mailbox.read(1)
    assert mail is not None
    assert (mail.subject, mail.recipients) == ("Søren ♟", "alice@example.org")
    assert mail.text().strip() == "5-2 to play"
    assert mail.pictures() == {"board@x": ("image/png", b"\x89PNG")}
    assert mail.raw.startswith(b"X-Envelope-From: bounce@club.example\r\n")


@pytest.mark.smtp
def test_letters_are_listed_newest_first_and_survive_a_restart(sink: Sink) -> None:
    send(sink, letter("one"), letter("two"))
    again = Mailbox(sink.mailbox.folder)
    assert [mail.subject for number in again.numbers() if (mail := again.read(number))] == ["two", "one"]
    assert again.add("a@x", ["b@x"], b"Subject: three\r\n\r\n") == 3


@pytest.mark.smtp
def test_the_sink_listens_on_loopback_only_and_two_of_them_get_two_ports(sink: Sink, tmp_path: Path) -> None:
    other = Sink.start(tmp_path / "other")
    assert other.port != sink.port
    assert {server.getsockname()[0] for server in sink._controller.server.sockets} == {"127.0.0.1"}
    other.stop()
    with pytest.raises(ConnectionRefusedError):
        smtplib.SMTP("127.0.0.1", other.port, timeout=PATIENCE)


def test_only_the_newest_letters_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bgmail.devmail.KEPT", 2)
    box = Mailbox(tmp_path)
    for _ in range(5):
        box.add("a@x", ["b@x"], b"\r\n")
    assert box.numbers() == [5, 4]


def test_a_letter_that_is_not_there_is_none_and_other_files_are_no_letters(tmp_path: Path) -> None:
    box = Mailbox(tmp_path)
    (tmp_path / "notes.eml").write_text("mine")
    assert (box.read(7), box.numbers()) == (None, [])


def test_a_mailbox_can_be_emptied(tmp_path: Path) -> None:
    box = Mailbox(tmp_path)
    box.add("a@x", ["b@x"], b"\r\n")
    box.clear()
    assert box.numbers() == []
