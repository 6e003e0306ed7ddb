"""A letter as a message: text and HTML, the board as an inline picture, and the headers good mail carries."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.utils import format_datetime, parseaddr
from functools import cache

import idna

from bgmail.notify import mime
from bgmail.notify.occasion import Notice

BOARD_ID = "board"
_sender = cache(parseaddr)  # of the one sender that the settings name: (name, address)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


class BadAddress(ValueError):
    """An address that no mail can be sent to."""


@dataclass(frozen=True, slots=True)
class Letter:
    """What is to be said, ready to be put into an envelope.

    `board` is the PNG that the HTML shows as `cid:` + BOARD_ID at the mail domain; None for a letter without
    one. `unsubscribe` is the one-click address for this kind of letter, None where there is no such choice.
    `thread` names the match and seat that its letters are gathered under, "" for a letter by itself. `reply_to` is the
    address that an answer acts by, None where no answer is read.
    """

    subject: str
    text: str
    html: str
    board: bytes | None = None
    unsubscribe: str | None = None
    thread: str = ""
    reply_to: str | None = None


@dataclass(frozen=True, slots=True)
class Envelope:
    """Who writes to whom. `sender` is the From header; only its address is the envelope's."""

    sender: str
    name: str
    address: str

    @property
    def domain(self) -> str:
        """The domain of Message-IDs."""
        return ascii_address(_sender(self.sender)[1]).rpartition("@")[2]

    @property
    def sender_address(self) -> str:
        """The one address that errors come back to."""
        return ascii_address(_sender(self.sender)[1])

    @property
    def recipient(self) -> str:
        """The one address that the letter goes to. Raises BadAddress."""
        return ascii_address(self.address)


def message_id(notice: Notice, domain: str) -> str:
    """The Message-ID of a notice's letter: the same at every attempt, and never that of another notice."""
    microseconds = round(notice.created_at.timestamp() * 1_000_000)
    return f"<notice.{notice.id}.{microseconds:x}@{domain}>"


def thread_id(thread: str, domain: str) -> str:
    """The root that all letters of one thread refer to. No letter carries it as its own id."""
    return f"<match.{thread}@{domain}>"


def board_cid(domain: str) -> str:
    """The Content-ID of the board's picture, without its brackets."""
    return f"{BOARD_ID}@{domain}"


def compose(letter: Letter, envelope: Envelope, own_id: str, at: datetime) -> bytes:
    """The message to one reader, as it goes over the wire. Raises BadAddress."""
    content = mime.text("html", letter.html)
    if letter.board is not None:
        board = mime.picture(letter.board, board_cid(envelope.domain), "board.png")
        content = mime.multipart("related", (content, board))
    body = mime.multipart("alternative", (mime.text("plain", letter.text), content))
    return mime.headers(_headers(letter, envelope, own_id, at)) + body


def _headers(letter: Letter, envelope: Envelope, own_id: str, at: datetime) -> dict[str, str]:
    headers = {
        "From": _mailbox(*_sender(envelope.sender)),
        "To": _mailbox(envelope.name, envelope.address),
        "Subject": one_line(letter.subject),
        "Date": format_datetime(at),
        "Message-ID": own_id,
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "MIME-Version": "1.0",
    }
    if letter.reply_to:
        headers["Reply-To"] = _mailbox(_sender(envelope.sender)[0], letter.reply_to)
    if letter.thread:
        headers["In-Reply-To"] = headers["References"] = thread_id(letter.thread, envelope.domain)
    if letter.unsubscribe:
        headers["List-Unsubscribe"] = f"<{letter.unsubscribe}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return headers


def one_line(text: str) -> str:
    """Text for a header: no line break of any kind, whatever was in it."""
    return " ".join(_CONTROL.sub(" ", text).split())


def _mailbox(name: str, address: str) -> str:
    local, _, domain = ascii_address(address).rpartition("@")
    return str(Address(one_line(name), local, domain))


def ascii_address(address: str) -> str:
    """The address as it goes over the wire, the domain as xn--. Raises BadAddress where that can't be."""
    local, at, domain = unicodedata.normalize("NFC", address).rpartition("@")
    if not at or not local or not local.isascii() or not local.isprintable() or _unsafe(local):
        raise BadAddress(f"no mail can be sent to {one_line(address)!r}")
    if domain.isascii() and re.fullmatch(r"[A-Za-z0-9.-]+", domain):
        return f"{local}@{domain.lower()}"
    try:
        return f"{local}@{idna.encode(domain, uts46=True).decode()}"
    except idna.IDNAError as error:
        raise BadAddress(f"no mail can be sent to {one_line(address)!r}") from error


def _unsafe(local: str) -> bool:
    """Signs that could end an address or begin another one."""
    return any(sign in local for sign in ' <>,;:\\"()[]@')
