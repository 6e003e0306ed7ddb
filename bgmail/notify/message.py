"""A letter as a message: text and HTML, the board as an inline picture, and the headers good mail carries."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from email.utils import format_datetime, parseaddr

import idna

from bgmail.notify.occasion import Notice

UNFOLDED = frozenset({"message-id", "in-reply-to", "references", "list-unsubscribe", "subject"})
LONGEST_LINE = 400


class _Policy(EmailPolicy):
    """Ids, links and plain subjects stay in one piece.

    Python would fold a long id into encoded words, and push a subject that just doesn't fit behind an empty
    first line.
    """

    def fold(self, name: str, value: str) -> str:
        whole = name.lower() in UNFOLDED and value.isascii() and len(value) < LONGEST_LINE
        return f"{name}: {value}{self.linesep}" if whole else super().fold(name, value)

    def fold_binary(self, name: str, value: str) -> bytes:
        return self.fold(name, value).encode("ascii")


POLICY = _Policy(linesep=SMTP.linesep, cte_type="7bit")
"""Every line short and in ASCII on the wire, so that no relay on the way has to change a byte."""
BOARD_ID = "board"
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
        return ascii_address(parseaddr(self.sender)[1]).rpartition("@")[2]

    @property
    def sender_address(self) -> str:
        """The one address that errors come back to."""
        return ascii_address(parseaddr(self.sender)[1])

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


def compose(letter: Letter, envelope: Envelope, own_id: str, at: datetime) -> EmailMessage:
    """The message to one reader. Raises BadAddress."""
    message = EmailMessage(policy=POLICY)
    message["From"] = _mailbox(*parseaddr(envelope.sender))
    message["To"] = _mailbox(envelope.name, envelope.address)
    if letter.reply_to:
        message["Reply-To"] = _mailbox(parseaddr(envelope.sender)[0], letter.reply_to)
    message["Subject"] = one_line(letter.subject)
    message["Date"] = format_datetime(at)
    message["Message-ID"] = own_id
    if letter.thread:
        message["In-Reply-To"] = message["References"] = thread_id(letter.thread, envelope.domain)
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    if letter.unsubscribe:
        message["List-Unsubscribe"] = f"<{letter.unsubscribe}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(letter.text)
    message.add_alternative(letter.html, subtype="html")
    if letter.board is not None:
        _add_board(message, letter.board, board_cid(envelope.domain))
    return message


def _add_board(message: EmailMessage, picture: bytes, cid: str) -> None:
    html = message.get_body(("html",))
    if html is None:
        raise ValueError("a picture needs an HTML part")
    html.add_related(picture, "image", "png", cid=f"<{cid}>", disposition="inline", filename="board.png")


def one_line(text: str) -> str:
    """Text for a header: no line break of any kind, whatever was in it."""
    return " ".join(_CONTROL.sub(" ", text).split())


def _mailbox(name: str, address: str) -> Address:
    local, _, domain = ascii_address(address).rpartition("@")
    return Address(one_line(name), local, domain)


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
