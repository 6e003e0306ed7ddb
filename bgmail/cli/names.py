"""Whether the names in the settings lead anywhere: what people, and what mail servers, will ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from email.utils import parseaddr
from urllib.parse import urlsplit

import dns.exception
import dns.resolver

from bgmail.settings import LOOPBACK, Settings

SECONDS = 5.0
Lookup = Callable[[str, str], list[str]]
"""From a name and a kind of record ("A", "AAAA", "MX") to what it leads to; [] for nothing. Raises OSError."""
Finding = tuple[str, str]
"""A level, "ok", "warn" or "bad", and a sentence."""


def lookup(name: str, kind: str) -> list[str]:
    """Asks this machine's name servers."""
    try:
        return [str(record) for record in dns.resolver.resolve(name, kind, lifetime=SECONDS)]
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []
    except dns.exception.DNSException as error:
        raise OSError(f"name servers don't answer: {error}") from error


def examined(settings: Settings, ask: Lookup = lookup) -> Iterator[Finding]:
    """The host of links, the domain that mail comes in by, and the domain that letters come from."""
    host = urlsplit(settings.base_url).hostname or ""
    yield from _one(host, ("A", "AAAA"), "bad", "links lead to it", ask)
    if settings.inbound_domain:
        yield from _one(settings.inbound_domain, ("MX",), "bad", "answers and reports are sent to it", ask)
    sender = parseaddr(settings.mail_default_sender)[1].rpartition("@")[2]
    yield from _one(sender, ("MX", "A", "AAAA"), "warn", "letters come from it", ask)


def _one(name: str, kinds: tuple[str, ...], level: str, why: str, ask: Lookup) -> Iterator[Finding]:
    if name in LOOPBACK or name.endswith(".localhost") or name.replace(".", "").isdigit() or ":" in name:
        return
    try:
        found = next((f"{kind} {answer[0]}" for kind in kinds if (answer := ask(name, kind))), None)
    except OSError as error:
        yield "warn", f"{name}: {error}"
        return
    if found:
        yield "ok", f"{name}: {found}"
    else:
        yield level, f"{name} has no {' or '.join(kinds)} record, but {why}"
