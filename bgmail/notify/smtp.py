"""Flask-Mail's connection with what it lacks: a timeout, verified TLS, bytes as they were built, and failures
by what they mean for the letter."""

from __future__ import annotations

import smtplib
import ssl
import time
from collections.abc import Callable
from threading import Lock

from flask_mail import Connection, Mail

from bgmail.settings import Settings

TIMEOUT = 20.0
"""Seconds for each step of the dialogue: Flask-Mail by itself would wait for ever."""
MOST_A_CONNECTION = 100
IDLE = 20.0
"""Seconds after which a kept connection isn't trusted any more."""
REST = 30.0
"""Seconds without trying after the server could not be reached."""


class MailTrouble(Exception):
    """A letter was not taken; the message says what the server or the network said."""


class ServerDown(MailTrouble):
    """No server, or it takes no mail from us at all: every letter waits."""


class Deferred(MailTrouble):
    """The server doesn't want this letter now: it is tried again later."""


class Rejected(MailTrouble):
    """The server will never take this letter."""


class Letterbox:
    """Sends finished messages over one kept connection. Safe for several threads, one letter at a time."""

    def __init__(
        self,
        settings: Settings,
        monotonic: Callable[[], float] = time.monotonic,
        heard: Callable[[bool], None] = lambda _: None,
    ) -> None:
        """`heard` is told, whenever the server is asked for a greeting, whether it gave one."""
        self._mail = Mail().init_mail(_config(settings))
        self._monotonic, self._heard = monotonic, heard
        self._lock = Lock()
        self._connection: _Connection | None = None
        self._used_at = 0.0
        self._rests_until = 0.0

    @property
    def resting(self) -> bool:
        """Whether the server was out of reach a moment ago: nothing is tried until the rest is over."""
        return self._monotonic() < self._rests_until

    def send(self, message: bytes, sender: str, recipient: str) -> None:
        """Hands one message to the mail server, for one recipient. Raises ServerDown, Deferred, Rejected."""
        with self._lock:
            try:
                self._send(message, sender, recipient)
            except (smtplib.SMTPException, OSError, UnicodeError) as error:
                self._drop()
                raise self._meaning(error) from error

    def close(self) -> None:
        """Says good-bye to the server."""
        with self._lock:
            self._drop()

    def _send(self, message: bytes, sender: str, recipient: str) -> None:
        connection, kept = self._connected()
        try:
            connection.post(message, sender, recipient)
        except smtplib.SMTPServerDisconnected:
            if not kept:
                raise
            self._drop()  # it grew tired of waiting: that says nothing about this letter
            connection, _ = self._connected()
            connection.post(message, sender, recipient)
        self._used_at = self._monotonic()
        if connection.num_emails >= MOST_A_CONNECTION:
            self._drop()

    def _connected(self) -> tuple[_Connection, bool]:
        """A connection, and whether it has been used before."""
        if self._connection and self._monotonic() - self._used_at > IDLE:
            self._drop()
        if self._connection:
            return self._connection, True
        self._connection = _Connection(self._mail)  # type: ignore[arg-type]  # as Flask-Mail itself does
        try:
            self._connection.__enter__()
        except (smtplib.SMTPException, OSError):
            self._heard(False)
            raise
        self._heard(True)
        return self._connection, False

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.leave()

    def _meaning(self, error: Exception) -> MailTrouble:
        trouble = meaning(error)
        if isinstance(trouble, ServerDown):
            self._rests_until = self._monotonic() + REST
        return trouble


class _Connection(Connection):
    def configure_host(self) -> smtplib.SMTP | smtplib.SMTP_SSL:
        """A greeted, encrypted and signed-in connection; certificates are verified."""
        context = ssl.create_default_context() if self.mail.use_ssl or self.mail.use_tls else None
        if self.mail.use_ssl:
            host: smtplib.SMTP = smtplib.SMTP_SSL(
                self.mail.server, self.mail.port or 0, timeout=TIMEOUT, context=context
            )
        else:
            host = smtplib.SMTP(self.mail.server, self.mail.port or 0, timeout=TIMEOUT)
        try:
            if self.mail.use_tls:
                host.starttls(context=context)
            if self.mail.username and self.mail.password:
                host.login(self.mail.username, self.mail.password)
        except BaseException:
            host.close()
            raise
        return host

    def post(self, message: bytes, sender: str, recipient: str) -> None:
        """One message as it was built: a Message of Flask-Mail's would look this machine's name up for each."""
        if self.host is None:
            raise smtplib.SMTPServerDisconnected("the connection was never made")
        self.host.sendmail(sender, [recipient], message)
        self.num_emails += 1

    def leave(self) -> None:
        """Ends the dialogue, politely if the server still listens."""
        if self.host is None:
            return
        try:
            self.host.quit()
        except (smtplib.SMTPException, OSError):
            self.host.close()


def meaning(error: Exception) -> MailTrouble:
    """What an error of smtplib or the network means for the letter.

    A refusal of the recipient or of the content for good (5xx) is final, unless the server says that it is
    its policy (5.7.x): that is between the operator and the relay, and may be mended.
    """
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, said = next(iter(error.recipients.values()), (450, b""))
        return _refusal(code, said)
    if isinstance(error, smtplib.SMTPDataError):
        return _refusal(error.smtp_code, error.smtp_error)
    if isinstance(error, UnicodeError):
        return Rejected(f"the address can't be written in ASCII: {error}")
    return ServerDown(_said(error))


def _refusal(code: int, said: bytes | str) -> MailTrouble:
    text = f"{code} {_text(said)}"
    by_policy = text[4:].startswith("5.7.")
    return Rejected(text) if 500 <= code < 600 and not by_policy else Deferred(text)


def _said(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        return f"{error.smtp_code} {_text(error.smtp_error)}"
    return f"{type(error).__name__}: {error}"


def _text(said: bytes | str) -> str:
    return said.decode(errors="replace") if isinstance(said, bytes) else said


def _config(settings: Settings) -> dict[str, object]:
    return {
        "MAIL_SERVER": settings.mail_server,
        "MAIL_PORT": settings.mail_port,
        "MAIL_USERNAME": settings.mail_username,
        "MAIL_PASSWORD": settings.mail_password,
        "MAIL_USE_TLS": settings.mail_use_tls,
        "MAIL_USE_SSL": settings.mail_use_ssl,
        "MAIL_DEFAULT_SENDER": settings.mail_default_sender,
    }
