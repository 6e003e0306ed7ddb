"""The copy of a letter, or of its headers, that a report about it brings along."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message

from bgmail.inbox.charsets import text_of
from bgmail.inbox.headers import header

MOST_PARTS = 50
LONGEST = 200_000
_ID = re.compile(r"^[ \t>]{0,8}message-id:\s{0,8}(<[^<>\s]{1,900}>)", re.IGNORECASE | re.MULTILINE)
_RETURNS_TO = re.compile(r"^[ \t>]{0,8}return-path:\s{0,8}<([^<>\s]{1,300})>", re.IGNORECASE | re.MULTILINE)


def parts(message: Message) -> list[Message]:
    """The parts of a report, whatever lies in what."""
    return list(message.walk())[:MOST_PARTS]


def blocks(message: Message, kind: str) -> Iterator[Message]:
    """The blocks of fields in the parts of one kind, such as "message/delivery-status"."""
    for part in parts(message):
        if part.get_content_type() == kind and isinstance(part.get_payload(), list):
            yield from (block for block in part.get_payload() if isinstance(block, Message))


def letter_id(message: Message) -> str:
    """The Message-ID of the letter that a report is about; "" where no copy tells it."""
    return _first(message, "message-id", _ID)


def returns_to(message: Message) -> str:
    """Where the letter said that reports should go; "" where no copy tells it."""
    return _first(message, "return-path", _RETURNS_TO).strip("<> ")


def text(part: Message) -> str:
    """The words of one part."""
    raw = part.get_payload(decode=True)
    return text_of(raw[:LONGEST]) if isinstance(raw, bytes) else ""


def _first(message: Message, name: str, written: re.Pattern[str]) -> str:
    for part in parts(message)[1:]:
        if part.get_content_type() == "text/rfc822-headers" and (found := written.search(text(part))):
            return found[1]
        if part.get_content_type() == "message/rfc822" and part.is_multipart():
            copies = (copy for copy in part.get_payload() if isinstance(copy, Message))
            if own := next((value for copy in copies if (value := header(copy, name))), ""):
                return own
    plain = (text(part) for part in parts(message) if part.get_content_type() == "text/plain")
    return next((found[1] for words in plain if (found := written.search(words))), "")
