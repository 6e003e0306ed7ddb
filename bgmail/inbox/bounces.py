"""What a mail server reports of a letter that it could not bring: by RFC 3464, or in words of its own."""

from __future__ import annotations

import re
from email.message import Message

from bgmail.inbox import bodies
from bgmail.inbox.copies import blocks, letter_id, returns_to
from bgmail.inbox.headers import addresses, header
from bgmail.inbox.reading import Bounce

_STATUS = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")
_REPLY = re.compile(r"(?<![\d.])([45])\d\d(?=[ -])")
_RECIPIENT = re.compile(r"^[ \t]{0,8}<?([^\s<>@:]{1,64}@[^\s<>@:]{1,255})>?(?::|[ \t]*$)", re.MULTILINE)
_COPY = re.compile(
    r"^.{0,20}(below this line|copy of (the|your) message|original message).*$", re.IGNORECASE | re.MULTILINE
)
_FOR_GOOD = re.compile(
    r"permanent|no such (user|mailbox|person)|(user|mailbox|recipient|address) (is )?(unknown|not found)|"
    r"does not exist|doesn't exist|given up",
    re.IGNORECASE,
)
_LATE = re.compile(
    r"delayed|not yet been|still being|will (be )?(re)?tr(y|ied)|no action is required", re.IGNORECASE
)
MOST_WORDS, MOST_SAID = 20_000, 500


def bounce_of(message: Message) -> Bounce | None:
    """The first failed recipient that a report names, else a delayed one; None where it names nobody."""
    told = blocks(message, "message/delivery-status")
    found = [bounce for block in told if (bounce := _bounce(block, message))]
    first = next((bounce for bounce in found if bounce.failed), found[0] if found else None)
    return first or _in_words(message)


def _bounce(block: Message, message: Message) -> Bounce | None:
    final = header(block, "original-recipient") or header(block, "final-recipient")
    address = final.partition(";")[2].strip() or final
    if not address:
        return None
    status = _STATUS.search(header(block, "status"))
    action = header(block, "action").lower()
    failed = action == "failed" or (not action and status is not None and status[1] == "5")
    return Bounce(
        address.strip("<> "),
        status[0] if status else "",
        letter_id(message),
        failed and (status is None or status[1] != "4"),
        header(block, "diagnostic-code").partition(";")[2].strip()[:MOST_SAID],
        returns_to(message),
    )


def _in_words(message: Message) -> Bounce | None:
    """A report in no form: who it names, and whether it means for good."""
    words = bodies.body(message)[:MOST_WORDS]
    copy = _COPY.search(words)
    words = words[: copy.start()] if copy else words
    named = addresses(message, "x-failed-recipients")
    written = _RECIPIENT.search(words)
    if not named and written is None:
        return None
    status, reply = _STATUS.search(words), _REPLY.search(words)
    figure = status[1] if status else reply[1] if reply else ""
    failed = figure == "5" or (not figure and bool(_FOR_GOOD.search(words)) and not _LATE.search(words))
    said = next(
        (line.strip() for line in words.splitlines() if _REPLY.search(line) or _STATUS.search(line)), ""
    )
    recipient = named[0] if named else written[1] if written else ""
    shown = status[0] if status else ""
    return Bounce(recipient, shown, letter_id(message), failed, said[:MOST_SAID], returns_to(message))
