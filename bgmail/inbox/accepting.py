"""Which mail is for us, and keeping it: the one step after which it can't be lost. All ways in come through here."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from bgmail.inbox.headers import addresses, head
from bgmail.inbox.reports import MAILBOX as REPORTS
from bgmail.inbox.reports import is_for_reports
from bgmail.service import inbound
from bgmail.tokens import BadToken
from bgmail.world import World

MAILBOX = "play"
LARGEST = 10 * 1024 * 1024
"""Bytes of a mail: a reply with its quotation and a picture or two."""
_ENVELOPE = ("x-envelope-to", "delivered-to", "x-original-to", "envelope-to", "to", "cc")
"""Headers that may say where a mail was sent to, for ways in that don't tell."""


class NotForUs(ValueError):
    """No address of ours is among the recipients."""


def token_of(world: World, address: str) -> str | None:
    """The token of an address that answers go to; None for every other address.

    Of one that reports on letters come to it is the whole local part, which no token looks like.
    """
    local, _, domain = address.strip("<> ").rpartition("@")
    mailbox, plus, token = local.lower().partition("+")
    if domain.lower() != world.settings.inbound_domain:
        return None
    if mailbox == REPORTS:
        return local.lower() if _takes_reports(world, plus, token) else None
    if (mailbox, plus) != (MAILBOX, "+"):
        return None
    try:
        world.signer.read_address(token)
    except BadToken:
        return None
    return token


def accept(
    world: World, raw: bytes, recipients: Iterable[str], now: datetime, sender: str | None = None
) -> int:
    """Keeps a mail for every recipient that is ours, on the disk when this returns; how many were new.

    `now` is when we take it upon us: it counts as the moment of the answer. Raises NotForUs.
    """
    tokens = {token for address in recipients if (token := token_of(world, address))}
    if not tokens:
        raise NotForUs("no address of ours is among the recipients")
    matches = {token: _match_of(world, token) for token in sorted(tokens)}
    return inbound.keep(world.store, raw, matches, now, sender)


def _match_of(world: World, token: str) -> str:
    """The match that an answer is for; "" for a report, which keeps none waiting."""
    return "" if is_for_reports(token) else world.signer.read_address(token).match


def _takes_reports(world: World, plus: str, token: str) -> bool:
    """Whether a letter named this address, or it is the one without a token, for complaints."""
    try:
        return not plus or world.signer.read_number(token) >= 0
    except BadToken:
        return False


def recipients_in(raw: bytes) -> list[str]:
    """The addresses that a mail says to be sent to, for ways in where nobody tells more."""
    return addresses(head(raw), *_ENVELOPE)
