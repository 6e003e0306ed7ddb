"""Receivers of webhooks on this machine, one for each way to behave, and a wire that leads public names to them."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import ip_address

import dns.resolver

from bgmail.notify.hooks.wire import Deadline, Wire
from bgmail.service.destinations import Address, Destination
from tests.fixtures.patience import PATIENCE

PUBLIC = ip_address("93.184.216.34")
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nthere"


@dataclass(frozen=True)
class Call:
    """One request that arrived: its first line, its headers by lower-case name, and its body."""

    line: str
    headers: dict[str, str]
    body: bytes


Manners = Callable[["Receiver", socket.socket], None]


@dataclass
class Receiver:
    """Listens on loopback, notes what arrives, then answers by its manners."""

    manners: Manners
    listener: socket.socket
    calls: list[Call] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def port(self) -> int:
        port: int = self.listener.getsockname()[1]
        return port

    def listen(self) -> None:
        while not self.over.is_set():
            try:
                guest, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(guest,), daemon=True).start()

    def serve(self, guest: socket.socket) -> None:
        with guest, suppress(OSError):
            guest.settimeout(20)
            self.calls.append(read(guest))
            self.manners(self, guest)


def read(guest: socket.socket) -> Call:
    with guest.makefile("rb") as lines:
        first = lines.readline().decode().strip()
        headers = {}
        while line := lines.readline().decode().strip():
            name, _, value = line.partition(": ")
            headers[name.lower()] = value
        length = int(headers.get("content-length", "0"))
        body = lines.read(length)
        if not body or len(body) < length:
            raise ConnectionError("cut off")
        return Call(first, headers, body)


def answers(raw: bytes) -> Manners:
    """Says this at once, and hangs up."""
    return lambda _, guest: guest.sendall(raw)


def status(code: int, *headers: str) -> Manners:
    lines = [f"HTTP/1.1 {code} So", "Content-Length: 0", *headers]
    return answers("\r\n".join([*lines, "", ""]).encode())


def silent(receiver: Receiver, _: socket.socket) -> None:
    """Takes the call and never says a word."""
    receiver.over.wait(20)


def drips(receiver: Receiver, guest: socket.socket) -> None:
    """A byte every now and then, for as long as others stay silent, and never a whole line."""
    for _ in range(400):
        if receiver.over.wait(0.05):
            return
        guest.sendall(b"H")


def drips_text(receiver: Receiver, guest: socket.socket) -> None:
    """Says yes and the first word, then tells a long story slowly."""
    guest.sendall(b"HTTP/1.1 200 OK\r\n\r\n.")
    while not receiver.over.wait(0.05):
        guest.sendall(b".")


def floods(receiver: Receiver, guest: socket.socket) -> None:
    """A billion bytes, if anybody would take them."""
    guest.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
    pour(receiver, guest)


def floods_headers(receiver: Receiver, guest: socket.socket) -> None:
    """A header that doesn't end."""
    guest.sendall(b"HTTP/1.1 200 OK\r\nX-Long: ")
    pour(receiver, guest)


def pour(receiver: Receiver, guest: socket.socket) -> None:
    for _ in range(1000):
        if receiver.over.is_set():
            return
        guest.sendall(b"x" * 1_000_000)


@contextmanager
def receiver(manners: Manners) -> Iterator[Receiver]:
    """A receiver that listens while the block runs."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listener:
        found = Receiver(manners, listener)
        thread = threading.Thread(target=found.listen, daemon=True)
        thread.start()
        yield found
        found.over.set()
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


class Streets:
    """Leads hosts to receivers of this machine, without TLS; every host has a public address of its own accord."""

    def __init__(self, **doors: Receiver) -> None:
        self.doors = {f"{name}.example.org": door.port for name, door in doors.items()}
        self.dialled: list[tuple[Address, str]] = []
        self.slow_names: set[str] = set()

    def resolve(self, host: str, seconds: float) -> list[Address]:
        if host in self.slow_names:
            threading.Event().wait(seconds)
            raise dns.resolver.LifetimeTimeout(timeout=seconds, errors=[])
        return [PUBLIC]

    def dial(self, address: Address, place: Destination, deadline: Deadline) -> socket.socket:
        self.dialled.append((address, place.host))
        return socket.create_connection(("127.0.0.1", self.doors[place.host]), deadline.left())

    def wire(self, seconds: float = PATIENCE) -> Wire:
        return Wire(self.resolve, self.dial, seconds=seconds)
