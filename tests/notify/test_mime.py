"""A message's bytes are read by the email package as they were meant."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgmail.notify import mime

CYRILLIC = "Ваш ход, доска внизу. " * 40
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=400)


def parsed(part: bytes) -> EmailMessage:
    message = message_from_bytes(b"MIME-Version: 1.0\r\n" + part, policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert not any(piece.defects for piece in message.walk())
    return message


@given(texts)
def test_a_text_is_read_as_it_was_written(content: str) -> None:
    part = mime.text("plain", content)
    payload = parsed(part).get_payload(decode=True)
    assert isinstance(payload, bytes)
    assert payload.decode().replace("\r\n", "\n") == content
    assert max(map(len, part.split(b"\r\n"))) <= mime.LINE


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        ("24/13, and a board\n", "quoted-printable"),
        ("ein schöner Wurf für Alice\n" * 9, "quoted-printable"),
        (CYRILLIC, "base64"),
    ],
)
def test_a_text_is_in_the_shorter_encoding(content: str, encoding: str) -> None:
    assert parsed(mime.text("plain", content))["Content-Transfer-Encoding"] == encoding


@pytest.mark.parametrize(
    "content", ["a \nb\t\n c", "no end", "", "\n", ".\n..\nFrom me\n", "--=_related--\n"]
)
def test_blanks_dots_and_boundaries_in_a_text_change_nothing(content: str) -> None:
    both = mime.multipart("related", (mime.text("plain", content), mime.text("html", content)))
    plain, html = parsed(both).iter_parts()
    assert (
        plain.get_payload(decode=True)
        == html.get_payload(decode=True)
        == content.replace("\n", "\r\n").encode()
    )


def test_line_breaks_of_any_system_become_those_of_mail() -> None:
    assert (
        parsed(mime.text("plain", "one\r\ntwo\rthree\n")).get_payload(decode=True)
        == b"one\r\ntwo\r\nthree\r\n"
    )


@pytest.mark.parametrize("value", ["ok\r\nBcc: victim@example.org", "a\nb", "a\rb"])
def test_a_header_is_one_line_or_none(value: str) -> None:
    with pytest.raises(ValueError, match="a line break in the Subject"):
        mime.header("Subject", value)


def test_a_long_mailbox_is_folded_where_it_may_be() -> None:
    value = f'"{"long name " * 12}" <alice@example.org>'
    folded = mime.header("To", value)
    assert max(map(len, folded.split(b"\r\n"))) <= mime.LINE
    assert parsed(folded + mime.text("plain", ""))["To"].addresses[0].addr_spec == "alice@example.org"
