"""What a provider tells of a letter that its customer calls junk (RFC 5965)."""

from __future__ import annotations

from email.message import Message

from bgmail.inbox.copies import blocks, letter_id, returns_to
from bgmail.inbox.headers import header
from bgmail.inbox.reading import Bounce

UNWANTED = frozenset({"abuse", "opt-out", "opt-out-list"})
"""Other reports are about signatures, viruses and the like, or take a complaint back."""


def complaint_of(message: Message) -> Bounce | None:
    """The letter that is complained about; None for any other feedback. Many providers black out the recipient."""
    block = next(blocks(message, "message/feedback-report"), None)
    if block is None or header(block, "feedback-type").lower() not in UNWANTED:
        return None
    recipient = header(block, "original-rcpt-to").strip("<> ")
    sender = header(block, "original-mail-from").strip("<> ")
    return Bounce(recipient, "", letter_id(message), failed=False, returns_to=sender or returns_to(message))
