"""The door for mail servers: LMTP or SMTP. What is said "250" to stands on the disk; nobody unknown is let in."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from flask import Flask

from bgmail.inbox.accepting import LARGEST, NotForUs, accept, token_of
from bgmail.settings import Listen
from bgmail.world import World

PROTOCOLS = {"lmtp": LMTP, "smtp": SMTP}
IDLE_SECONDS = 120
TAKEN = "250 2.0.0 taken"
UNKNOWN = "550 5.1.1 no such mailbox here"
LATER = "451 4.3.0 not now, please try again"

log = logging.getLogger(__name__)


class Door:
    """A server in a thread of this process. `port` is where it listens, also where 0 was asked for."""

    def __init__(self, app: Flask, place: Listen, on_taken: Callable[[], None] = lambda: None) -> None:
        handler = _Handler(app.extensions["bgmail"], on_taken)
        self._controller = _Controller(handler, place)
        self.place = Listen(place.protocol, place.host, self._controller.port)

    def open(self) -> None:
        """Lets mail in from now on."""
        self._controller.start()

    def close(self) -> None:
        """Closes the port; what was taken is kept."""
        self._controller.stop()


class _Handler:
    """The answers to RCPT and DATA."""

    def __init__(self, world: World, on_taken: Callable[[], None]) -> None:
        self.world, self.on_taken = world, on_taken

    async def handle_RCPT(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if token_of(self.world, address) is None:
            return UNKNOWN
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 known"

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        status = await asyncio.to_thread(self._take, envelope)
        one_each = len(envelope.rcpt_tos) if isinstance(server, LMTP) else 1
        return "\r\n".join([status] * one_each)

    def _take(self, envelope: Envelope) -> str:
        content = envelope.content
        raw = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content or b""
        try:
            accept(self.world, raw, envelope.rcpt_tos, self.world.now(), envelope.mail_from or "")
        except NotForUs:
            return UNKNOWN
        except Exception:
            log.exception("a mail could not be kept: its server keeps it and comes again")
            return LATER
        self.on_taken()
        return TAKEN


class _Controller(Controller):
    """aiosmtpd's server in a thread, on a socket that is bound before: nobody can be faster."""

    def __init__(self, handler: _Handler, place: Listen) -> None:
        self._protocol = PROTOCOLS[place.protocol]
        family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
        self._listener = socket.create_server((place.host, place.port), family=family)
        port = self._listener.getsockname()[1]
        super().__init__(handler, hostname=place.host, port=port, ready_timeout=30)

    def factory(self) -> SMTP:
        return self._protocol(
            self.handler, data_size_limit=LARGEST, timeout=IDLE_SECONDS, ident="bgmail", loop=self.loop
        )

    def _create_server(self) -> Any:
        asyncio.set_event_loop(self.loop)
        return self.loop.create_server(self._factory_invoker, sock=self._listener)
