"""The headers of a mail as text. Nothing in them is believed, and nothing in them makes the reader stumble."""

from __future__ import annotations

import re
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.utils import getaddresses

from bgmail.inbox.charsets import text_of

MOST, MOST_OF_A_NAME = 10_000, 50
_FOLD = re.compile(r"[\r\n\t ]+")
_ADDRESS = re.compile(r"[^\s@<>,;:\"()\[\]\\]+@[^\s@<>,;:\"()\[\]\\]+")


def header(message: Message, name: str) -> str:
    """The first header of that name, unfolded and decoded; "" when there is none."""
    return next(iter(headers(message, name)), "")


def headers(message: Message, name: str) -> list[str]:
    """All headers of that name, the topmost first."""
    return [_decoded(str(value)) for value in message.get_all(name, [])[:MOST_OF_A_NAME]]


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
    return "".join(piece if isinstance(piece, str) else text_of(piece, name or "") for piece, name in pieces)
