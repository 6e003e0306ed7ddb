"""One call: where it goes, what it waits for, and how much of the answer it takes."""

from __future__ import annotations

import socket
import ssl
import struct
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial
from ipaddress import ip_address
from pathlib import Path

import dns.resolver
import pytest

from bgmail.notify.hooks import wire as wires
from bgmail.notify.hooks.wire import MOST_READ, Answer, Trouble, Wire, dial, look_up
from bgmail.service.destinations import Address, BadDestination
from tests.fixtures.patience import PATIENCE
from tests.notify.hooks.receivers import (
    OK,
    Manners,
    Streets,
    answers,
    drips,
    drips_text,
    floods,
    floods_headers,
    receiver,
    silent,
    status,
)

URL = "https://hooks.example.org/in?key=1"
PEM = Path(__file__).with_name("receiver.pem")


def call(manners: Manners, seconds: float = PATIENCE) -> Answer:
    with receiver(manners) as door:
        return Streets(hooks=door).wire(seconds).post(URL, b"{}", {})


def trouble(manners: Manners, seconds: float = PATIENCE) -> Trouble:
    with pytest.raises(Trouble) as found:
        call(manners, seconds)
    return found.value


def test_a_call_arrives_as_it_was_sent() -> None:
    with receiver(answers(OK)) as door:
        answer = Streets(hooks=door).wire().post(URL, b'{"a":1}', {"Content-Type": "application/json"})
    (got,) = door.calls
    assert (got.line, got.body) == ("POST /in?key=1 HTTP/1.1", b'{"a":1}')
    assert got.headers["host"] == "hooks.example.org"
    assert got.headers["content-type"] == "application/json"
    assert answer.taken
    assert (answer.status, answer.text) == (200, "there")


@pytest.mark.parametrize("code", [204, 400, 404, 410, 500, 503])
def test_any_status_is_an_answer(code: int) -> None:
    assert call(status(code)).status == code


def test_a_text_in_chunks_is_read_as_what_it_says() -> None:
    raw = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    assert call(answers(raw)).text == "abcde"


@pytest.mark.parametrize(
    ("said", "wait"),
    [
        ("120", timedelta(seconds=120)),
        ("0.5", timedelta(seconds=0.5)),
        ("1e300", timedelta(days=1)),
        ("-5", None),
        ("nan", None),
        ("tomorrow", None),
    ],
)
def test_how_long_a_receiver_wants_to_be_left_alone_is_heard_up_to_a_day(
    said: str, wait: timedelta | None
) -> None:
    assert call(status(429, f"Retry-After: {said}")).retry_after == wait


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect_is_never_followed(code: int) -> None:
    """Nothing reaches the address inside."""
    with receiver(answers(OK)) as inside:
        location = f"Location: http://127.0.0.1:{inside.port}/admin"
        answer = call(status(code, location))
    assert answer.is_redirect
    assert "redirects are not followed" in answer.said
    assert inside.calls == []


@pytest.mark.parametrize("manners", [silent, drips])
def test_a_receiver_that_never_answers_costs_its_time_and_no_more(manners: Manners) -> None:
    found = trouble(manners, seconds=0.4)
    assert found.code == "timeout", "it goes on so for 20 seconds, and then hangs up"


def test_headers_without_end_are_let_go_at_64_kilobytes() -> None:
    answer = call(floods_headers, seconds=PATIENCE)
    assert (answer.status, answer.text) == (200, "")
    assert answer.seconds < PATIENCE


def test_a_story_that_drips_doesnt_undo_the_yes_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wires, "REST_SECONDS", 0.2)
    answer = call(drips_text)
    assert answer.taken
    assert answer.text.startswith(".")


def test_a_flood_is_read_up_to_64_kilobytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wires, "REST_SECONDS", PATIENCE)  # the size ends it, and not the time
    read: list[int] = []

    class Counted(socket.socket):
        def recv_into(self, *args: object) -> int:  # type: ignore[override]
            read.append(super().recv_into(*args))  # type: ignore[arg-type]
            return read[-1]

    with receiver(floods) as door:
        streets = Streets(hooks=door)

        def counted(*args: object) -> socket.socket:
            plain = streets.dial(*args)  # type: ignore[arg-type]
            return Counted(fileno=plain.detach())

        answer = Wire(streets.resolve, counted, seconds=PATIENCE).post(URL, b"{}", {})
    assert answer.taken
    assert len(answer.text) == 1000
    assert sum(read) == MOST_READ


@pytest.mark.parametrize(
    "raw", [b"", b"SSH-2.0-Open\r\n", b"HTTP/1.1 abc\r\n\r\n", b"\r\n\r\n", b"HTTP/1.1 2"]
)
def test_what_is_no_http_is_trouble(raw: bytes) -> None:
    assert trouble(answers(raw)).code in ("garbled", "connection")


def test_no_control_character_of_an_answer_is_kept() -> None:
    raw = b"HTTP/1.1 500 No\r\nContent-Length: 12\r\n\r\n\x1b[31mred\x00\xff\nyes"
    assert call(answers(raw)).text == "[31mred�\ny"


def test_a_door_that_is_shut_is_trouble_with_the_connection() -> None:
    with receiver(answers(OK)) as door:
        streets = Streets(hooks=door)
    with pytest.raises(Trouble, match="no connection") as found:
        streets.wire().post(URL, b"{}", {})
    assert found.value.code == "connection"


@pytest.mark.parametrize(
    "found",
    [
        ["127.0.0.1"],
        ["93.184.216.34", "127.0.0.1"],
        ["10.0.0.5", "93.184.216.34"],
        ["::ffff:127.0.0.1"],
        ["64:ff9b::7f00:1"],
        ["fd00::1"],
    ],
)
def test_a_name_that_leads_inside_is_never_dialled(found: list[str]) -> None:
    """Both addresses at once are refused as well."""
    with receiver(answers(OK)) as door:
        streets = Streets(hooks=door)
        wire = Wire(lambda *_: [ip_address(one) for one in found], streets.dial)
        with pytest.raises(Trouble) as refused:
            wire.post(URL, b"{}", {})
    assert refused.value.code == "inside"
    assert streets.dialled == []


def test_a_name_is_asked_for_once_and_what_was_judged_is_what_is_dialled() -> None:
    """A second question would get 127.0.0.1."""
    first = ip_address("93.184.216.34")
    replies: list[Sequence[Address]] = [[first], [ip_address("127.0.0.1")]]
    with receiver(answers(OK)) as door:
        streets = Streets(hooks=door)
        Wire(lambda *_: replies.pop(0), streets.dial).post(URL, b"{}", {})
    assert streets.dialled == [(first, "hooks.example.org")]
    assert len(replies) == 1


@pytest.mark.parametrize(
    "url", ["https://127.0.0.1:8443/", "http://hooks.example.org/", "https://localhost./"]
)
def test_an_address_that_got_past_the_form_is_refused_when_it_is_used(url: str) -> None:
    """Rows inserted by hand."""
    with receiver(answers(OK)) as door:
        streets = Streets(hooks=door)
        with pytest.raises(BadDestination):
            streets.wire().post(url, b"{}", {})
    assert streets.dialled == []


def test_the_next_address_is_tried_where_one_takes_no_connection() -> None:
    dialled: list[str] = []
    with receiver(answers(OK)) as door:
        streets = Streets(hooks=door)

        def second(address: Address, *rest: object) -> socket.socket:
            dialled.append(str(address))
            if len(dialled) == 1:
                raise ConnectionRefusedError(111, "Connection refused")
            return streets.dial(address, *rest)  # type: ignore[arg-type]

        both = [ip_address("2606:4700::1111"), ip_address("1.1.1.1")]
        assert Wire(lambda *_: both, second).post(URL, b"{}", {}).taken
    assert dialled == ["1.1.1.1", "2606:4700::1111"]


def test_a_header_with_a_line_break_is_no_header() -> None:
    with pytest.raises(ValueError, match="line break"):
        Wire().post(URL, b"{}", {"A": "b\r\nHost: other"})


def encrypted(receiver_port: int, trusted: ssl.SSLContext, host: str = "hooks.example.org") -> Answer:
    """By the real way to dial, to a port of this machine."""
    wire = Wire(
        lambda *_: [ip_address("127.0.0.1")], partial(dial, trusted=trusted), lambda _: True, seconds=PATIENCE
    )
    return wire.post(f"https://{host}:{receiver_port}/", b"{}", {})


@pytest.fixture
def asked() -> list[str | None]:
    """The names that the receiver's TLS was asked for."""
    return []


@pytest.fixture
def port(asked: list[str | None]) -> Iterator[int]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(PEM)
    context.sni_callback = lambda _, name, __: asked.append(name)

    def encrypt(listener: socket.socket) -> None:
        plain, _ = listener.accept()
        try:
            with plain, context.wrap_socket(plain, server_side=True) as guest:
                guest.recv(65536)
                guest.sendall(OK)
        except OSError:
            pass  # whoever dialled didn't trust us

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=encrypt, args=(listener,))
        thread.start()
        yield listener.getsockname()[1]
        thread.join()


def test_the_certificate_is_asked_for_and_judged_by_the_name_not_the_address(
    port: int, asked: list[str | None]
) -> None:
    trusted = ssl.create_default_context(cafile=str(PEM))
    assert encrypted(port, trusted).taken
    assert asked == ["hooks.example.org"]


@pytest.mark.parametrize("trusts", [True, False])
def test_a_certificate_of_another_name_or_of_nobody_is_not_trusted(port: int, trusts: bool) -> None:
    trusted = ssl.create_default_context(cafile=str(PEM) if trusts else None)
    host = "other.example.org" if trusts else "hooks.example.org"
    with pytest.raises(Trouble, match="certificate is not trusted"):
        encrypted(port, trusted, host)


class NameServer:
    """Answers questions for names on this machine: always the same addresses, or nothing at all."""

    def __init__(self, *found: str) -> None:
        self.found = found
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.asked: list[bytes] = []

    def serve(self) -> None:
        while True:
            try:
                question, asker = self.socket.recvfrom(512)
            except OSError:
                return
            if not question:
                return
            self.asked.append(question[12:].split(b"\0")[0])
            if self.found:
                self.socket.sendto(self.reply(question), asker)

    def reply(self, question: bytes) -> bytes:
        end = question.index(b"\0", 12) + 5
        kind = struct.unpack("!H", question[end - 4 : end - 2])[0]
        wanted = [one for one in self.found if (":" in one) == (kind == 28)]
        head = question[:2] + b"\x81\x80" + struct.pack("!HHHH", 1, len(wanted), 0, 0)
        records = b"".join(
            b"\xc0\x0c" + struct.pack("!HHIH", kind, 1, 60, len(packed)) + packed
            for packed in (ip_address(one).packed for one in wanted)
        )
        return head + question[12:end] + records


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[NameServer]:
    server = NameServer("93.184.216.34", "2606:4700::1111")
    thread = threading.Thread(target=server.serve)
    thread.start()

    def ours() -> dns.resolver.Resolver:
        made = Plain(configure=False)
        made.nameservers, made.port = ["127.0.0.1"], server.socket.getsockname()[1]
        return made

    Plain = dns.resolver.Resolver  # noqa: N806
    monkeypatch.setattr(dns.resolver, "Resolver", ours)
    yield server
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
        last.sendto(b"", server.socket.getsockname())
    thread.join()
    server.socket.close()


def test_a_name_is_looked_up_in_full_in_both_families(serve: NameServer) -> None:
    assert set(look_up("hooks.example.org", PATIENCE)) == {
        ip_address("93.184.216.34"),
        ip_address("2606:4700::1111"),
    }
    assert set(serve.asked) == {b"\5hooks\7example\3org"}


def test_a_name_server_that_says_nothing_costs_its_time_and_no_more(serve: NameServer) -> None:
    serve.found = ()
    began = time.monotonic()
    with pytest.raises(Trouble, match="took too long") as found:
        Wire(lambda host, _: look_up(host, 0.4), seconds=PATIENCE).post(URL, b"{}", {})
    assert time.monotonic() - began < 10
    assert found.value.code == "timeout"


def test_a_name_that_leads_nowhere_is_said_so() -> None:
    def nowhere(*_: object) -> list[Address]:
        raise dns.resolver.NXDOMAIN

    with pytest.raises(Trouble, match="leads nowhere"):
        Wire(nowhere).post(URL, b"{}", {})
    with pytest.raises(Trouble, match="leads nowhere"):
        Wire(lambda *_: []).post(URL, b"{}", {})
