"""The mailbox of a development server: a real SMTP sink on loopback, and the letters it kept as files.

Only `bgmail.cli.dev` starts it, and its pages refuse to be registered in production.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

HOST = "127.0.0.1"
KEPT = 1000
_NAME = re.compile(r"(\d{6,})\.eml")


@dataclass(frozen=True, slots=True)
class Mail:
    """One letter in the mailbox. `sender` and `recipients` are those of the envelope."""

    number: int
    message: EmailMessage
    raw: bytes

    @property
    def recipients(self) -> str:
        return str(self.message["X-Envelope-To"])

    @property
    def subject(self) -> str:
        return str(self.message["Subject"] or "")

    def text(self) -> str:
        """The plain text part; "" when there is none."""
        part = self.message.get_body(("plain",))
        return str(part.get_content()) if part else ""

    def html(self) -> str:
        """The HTML part as it came, pictures by Content-ID; "" when there is none."""
        part = self.message.get_body(("html",))
        return str(part.get_content()) if part else ""

    def pictures(self) -> dict[str, tuple[str, bytes]]:
        """The inline pictures by Content-ID: media type and bytes."""
        found = {}
        for part in self.message.walk():
            if part.get_content_maintype() == "image" and part["Content-ID"]:
                found[part["Content-ID"].strip("<> ")] = (part.get_content_type(), part.get_content())
        return found


class Mailbox:
    """Letters as numbered files in a folder; the highest number is the newest. They survive a restart."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def numbers(self) -> list[int]:
        """All letters, newest first."""
        return sorted(self._numbers(), reverse=True)

    def read(self, number: int) -> Mail | None:
        """One letter; None when there is no such."""
        try:
            raw = self._path(number).read_bytes()
        except FileNotFoundError:
            return None
        message = message_from_bytes(raw, policy=policy.default)
        return Mail(number, message, raw)

    def add(self, sender: str, recipients: list[str], content: bytes) -> int:
        """Keeps a letter with its envelope on top; its number. The oldest beyond KEPT go."""
        number = max(self._numbers(), default=0) + 1
        envelope = f"X-Envelope-From: {sender}\r\nX-Envelope-To: {', '.join(recipients)}\r\n"
        partial = self.folder / f"{number}.part"
        partial.write_bytes(envelope.encode() + content)
        partial.rename(self._path(number))
        for old in self.numbers()[KEPT:]:
            self._path(old).unlink(missing_ok=True)
        return number

    def clear(self) -> None:
        """Throws every letter away."""
        for number in self.numbers():
            self._path(number).unlink(missing_ok=True)

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:06}.eml"

    def _numbers(self) -> Iterator[int]:
        for path in self.folder.iterdir():
            if found := _NAME.fullmatch(path.name):
                yield int(found[1])


HandOver = Callable[[str, list[str], bytes], None]
"""What else is done with a letter: its envelope's sender and recipients, and its bytes."""


class Sink:
    """An SMTP server on an ephemeral port of loopback that keeps every letter it is given.

    `hand_over`, once it is set, is given each letter too.
    """

    def __init__(self, mailbox: Mailbox) -> None:
        self.mailbox = mailbox
        self._handler = _Handler(mailbox)
        self._controller = _Controller(self._handler)

    @classmethod
    def start(cls, folder: Path) -> Sink:
        """Starts a sink that keeps its letters in `folder`."""
        sink = cls(Mailbox(folder))
        sink._controller.start()
        return sink

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._controller.port

    def hand_over(self, to: HandOver) -> None:
        """Gives every letter from now on to somebody else as well."""
        self._handler.also = to

    def stop(self) -> None:
        """Closes the port; letters stay."""
        self._controller.stop()


class _Handler:
    def __init__(self, mailbox: Mailbox) -> None:
        self.mailbox = mailbox
        self.also: HandOver | None = None

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.content
        raw = content.encode() if isinstance(content, str) else content or b""
        sender, recipients = envelope.mail_from or "", list(envelope.rcpt_tos)
        number = self.mailbox.add(sender, recipients, raw)
        if self.also:
            await asyncio.to_thread(self.also, sender, recipients, raw)
        return f"250 kept as {number}"


class _Controller(Controller):
    """aiosmtpd's server in a thread, on a socket that is bound before: nobody can be faster."""

    def __init__(self, handler: Any) -> None:
        self._listener = socket.create_server((HOST, 0))
        super().__init__(handler, hostname=HOST, port=self._listener.getsockname()[1], ready_timeout=30)

    def _create_server(self) -> Any:
        asyncio.set_event_loop(self.loop)
        return self.loop.create_server(self._factory_invoker, sock=self._listener)
