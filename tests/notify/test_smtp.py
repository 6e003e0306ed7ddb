"""The way to the mail server: a kept connection, verified TLS, a timeout, and failures by what they mean."""

from __future__ import annotations

import smtplib
import socket
import ssl
import threading
from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from flask import Flask

from bgmail.notify import smtp
from bgmail.notify.smtp import Deferred, Letterbox, Rejected, ServerDown, meaning
from bgmail.settings import Settings
from tests.fixtures.patience import PATIENCE
from tests.fixtures.servers import free_port
from tests.notify.conftest import settings_for

pytestmark = pytest.mark.smtp


class Server:
    """A mail server that counts connections and answers as it is told."""

    def __init__(self) -> None:
        self.sessions: set[Any] = set()
        self.letters: list[tuple[list[str], bytes]] = []
        self.to_rcpt, self.to_data = "250 fine", "250 taken"
        self.hang_up = False

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        self.sessions.add(id(session))
        if self.to_rcpt.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.to_rcpt

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        if self.to_data.startswith("250"):
            self.letters.append((list(envelope.rcpt_tos), envelope.content))
        return self.to_data


class OwnPort(Controller):
    def __init__(self, handler: Server) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        port = self._listener.getsockname()[1]
        super().__init__(handler, hostname="127.0.0.1", port=port, ready_timeout=PATIENCE)

    def _create_server(self) -> Any:
        return self.loop.create_server(self._factory_invoker, sock=self._listener)


class Monotonic:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def port(server: Server) -> Iterator[int]:
    running = OwnPort(server)
    running.start()
    yield running.port
    running.stop()


@pytest.fixture
def seconds() -> Monotonic:
    return Monotonic()


@pytest.fixture
def context() -> Iterator[None]:
    with Flask("test").app_context():
        yield


def settings(tmp_path: Path, port: int) -> Settings:
    return settings_for(tmp_path, "sqlite://", port)


@pytest.fixture
def letterbox(tmp_path: Path, port: int, seconds: Monotonic, context: None) -> Iterator[Letterbox]:
    box = Letterbox(settings(tmp_path, port), seconds)
    yield box
    box.close()


def mail(text: str = "hello") -> EmailMessage:
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"], message["Subject"] = "l@club.example", "alice@example.org", "s"
    message.set_content(text)
    return message


def send(box: Letterbox, to: str = "alice@example.org") -> None:
    box.send(mail().as_bytes(), "l@club.example", to)


def test_letters_go_over_one_connection(
    tmp_path: Path, port: int, seconds: Monotonic, context: None, server: Server
) -> None:
    heard: list[bool] = []
    letterbox = Letterbox(settings(tmp_path, port), seconds, heard.append)
    for number in range(5):
        send(letterbox, f"reader{number}@example.org")
    assert [to for to, _ in server.letters] == [[f"reader{number}@example.org"] for number in range(5)]
    assert len(server.sessions) == 1
    assert heard == [True]
    letterbox.close()


def test_the_bytes_arrive_as_they_were_built(letterbox: Letterbox, server: Server) -> None:
    message = mail("line\n.dot\n..two\n")
    letterbox.send(message.as_bytes(), "l@club.example", "alice@example.org")
    assert server.letters[0][1] == message.as_bytes()


def test_a_connection_is_renewed_after_a_number_of_letters(
    letterbox: Letterbox, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(smtp, "MOST_A_CONNECTION", 2)
    for _ in range(5):
        send(letterbox)
    assert len(server.letters) == 5
    assert len(server.sessions) == 3


def test_an_idle_connection_is_not_trusted(letterbox: Letterbox, server: Server, seconds: Monotonic) -> None:
    send(letterbox)
    seconds.now += smtp.IDLE + 1
    send(letterbox)
    assert len(server.sessions) == 2


def test_a_connection_that_the_server_closed_is_opened_again_once(
    letterbox: Letterbox, server: Server
) -> None:
    send(letterbox)
    assert letterbox._connection is not None
    assert letterbox._connection.host is not None
    letterbox._connection.host.sock.shutdown(socket.SHUT_RDWR)
    send(letterbox)
    assert len(server.letters) == 2


@pytest.mark.parametrize(
    ("rcpt", "data", "trouble"),
    [
        ("550 5.1.1 no such person", "250 taken", Rejected),
        ("450 4.2.1 come back later", "250 taken", Deferred),
        ("550 5.7.1 we don't like your sender", "250 taken", Deferred),
        ("250 fine", "554 5.6.0 that is no letter", Rejected),
        ("250 fine", "451 4.3.0 disk full", Deferred),
    ],
)
def test_a_refusal_is_final_or_for_now(
    letterbox: Letterbox, server: Server, rcpt: str, data: str, trouble: type[Exception]
) -> None:
    server.to_rcpt, server.to_data = rcpt, data
    with pytest.raises(trouble) as caught:
        send(letterbox)
    assert str(caught.value) in (rcpt, data)
    assert not letterbox.resting
    server.to_rcpt, server.to_data = "250 fine", "250 taken"
    send(letterbox)
    assert len(server.letters) == 1


def test_a_server_that_is_not_there_is_left_alone_for_a_moment(
    tmp_path: Path, seconds: Monotonic, context: None
) -> None:
    nobody = free_port()
    heard: list[bool] = []
    box = Letterbox(settings(tmp_path, nobody), seconds, heard.append)
    with pytest.raises(ServerDown):
        send(box)
    assert heard == [False]
    assert box.resting
    seconds.now += smtp.REST + 1
    assert not box.resting


def test_a_server_that_accepts_and_never_greets_does_not_hold_us_for_ever(
    tmp_path: Path, seconds: Monotonic, context: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(smtp, "TIMEOUT", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        box = Letterbox(settings(tmp_path, silent.getsockname()[1]), seconds)
        with pytest.raises(ServerDown):
            send(box)
        assert box.resting


def test_a_certificate_that_nobody_vouches_for_is_refused(
    tmp_path: Path, context: None, seconds: Monotonic, self_signed: ssl.SSLContext
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        tls = threading.Thread(target=greet_once, args=(listener, self_signed))
        tls.start()
        box = Letterbox(replace(settings(tmp_path, listener.getsockname()[1]), mail_use_ssl=True), seconds)
        with pytest.raises(ServerDown, match="CERTIFICATE_VERIFY_FAILED"):
            send(box)
        tls.join()


def greet_once(listener: socket.socket, context: ssl.SSLContext) -> None:
    connection, _ = listener.accept()
    with connection:
        try:
            with context.wrap_socket(connection, server_side=True) as encrypted:
                encrypted.sendall(b"220 welcome\r\n")
        except OSError:
            pass  # the client hung up: it has seen the certificate


@pytest.fixture
def self_signed() -> ssl.SSLContext:
    """A certificate that no authority signed, for 127.0.0.1, good for a hundred years."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(Path(__file__).with_name("self_signed.pem"))
    return context


@pytest.mark.parametrize(
    ("error", "trouble"),
    [
        (smtplib.SMTPAuthenticationError(535, b"5.7.8 who are you"), ServerDown),
        (smtplib.SMTPSenderRefused(550, b"not you", "l@club.example"), ServerDown),
        (smtplib.SMTPServerDisconnected("gone"), ServerDown),
        (TimeoutError("slow"), ServerDown),
        (smtplib.SMTPNotSupportedError("no STARTTLS"), ServerDown),
        (smtplib.SMTPRecipientsRefused({"a@b.c": (551, b"moved")}), Rejected),
        (smtplib.SMTPRecipientsRefused({}), Deferred),
        (UnicodeEncodeError("ascii", "ö", 0, 1, "no"), Rejected),
    ],
)
def test_what_an_error_means_for_the_letter(error: Exception, trouble: type[Exception]) -> None:
    assert type(meaning(error)) is trouble
