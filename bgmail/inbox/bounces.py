"""What a mail server reports of a letter that it could not bring (RFC 3464)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message

from bgmail.inbox.headers import header
from bgmail.inbox.reading import Bounce

_STATUS = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")
_ID = re.compile(r"^message-id:\s*(<[^<>\s]{1,900}>)", re.IGNORECASE | re.MULTILINE)
MOST_PARTS = 50


def bounce_of(message: Message) -> Bounce | None:
    """The first failed recipient that a report names, else a delayed one; None where it names nobody."""
    found = [bounce for part in _blocks(message) if (bounce := _bounce(part, _letter(message)))]
    return next((bounce for bounce in found if bounce.failed), found[0] if found else None)


def _blocks(message: Message) -> Iterator[Message]:
    """The blocks of fields in the report, one for each recipient."""
    for part in list(message.walk())[:MOST_PARTS]:
        if part.get_content_type() == "message/delivery-status" and isinstance(part.get_payload(), list):
            yield from (block for block in part.get_payload() if isinstance(block, Message))


def _bounce(block: Message, letter: str) -> Bounce | None:
    final = header(block, "original-recipient") or header(block, "final-recipient")
    address = final.partition(";")[2].strip() or final
    if not address:
        return None
    status = _STATUS.search(header(block, "status"))
    action = header(block, "action").lower()
    failed = action == "failed" or (not action and bool(status) and status is not None and status[1] == "5")
    return Bounce(address.strip("<> "), status[0] if status else "", letter, failed)


def _letter(message: Message) -> str:
    """The Message-ID of the letter that the report is about, from the copy or the headers it brings along."""
    for part in list(message.walk())[1:MOST_PARTS]:
        if part.get_content_type() == "text/rfc822-headers":
            body = part.get_payload()
            found = _ID.search(body) if isinstance(body, str) else None
            if found:
                return found[1]
        if part.get_content_type() == "message/rfc822":
            copies = part.get_payload() if part.is_multipart() else []
            if own := next((header(copy, "message-id") for copy in copies if isinstance(copy, Message)), ""):
                return own
    return ""
