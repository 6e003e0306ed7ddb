"""A letter as bytes: headers that can't be broken, one recipient, short lines, a picture by Content-ID."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import formataddr

import pytest

from bgmail.notify.message import (
    BadAddress,
    Envelope,
    Letter,
    ascii_address,
    compose,
    message_id,
    one_line,
    thread_id,
)
from bgmail.notify.occasion import Notice
from bgmail.service.notices import Kind

AT = datetime(2026, 12, 1, 12, tzinfo=UTC)
LINK = "https://club.example/r/" + "x" * 150
LETTER = Letter(
    subject="Your turn, match with Søren ♟ #k7qm2xld",
    text=f"24/13 → fine, ß\n\n{LINK}\n",
    html='<p>ß</p><img src="cid:board@club.example" alt="">' + "y" * 3000,
    board=b"\x89PNG\r\n\x1a\n",
    unsubscribe="https://club.example/unsubscribe/" + "abc-_." * 40,
    thread="k7qm2xld.white",
)
ENVELOPE = Envelope("bgmail <letters@club.example>", "alice", "alice@example.org")
OWN_ID = "<notice.1.abc@club.example>"


def notice(number: int = 1, at: datetime = AT) -> Notice:
    return Notice(number, 1, "", Kind.YOUR_TURN, "k7qm2xld", 4, "", {}, at)


def raw(letter: Letter = LETTER, envelope: Envelope = ENVELOPE) -> bytes:
    return compose(letter, envelope, OWN_ID, AT)


def parsed(content: bytes) -> EmailMessage:
    message = message_from_bytes(content, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def test_text_html_and_picture_arrive_as_they_were_written() -> None:
    message = parsed(raw())
    text, html = message.get_body(("plain",)), message.get_body(("html",))
    assert text is not None
    assert html is not None
    assert text.get_content().replace("\r\n", "\n") == LETTER.text
    assert html.get_content().strip() == LETTER.html
    (picture,) = [part for part in message.walk() if part.get_content_type() == "image/png"]
    assert picture["Content-ID"] == "<board@club.example>"
    assert picture.get_content_disposition() == "inline"
    assert picture.get_content() == LETTER.board
    kinds = [part.get_content_type() for part in message.walk()]
    assert kinds == ["multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"]


def test_every_line_is_short_and_ascii_on_the_wire() -> None:
    content = raw()
    assert content.isascii()
    assert max(map(len, content.split(b"\r\n"))) < 998
    assert b"\n" not in content.replace(b"\r\n", b"")
    body = content.split(b"\r\n\r\n", 1)[1]
    assert max(map(len, body.split(b"\r\n"))) <= 78


def test_a_letter_says_that_a_machine_wrote_it_and_how_to_stop_its_kind() -> None:
    message = parsed(raw())
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["List-Unsubscribe"] == f"<{LETTER.unsubscribe}>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_long_links_stay_in_one_piece_in_their_header() -> None:
    assert f"List-Unsubscribe: <{LETTER.unsubscribe}>\r\n".encode() in raw()


@pytest.mark.parametrize("length", [1, 66, 68, 70, 72, 90, 150, 2000])
def test_a_subject_of_any_length_begins_on_its_own_line(length: int) -> None:
    subject = ("turn " * 500)[:length].strip()
    content = raw(Letter(subject, "t", "h"))
    assert b"\r\nSubject: t" in content
    assert parsed(content)["Subject"] == subject
    assert max(map(len, content.split(b"\r\n"))) < 998


def test_letters_of_a_match_name_its_root_and_have_ids_of_their_own() -> None:
    message = parsed(raw())
    root = thread_id("k7qm2xld.white", "club.example")
    assert message["In-Reply-To"] == message["References"] == root
    assert message["Message-ID"] == OWN_ID
    assert root != OWN_ID


def test_no_message_id_occurs_twice_and_a_retry_keeps_it() -> None:
    ids = {
        message_id(notice(number, AT + timedelta(seconds=number % 7)), "club.example")
        for number in range(1000)
    }
    assert len(ids) == 1000
    assert message_id(notice(), "club.example") == message_id(notice(), "club.example")
    assert message_id(notice(1, AT), "c.example") != message_id(notice(1, AT + timedelta(1)), "c.example")


def test_ids_with_odd_signs_survive_byte_for_byte() -> None:
    letter = Letter("s", "t", "h", thread="a+b=c.white")
    assert b"References: <match.a+b=c.white@club.example>\r\n" in raw(letter)


def test_non_ascii_names_and_domains_arrive() -> None:
    envelope = Envelope(
        "bgmail für Søren <letters@bücher.example>", "Søren Ångström ♟", "soren@bücher.example"
    )
    content = raw(envelope=envelope)
    message = parsed(content)
    assert content.isascii()
    assert b"soren@xn--bcher-kva.example" in content
    assert message["To"].addresses[0].display_name == "Søren Ångström ♟"
    assert envelope.domain == "xn--bcher-kva.example"


@pytest.mark.parametrize(
    "address",
    [
        "söder@example.org",
        "nobody",
        "@example.org",
        "a b@example.org",
        "a@exa mple.org",
        "a@",
        'a"b@x.example',
        "a@b@x.y",
    ],
)
def test_an_address_that_no_mail_can_reach_is_refused_and_no_crash(address: str) -> None:
    with pytest.raises(BadAddress):
        ascii_address(address)


@pytest.mark.parametrize(
    "poison",
    [
        "X\r\nBcc: victim@example.org",
        "X\nBcc: victim@example.org",
        "X\u2028Bcc: victim@example.org",
        "X%0d%0aBcc: v@e.org",
    ],
)
def test_no_name_or_subject_can_add_a_header(poison: str) -> None:
    letter = Letter(poison, "text", "<p>html</p>")
    sender = formataddr((one_line(poison), "letters@club.example"))
    content = raw(letter, Envelope(sender, poison, "alice@example.org"))
    message = parsed(content)
    assert "Bcc" not in message
    assert message["To"].addresses[0].addr_spec == "alice@example.org"
    assert len(message["To"].addresses) == 1
    assert message["Subject"].startswith("X")


@pytest.mark.parametrize(
    "address", ["alice@example.org\r\nBcc: v@e.org", "alice@example.org, v@e.org", "<a@e.org>\nv@e.org"]
)
def test_an_address_can_not_become_two(address: str) -> None:
    with pytest.raises(BadAddress):
        raw(envelope=Envelope("bgmail <l@club.example>", "alice", address))


def test_two_letters_share_nothing() -> None:
    first = parsed(raw())
    to_bob = Envelope(ENVELOPE.sender, "bob", "bob@example.org")
    second = parsed(compose(LETTER, to_bob, "<notice.2.abc@club.example>", AT))
    assert first["To"].addresses[0].addr_spec == "alice@example.org"
    assert second["To"].addresses[0].addr_spec == "bob@example.org"
    assert first["Message-ID"] != second["Message-ID"]
