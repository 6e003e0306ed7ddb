"""How often something may be tried: limits that hold across processes, by name or address and by client.

The same counts are kept for people who exist and for those who don't, so that a refusal tells nothing.
"""

from __future__ import annotations

import hashlib
import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from bgmail.service.errors import ServiceError
from bgmail.store import people
from bgmail.store.engine import Store

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Limit:
    """At most so many in a window of time, which begins with the first."""

    name: str
    most: int
    window: timedelta


SIGN_IN_NAME = Limit("sign-in/name", 60, HOUR)
SIGN_IN_NAME_DAILY = Limit("sign-in/name/day", 100, DAY)
SIGN_IN_CLIENT = Limit("sign-in/client", 300, HOUR)
LETTER_ADDRESS = Limit("letter/address", 5, HOUR)
LETTER_CLIENT = Limit("letter/client", 60, HOUR)
INVITATION_ACCOUNT = Limit("invitation/account", 50, DAY)
INVITATION_ADDRESS = Limit("invitation/address", 5, DAY)
PASSWORD_ACCOUNT = Limit("password/account", 20, HOUR)

Claim = tuple[Limit, str]
"""A limit, and whose it is."""


class TooOften(ServiceError):
    """A limit is reached; it ends at `until`."""

    def __init__(self, until: datetime, now: datetime) -> None:
        self.until = until
        self.seconds = max(1, round((until - now).total_seconds()))
        super().__init__("too_often", until=until, seconds=self.seconds)


def take(store: Store, claims: Iterable[Claim], now: datetime) -> None:
    """Counts one try for each of the claims, at once and for good. Raises TooOften when one has none left."""
    with store.write() as connection:
        counted = [
            (limit, *people.count_up(connection, _key(limit, whose), now, now + limit.window))
            for limit, whose in claims
        ]
    ends = [end for limit, used, end in counted if used > limit.most]
    if ends:
        raise TooOften(max(ends), now)


def give_back(store: Store, claims: Iterable[Claim]) -> None:
    """Takes back what `take` counted: the try was rightful."""
    with store.write() as connection:
        for limit, whose in claims:
            people.count_down(connection, _key(limit, whose))


def network(client: str | None) -> str:
    """What counts as one client: an IPv4 address, or the /64 network of an IPv6 one."""
    try:
        address = ipaddress.ip_address(client or "")
    except ValueError:
        return client or "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped or ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def _key(limit: Limit, whose: str) -> str:
    """Names and addresses are kept as digests: the table tells nobody who tried."""
    return f"{limit.name}:{hashlib.sha256(whose.encode('utf-8', 'surrogatepass')).hexdigest()[:40]}"
