"""The text that a mail shows its reader, out of all its parts: plain if there is plain, else the words of its HTML."""

from __future__ import annotations

from email.message import Message

from bgmail.inbox.charsets import in_html, text_of
from bgmail.inbox.flowed import unflowed
from bgmail.inbox.headers import header, parameter
from bgmail.inbox.markup import lines_of

MOST_NESTED = 12
MOST_PARTS = 100
LONGEST = 1_000_000
ENCRYPTED = frozenset({"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"})


def encrypted(message: Message) -> bool:
    """Whether nobody but the addressee's own program could read it."""
    return message.get_content_type() in ENCRYPTED


def body(message: Message, depth: int = 0) -> str:
    """The text of a mail; "" where it has none. Attached files and mails are left out."""
    kind = message.get_content_type()
    if _attached(message) or depth > MOST_NESTED:
        return ""
    if message.is_multipart():
        parts = [part for part in message.get_payload() if isinstance(part, Message)][:MOST_PARTS]
        if kind == "multipart/alternative":
            return _preferred(parts, depth)
        if kind.startswith("message/"):
            return ""
        if kind == "multipart/related":
            parts = parts[:1]
        return "\n".join(text for part in parts if (text := body(part, depth + 1)).strip())
    if kind == "text/html":
        return lines_of(_decoded(message, html=True))
    return _plain(message) if kind == "text/plain" else ""


def _preferred(parts: list[Message], depth: int) -> str:
    """The plain text of several forms of one body, unless it is empty."""
    plain = [part for part in parts if part.get_content_type() == "text/plain"]
    others = [part for part in parts if part not in plain]
    texts = (body(part, depth + 1) for part in (*plain, *others))
    return next((text for text in texts if text.strip()), "")


def _plain(part: Message) -> str:
    text = _decoded(part)
    if parameter(part, "format").lower() == "flowed":
        return unflowed(text, delete_space=parameter(part, "delsp").lower() == "yes")
    return text


def _decoded(part: Message, *, html: bool = False) -> str:
    raw = part.get_payload(decode=True)
    content = raw[:LONGEST] if isinstance(raw, bytes) else b""
    declared = parameter(part, "charset") or (in_html(content) if html else "")
    text = text_of(content, declared)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _attached(part: Message) -> bool:
    named = parameter(part, "filename", of="content-disposition") or parameter(part, "name")
    disposition = header(part, "content-disposition").partition(";")[0].strip().lower()
    return (
        disposition == "attachment"
        or (bool(named) and disposition != "inline")
        or part.get_content_type()
        in (
            "message/rfc822",
            "text/calendar",
            "text/vcard",
            "text/x-vcard",
        )
    )
