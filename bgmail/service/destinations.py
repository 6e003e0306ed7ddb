"""Where this server may be told to send something: https addresses of public hosts, and nothing inside a network.

Asked when an address is saved, and again, with the addresses of its host, whenever something is sent there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, quote, urlsplit

import idna

from bgmail.service.errors import Refused

SECONDS = 10
"""How long a call may take in all, from the question for the name to the answer that is waited for."""
MOST_SIGNS = 1024
"""What push services of Windows may need; others get by with half."""
HTTPS = 443
OPEN_PORTS = range(1024, 65536)
"""Beside 443: below are the services of the system, which nobody's webhook is one of."""
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")
_INSIDE = frozenset({"localhost", "local", "internal", "intranet", "lan", "home", "corp", "arpa", "onion"})
"""Last labels of names that lead to no public host."""
_PUBLIC_6 = ip_network("2000::/3")
_NOT_PUBLIC = tuple(
    ip_network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",
        "100.64.0.0/10",  # behind a carrier's NAT
        "127.0.0.0/8",
        "169.254.0.0/16",  # link-local, and the metadata of clouds
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",  # relays to 6to4
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",  # multicast, and all that is reserved
        "2001::/23",  # Teredo, ORCHID and other protocols
        "2001:db8::/32",
        "2002::/16",  # 6to4: holds an IPv4 address of any kind
        "2620:4f:8000::/48",
        "3fff::/20",
    )
)
"""IANA's special-purpose registries, written out: what Python calls global differs between its versions."""
_ISATAP = (0x00005EFE, 0x02005EFE)
"""The middle of an IPv6 address whose last four bytes are an IPv4 one."""

Address = IPv4Address | IPv6Address


class BadDestination(Refused):
    """An address that nothing is sent to; `code` says why."""


@dataclass(frozen=True, slots=True)
class Destination:
    """A place to send to. `host` is lower-case ASCII; `target` is what the request line names: path and query."""

    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """The host as a Host header names it, with the port where it isn't the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == HTTPS else f"{host}:{self.port}"

    @property
    def literal(self) -> Address | None:
        """The address, where the host is one and no name."""
        try:
            return ip_address(self.host)
        except ValueError:
            return None


def destination(url: str) -> Destination:
    """Reads an https address. Raises BadDestination for everything that isn't one of a public host.

    A name is judged as a name: what it leads to is seen when something is sent there.
    """
    parts = _split(url)
    if parts.scheme != "https":
        raise BadDestination("address_https")
    if parts.username is not None or parts.password is not None:
        raise BadDestination("address_password")
    host, port = _host(parts), _port(parts)
    found = Destination(host, port, _target(parts))
    if found.literal is not None and not is_public(found.literal):
        raise BadDestination("address_inside")
    return found


def is_public(address: Address) -> bool:
    """Whether an address is one of the open Internet: no private, local, multicast or reserved one, and none
    that hides another inside it."""
    if isinstance(address, IPv6Address):
        if address.scope_id is not None or address not in _PUBLIC_6:
            return False  # that leaves out ::1, mapped and NAT64 addresses, fc00::/7, fe80::/10 and ff00::/8
        if (int(address) >> 32) & 0xFFFFFFFF in _ISATAP:
            return False
    inside = any(address.version == network.version and address in network for network in _NOT_PUBLIC)
    return address.is_global and not address.is_multicast and not inside


def _split(url: str) -> SplitResult:
    if len(url) > MOST_SIGNS:
        raise BadDestination("address_long", most=MOST_SIGNS)
    if not url.isprintable() or any(sign.isspace() or sign == "\\" for sign in url):
        raise BadDestination("address_malformed")
    try:
        return urlsplit(url)
    except ValueError as error:
        raise BadDestination("address_malformed") from error


def _host(parts: SplitResult) -> str:
    """The host in one spelling. Numbers that some programs would take for an address are no names."""
    host = (parts.hostname or "").removesuffix(".")
    if not host or "%" in host:
        raise BadDestination("address_malformed")
    if ":" in host or _NUMBER.fullmatch(host.rpartition(".")[2]):
        return _number(host)
    try:
        name = idna.encode(host, uts46=True, std3_rules=True).decode().lower()
    except idna.IDNAError as error:
        raise BadDestination("address_malformed") from error
    if _NUMBER.fullmatch(name.rpartition(".")[2]):  # digits of other scripts become plain ones
        return _number(name)
    if "." not in name or name.rpartition(".")[2] in _INSIDE:
        raise BadDestination("address_inside")
    return name


def _number(host: str) -> str:
    try:
        return str(ip_address(host))
    except ValueError as error:
        raise BadDestination("address_inside") from error


def _port(parts: SplitResult) -> int:
    try:
        port = parts.port
    except ValueError as error:
        raise BadDestination("address_malformed") from error
    if port is None:
        return HTTPS
    if port != HTTPS and port not in OPEN_PORTS:
        raise BadDestination("address_port", port=port)
    return port


def _target(parts: SplitResult) -> str:
    """Path and query in plain ASCII. What comes after a # stays with whoever reads it."""
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    query = quote(parts.query, safe="/?%:@!$&'()*+,;=~-._")
    return f"{path}?{query}" if query else path
