"""Every mail of the corpus is read as its writer meant it, and no mail makes the reader stumble."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bgmail.inbox.accepting import recipients_in
from bgmail.inbox.reader import read
from bgmail.inbox.reading import Doubt, Sort
from tests.inbox.conftest import CORPUS, EXPECTED, mail, told

FUZZ = settings(settings.get_profile("inbox"))
LETTER = (
    b"From: Bob <bob@play.example>\r\nMessage-ID: <1@play.example>\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_mail_says_what_its_writer_meant(name: str) -> None:
    assert told(read(mail(name))) == EXPECTED[name]


def test_every_mail_of_the_corpus_has_its_reading() -> None:
    assert {path.stem for path in CORPUS.glob("*.eml")} == set(EXPECTED)
    assert len(EXPECTED) >= 60


def test_a_copy_that_came_another_way_is_the_same_mail() -> None:
    raw = mail("gmail_top_posted")
    copy = b"Received: from relay.example by mx.example; Tue, 1 Dec 2026 12:00:01 +0000\r\n" + raw
    assert read(copy).fingerprint == read(raw).fingerprint
    assert read(copy).digest != read(raw).digest


def test_another_mail_with_the_same_id_is_another_mail() -> None:
    raw = mail("gmail_top_posted")
    forged = raw.replace(b"8/5 6/5", b"24/23 ")
    assert read(forged).message_id == read(raw).message_id
    assert read(forged).fingerprint != read(raw).fingerprint


def test_what_no_envelope_sender_sent_is_no_letter() -> None:
    raw = LETTER + b"24/13\r\n"
    assert read(raw, "bob@play.example").sort is Sort.LETTER
    assert read(raw, "").sort is Sort.AUTOMATIC


def test_links_of_a_letter_never_get_into_the_chat() -> None:
    """A client that doesn't mark what it quotes would hand the reader's own links to the opponent."""
    raw = LETTER + b"take\n\nfine\n\nhttps://club.example/r/WyJrN3FtMnhsZHc5cGEiLDEsNSw\n"
    assert read(raw).chat == ""
    assert read(LETTER + b"take\n\nsee https://en.wikipedia.org/wiki/Backgammon\n").chat.startswith("see")


def test_one_unknown_sign_in_a_command_is_a_doubt() -> None:
    raw = LETTER.replace(b"utf-8", b"iso-2022-jp") + b"w\xfcrfeln\n"
    assert read(raw).doubt is Doubt.UNDECODED


@FUZZ
@given(st.binary(max_size=2_000))
def test_no_bytes_make_the_reader_raise(raw: bytes) -> None:
    assert read(raw).digest


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A mail of the corpus with pieces cut out, doubled, moved, overwritten, or taken from another one."""
    names = st.sampled_from(sorted(EXPECTED))
    raw = bytearray(mail(draw(names)))
    for _ in range(draw(st.integers(1, 6))):
        start, end = sorted(draw(st.tuples(st.integers(0, len(raw)), st.integers(0, len(raw)))))
        match draw(st.integers(0, 4)):
            case 0:
                del raw[start : start + (end - start) % 40]
            case 1:
                raw[start:start] = raw[start : start + (end - start) % 200]
            case 2:
                raw[start : start + 4] = draw(st.binary(max_size=4))
            case 3:
                other = mail(draw(names))
                raw[start:start] = other[start % len(other) :][: end % 300]
            case _:
                lines = bytes(raw).split(b"\n")
                raw = bytearray(b"\n".join(draw(st.permutations(lines[:30])) + lines[30:]))
    return bytes(raw)


@FUZZ
@given(mutated())
def test_no_damaged_mail_makes_the_reader_raise(raw: bytes) -> None:
    reading = read(raw)
    assert reading.sort is not Sort.UNREADABLE, reading.why
    assert reading.sort is Sort.LETTER or not reading.commands
    assert len(reading.commands) <= 5


@pytest.mark.parametrize(
    "piece", ["<", "<!--", "<a ", "<![", "</", "&#", "<div>", "<p>x", "x<b>", "<br>", '<a href="', "<x a='"]
)
def test_a_page_made_to_take_long_does_not(piece: str) -> None:
    page = LETTER.replace(b"text/plain", b"text/html") + piece.encode() * (1_000_000 // len(piece))
    began = time.process_time()
    read(page)
    assert time.process_time() - began < 20


@pytest.mark.parametrize("sign", [" ", "-", ">", ".", "-\n", ">\n", "a,", "1/", "12:00 <", "=?", "From: x\n"])
def test_a_text_made_to_take_long_does_not(sign: str) -> None:
    began = time.process_time()
    read(LETTER + sign.encode() * (1_000_000 // len(sign)))
    read(b"From: " + sign.encode() * (300_000 // len(sign)) + b"\r\n\r\ntake")
    assert time.process_time() - began < 20


def _nested(depth: int, text: bytes) -> bytes:
    outer = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(depth)
    )
    return b"From: alice@play.example\r\nTo: a@b.example\r\n" + outer + b"\r\n" + text


@pytest.mark.parametrize("raw", [_nested(5000, b"roll"), _nested(90, b"\r\n" * 50_000)])
def test_parts_in_parts_in_parts_are_not_looked_into(raw: bytes) -> None:
    assert read(raw).sort is Sort.UNREADABLE
    assert recipients_in(raw) == ["a@b.example"]


def test_the_parameters_of_a_header_of_a_megabyte_keep_nobody_busy() -> None:
    raw = b"From: alice@play.example\r\nContent-Type: text/plain; " + b"a*1*=x; " * 100_000 + b"\r\n\r\nroll"
    began = time.process_time()
    assert [one.text for one in read(raw).commands] == ["roll"]
    assert time.process_time() - began < 2


def test_what_a_server_says_of_a_letter_holds_no_sign_that_no_database_takes() -> None:
    raw = (
        b"From: mailer-daemon@x.example\r\n"
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n"
        b"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\n"
        b"Final-Recipient: rfc822; a@b.example\r\nAction: failed\r\nStatus: 5.1.1\r\n"
        b"Diagnostic-Code: smtp; =?utf-8?Q?no=00body?= =?utf-7?Q?+2AA-?=\r\n\r\n--b--\r\n"
    )
    bounce = read(raw, "").bounce
    assert bounce is not None
    assert bounce.said.startswith("no body")
    assert bounce.said.encode()
