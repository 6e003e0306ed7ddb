"""The headers of a mail as text. Nothing in them is believed, and nothing in them makes the reader stumble."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import Compat32
from email.utils import getaddresses

from bgmail.inbox.charsets import text_of

MOST, MOST_OF_A_NAME = 10_000, 50
MOST_NESTED, MOST_STEPS = 100, 3_000_000
"""Of parts that hold others, and of lines times these: what Python's parser has to do for a mail."""
_FOLD = re.compile(r"[\r\n\t ]+")
_HOLDS_OTHERS = re.compile(rb"^content-type:\s*(?:multipart|message)/", re.IGNORECASE | re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_ADDRESS = re.compile(r"[^\s@<>,;:\"()\[\]\\]+@[^\s@<>,;:\"()\[\]\\]+")


class TooMuch(ValueError):
    """A mail made to keep its reader busy for hours."""


class _Short(Compat32):
    """Headers end somewhere: the parameters of one of a megabyte take Python half a minute."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:MOST]


_SHORT = _Short()


def parsed(raw: bytes) -> Message:
    """A mail with its parts. Raises TooMuch."""
    holding = sum(1 for _ in _HOLDS_OTHERS.finditer(raw))
    if holding > MOST_NESTED or raw.count(b"\n") * (holding + 1) > MOST_STEPS:
        raise TooMuch("more parts and lines than anybody writes")
    return message_from_bytes(raw, policy=_SHORT)


def head(raw: bytes) -> Message:
    """The headers of a mail alone, whatever is below them."""
    return BytesHeaderParser(policy=_SHORT).parsebytes(raw)


def header(message: Message, name: str) -> str:
    """The first header of that name, unfolded and decoded; "" when there is none."""
    return next(iter(headers(message, name)), "")


def headers(message: Message, name: str) -> list[str]:
    """All headers of that name, the topmost first."""
    return [_decoded(str(value)) for value in message.get_all(name, [])[:MOST_OF_A_NAME]]


def as_written(message: Message, name: str) -> list[str]:
    """All headers of that name, unfolded and no more: an encoded word in them is just a word."""
    return [_FOLD.sub(" ", str(value)[:MOST]).strip() for value in message.get_all(name, [])[:MOST_OF_A_NAME]]


def has(message: Message, *names: str) -> bool:
    """Whether one of these headers is there."""
    return any(name in message for name in names)


def parameter(message: Message, name: str, of: str = "content-type") -> str:
    """A parameter of a header, without its quotes; "" when there is none."""
    try:
        value = message.get_param(name, "", header=of)
    except (ValueError, LookupError, TypeError):
        return ""
    found = value[2] if isinstance(value, tuple) else value
    return str(found or "").strip(" \"'")


def addresses(message: Message, *names: str) -> list[str]:
    """Every address in these headers, in order. A name that looks like an address is none."""
    found = getaddresses(
        [str(value)[:MOST] for name in names for value in message.get_all(name, [])[:MOST_OF_A_NAME]]
    )
    return [address for _, address in found if _ADDRESS.fullmatch(address)]


def only_sender(message: Message) -> str:
    """The one address that the mail says to come from; "" where there are none or several."""
    senders = message.get_all("from", [])
    found = addresses(message, "from")
    return found[0] if len(senders) == 1 and len(found) == 1 else ""


def _decoded(value: str) -> str:
    """A header with its encoded words decoded and its folds undone."""
    flat = _FOLD.sub(" ", value[:MOST]).strip()
    if "=?" not in flat:
        return flat.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    try:
        pieces = decode_header(flat)
    except (HeaderParseError, ValueError, LookupError):
        return flat.encode("ascii", "replace").decode()
    text = "".join(piece if isinstance(piece, str) else text_of(piece, name or "") for piece, name in pieces)
    return _CONTROL.sub(" ", text)
