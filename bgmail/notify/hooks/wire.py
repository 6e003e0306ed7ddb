"""One POST to a public https address: the name is looked up once and judged, no redirect, all of it within a time.

Nothing of the system's proxies, cookies or credentials takes part. The answer is read up to a size and let go.
"""

from __future__ import annotations

import io
import socket
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from http.client import HTTPException, HTTPResponse, RemoteDisconnected
from ipaddress import ip_address

import dns.exception
import dns.resolver

from bgmail.service.destinations import SECONDS, Address, Destination, destination, is_public

LOOK_UP_SECONDS = 5.0
CONNECT_SECONDS = 4.0
REST_SECONDS = 2.0
"""How long the rest of an answer is read once its status is known: it decides nothing any more."""
MOST_READ = 64 * 1024
MOST_KEPT = 1000
MOST_ADDRESSES = 4
LONGEST_RETRY_AFTER = 24 * 3600

Resolve = Callable[[str, float], Sequence[Address]]
Dial = Callable[[Address, Destination, "Deadline"], socket.socket]
"""Connects to one address of a destination."""


class Trouble(Exception):
    """No answer was had. `code` says how it failed, for the page; the message is for the log of deliveries.

    Codes: "timeout", "name" (it leads nowhere), "connection", "garbled" (no HTTP), "inside". `seconds` is how long
    it took to find out.
    """

    def __init__(self, code: str, said: str) -> None:
        self.code, self.seconds = code, 0.0
        super().__init__(said)


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered: the status, how long it took, the beginning of the text, and how long to stay away."""

    status: int
    seconds: float
    text: str
    retry_after: timedelta | None = None

    @property
    def taken(self) -> bool:
        return 200 <= self.status < 300

    @property
    def is_redirect(self) -> bool:
        return 300 <= self.status < 400

    @property
    def said(self) -> str:
        """The answer in a line for the log of deliveries."""
        why = " (redirects are not followed)" if self.is_redirect else ""
        return f"{self.status} in {self.seconds:.1f} s{why}"


class Deadline:
    """An instant that the whole call must not outlive."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._seconds = clock, seconds
        self._began = clock()

    @property
    def spent(self) -> float:
        return self._clock() - self._began

    def left(self, most: float = SECONDS) -> float:
        """Seconds that the next step may take. Raises Trouble when there are none."""
        left = self._seconds - self.spent
        if left <= 0:
            raise Trouble("timeout", f"timed out after {self._seconds:.0f} s")
        return min(left, most)

    def shorten(self, most: float) -> None:
        """From now on there are at most so many seconds."""
        self._seconds = min(self._seconds, self.spent + most)


def look_up(host: str, seconds: float) -> Sequence[Address]:
    """All addresses of a name, asked of the system's name servers; a search list of the system is not used."""
    answers = dns.resolver.Resolver().resolve_name(f"{host}.", lifetime=seconds)
    return [ip_address(address) for address in answers.addresses()]


def dial(
    address: Address, place: Destination, deadline: Deadline, trusted: ssl.SSLContext | None = None
) -> socket.socket:
    """An encrypted connection to exactly this address; the certificate must be the host's."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    plain = socket.socket(family, socket.SOCK_STREAM)
    try:
        plain.settimeout(deadline.left(CONNECT_SECONDS))
        plain.connect((str(address), place.port))
        plain.settimeout(deadline.left())
        return (trusted or trust()).wrap_socket(plain, server_hostname=place.host)
    except BaseException:
        plain.close()
        raise


@cache
def trust() -> ssl.SSLContext:
    """The system's certificate authorities, read once."""
    return ssl.create_default_context()


@dataclass(frozen=True, slots=True)
class Wire:
    """Makes calls. Names, connections and what counts as public are arguments for tests alone: no setting
    reaches them."""

    resolve: Resolve = look_up
    dial: Dial = dial
    allowed: Callable[[Address], bool] = is_public
    seconds: float = SECONDS

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Sends `body` once and waits for the answer. Raises BadDestination, Trouble.

        Any answer is an answer, also 500 or a redirect. `headers` are ours, in ASCII without line breaks.
        """
        place, deadline = destination(url), Deadline(self.seconds)
        message = _request(place, body, headers)
        try:
            return self._exchange(place, message, deadline)
        except Trouble as trouble:
            trouble.seconds = deadline.spent
            raise

    def _exchange(self, place: Destination, message: bytes, deadline: Deadline) -> Answer:
        try:
            with self._connected(self._addresses(place, deadline), place, deadline) as connection:
                _send(connection, message, deadline)
                return _receive(connection, deadline)
        except TimeoutError as error:
            raise Trouble("timeout", f"timed out after {deadline.spent:.0f} s") from error
        except OSError as error:
            raise Trouble("connection", _plainly(error)) from error
        except (HTTPException, ValueError) as error:
            raise Trouble("garbled", "the answer is no HTTP") from error

    def _addresses(self, place: Destination, deadline: Deadline) -> list[Address]:
        """The addresses of a host, each of them judged: one that isn't public spoils them all."""
        if place.literal is not None:
            found = [place.literal]
        else:
            try:
                found = list(self.resolve(place.host, deadline.left(LOOK_UP_SECONDS)))
            except dns.resolver.LifetimeTimeout as error:
                raise Trouble("timeout", "looking up the name took too long") from error
            except dns.exception.DNSException as error:
                raise Trouble("name", "the name leads nowhere") from error
        if not found:
            raise Trouble("name", "the name leads nowhere")
        if not all(self.allowed(address) for address in found):
            raise Trouble("inside", "the name leads inside a network")
        return sorted(found, key=lambda address: address.version)[:MOST_ADDRESSES]

    def _connected(
        self, addresses: Sequence[Address], place: Destination, deadline: Deadline
    ) -> socket.socket:
        """A connection to the first address that takes one."""
        for address in addresses[:-1]:
            try:
                return self.dial(address, place, deadline)
            except OSError:
                continue
        return self.dial(addresses[-1], place, deadline)


def _request(place: Destination, body: bytes, headers: Mapping[str, str]) -> bytes:
    lines = [
        f"POST {place.target} HTTP/1.1",
        f"Host: {place.authority}",
        *(f"{name}: {value}" for name, value in headers.items()),
        f"Content-Length: {len(body)}",
        "Accept-Encoding: identity",
        "Connection: close",
    ]
    if any("\r" in line or "\n" in line for line in lines):
        raise ValueError("a header with a line break")
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body


def _send(connection: socket.socket, message: bytes, deadline: Deadline) -> None:
    rest = memoryview(message)
    while rest:
        connection.settimeout(deadline.left())
        rest = rest[connection.send(rest) :]


def _receive(connection: socket.socket, deadline: Deadline) -> Answer:
    response = HTTPResponse(_Source(connection, deadline), method="POST")  # type: ignore[arg-type]  # it asks only for a file
    try:
        response.begin()
        took = deadline.spent
        deadline.shorten(REST_SECONDS)
        text = _text(response)
        return Answer(response.status, took, text, _retry_after(response))
    finally:
        response.close()


def _text(response: HTTPResponse) -> str:
    """The beginning of the answer. It may break off anywhere: the status has been said."""
    kept, got = bytearray(), b"-"
    try:
        while got:
            got = response.read1(MOST_READ)
            kept += got[: MOST_KEPT * 4 - len(kept)]
    except (Trouble, OSError, HTTPException, ValueError):
        pass
    text = kept.decode(errors="replace")
    return "".join(sign for sign in text if sign.isprintable() or sign == "\n")[:MOST_KEPT]


def _retry_after(response: HTTPResponse) -> timedelta | None:
    """How long the receiver wants to be left alone, where it says so in seconds."""
    try:
        seconds = float(response.headers.get("Retry-After", ""))
    except ValueError:
        return None
    return timedelta(seconds=min(seconds, LONGEST_RETRY_AFTER)) if seconds >= 0 else None


def _plainly(error: OSError) -> str:
    if isinstance(error, RemoteDisconnected):
        return "the receiver hung up without an answer"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the certificate is not trusted: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return f"no encrypted connection: {error.reason or 'TLS failed'}"
    return f"no connection: {error.strerror or type(error).__name__}"


class _Source:
    """What HTTPResponse takes for a socket: a file that minds the time and the size."""

    def __init__(self, connection: socket.socket, deadline: Deadline) -> None:
        self._flow = _Flow(connection, deadline)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self._flow, 8192)


class _Flow(io.RawIOBase):
    def __init__(self, connection: socket.socket, deadline: Deadline) -> None:
        self._connection, self._deadline, self._read = connection, deadline, 0

    def readable(self) -> bool:
        return True

    def readinto(self, room: memoryview) -> int:  # type: ignore[override]  # what BufferedReader hands over
        most = min(len(room), MOST_READ - self._read)
        if most <= 0:
            return 0
        self._connection.settimeout(self._deadline.left())
        got = self._connection.recv_into(room[:most])
        self._read += got
        return got
